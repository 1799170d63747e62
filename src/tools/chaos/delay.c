/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses how late operations arrive, and cuts large ones into pieces. */
#include "tools/chaos/delay.h"

#include <stdlib.h>
#include <string.h>

#include "tools/chaos/dice.h"
#include "tools/no_memory.h"

#define US 1000

/* Transfers up to this many bytes stay whole. */
#define SMALL 64
#define MOST_PIECES 8
#define LARGEST_PIECE (1 << 20)

/* An operation of so many bytes may be a flag for others to wait for. */
#define FLAG_BYTES 8

/* How many of a PE's late operations are its first. */
#define N_FIRST 16

/*
 * The time by which another PE notices that an operation is missing. A PE's first operations are
 * late by more than that, since a short program may have no others.
 */
static uint64_t choose_long_delay(void)
{
    static unsigned n; /* the queues' lock guards it */
    uint64_t delay = tern_dice_below(2000 * US) + 1000 * US;

    return n < N_FIRST ? n++, 8 * delay : delay;
}

/* Most operations are late: one of 16 is on time, and one is late by a tenth of a millisecond. */
static uint64_t choose_delay(void)
{
    switch (tern_dice_below(16)) {
    case 0:
        return 0;
    case 1:
        return tern_dice_below(100 * US) + 1;
    default:
        return choose_long_delay();
    }
}

/* Whether other PEs may wait for the operation: an update of one word, or with a signal. */
static bool may_be_flag(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;

    switch (routine->kind) {
    case TERN_KIND_AMO:
    case TERN_KIND_AMO_NBI:
    case TERN_KIND_SIGNAL:
    case TERN_KIND_PUT_SIGNAL:
    case TERN_KIND_PUT_SIGNAL_NBI:
        return true;
    case TERN_KIND_PUT:
        return !routine->place[TERN_NBLOCKS] &&
               (size_t)tern_call_number(call, TERN_NELEMS, 1) * routine->element <= FLAG_BYTES;
    default:
        return false;
    }
}

/*
 * A flag that may overtake an earlier operation mostly does, so that a single missing fence shows
 * with most seeds.
 */
static bool overtakes(struct tern_queue *queue, struct tern_call *call, int pe)
{
    return may_be_flag(call) && tern_queue_has_unfenced(queue, pe) && tern_dice_below(32) > 0;
}

static bool is_blocking_put(const struct tern_call *call)
{
    return call->routine->kind == TERN_KIND_PUT || call->routine->kind == TERN_KIND_PUT_SIGNAL;
}

/* Bytes from the first element of source to the end of its last. */
static size_t extent(struct tern_call *call)
{
    size_t nelems = (size_t)tern_call_number(call, TERN_NELEMS, 1);
    size_t nblocks = (size_t)tern_call_number(call, TERN_NBLOCKS, 1);
    size_t stride = (size_t)tern_call_number(call, TERN_SST, 1);
    size_t block = (size_t)tern_call_number(call, TERN_BSIZE, 1);

    if (!tern_call_find(call, TERN_NBLOCKS))
        nblocks = nelems;
    if (nblocks == 0 || block == 0)
        return 0;
    return ((nblocks - 1) * stride + block) * call->routine->element;
}

/* Copies the source of a blocking put, because the program may change it after the call. */
static void put(struct tern_queue *queue, struct tern_call *call, int pe, uint64_t delay)
{
    union tern_value *source = tern_call_find(call, TERN_SOURCE);
    struct tern_call late = *call;
    size_t bytes = 0;
    void *copy = NULL;

    if (source && is_blocking_put(call))
        bytes = extent(call);
    if (bytes > 0) {
        copy = malloc(bytes);
        if (!copy)
            tern_tool_no_memory("--chaos", "the data of a delayed put", bytes);
        memcpy(copy, source->p, bytes);
        tern_call_find(&late, TERN_SOURCE)->p = copy;
    }
    tern_queue_put(queue, &late, pe, delay, copy, bytes);
}

static void begin(struct tern_queue *queue, struct tern_call *call, int pe)
{
    uint64_t delay = overtakes(queue, call, pe) ? 0 : choose_delay();

    if (delay > 0 || !tern_queue_run(queue, call, pe))
        put(queue, call, pe, delay);
}

/* Whether a transfer may arrive in pieces: it is contiguous, and no signal follows it. */
static bool can_be_cut(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;

    return (routine->kind == TERN_KIND_PUT || routine->kind == TERN_KIND_PUT_NBI ||
            routine->kind == TERN_KIND_GET_NBI) &&
           routine->place[TERN_NELEMS] && !routine->place[TERN_DST] &&
           tern_call_number(call, TERN_NELEMS, 0) * routine->element > SMALL;
}

static void begin_pieces(struct tern_queue *queue, struct tern_call *call, int pe)
{
    size_t element = call->routine->element;
    size_t left = tern_call_find(call, TERN_NELEMS)->u;
    size_t piece = left / (1 + tern_dice_below(MOST_PIECES)) + 1;

    if (piece > LARGEST_PIECE / element)
        piece = LARGEST_PIECE / element;
    while (left > 0) {
        struct tern_call part = *call;
        size_t n = piece < left ? piece : left;

        left -= n;
        tern_call_find(&part, TERN_NELEMS)->u = n;
        tern_call_find(&part, TERN_DEST)->p =
            (char *)tern_call_pointer(call, TERN_DEST) + left * element;
        tern_call_find(&part, TERN_SOURCE)->p =
            (char *)tern_call_pointer(call, TERN_SOURCE) + left * element;
        begin(queue, &part, pe);
    }
}

void tern_delay_begin(struct tern_queue *queue, struct tern_call *call)
{
    int pe = (int)tern_call_number(call, TERN_PE, 0);

    if (can_be_cut(call))
        begin_pieces(queue, call, pe);
    else
        begin(queue, call, pe);
}

void tern_delay_run(struct tern_queue *queue, struct tern_call *call)
{
    int pe = (int)tern_call_number(call, TERN_PE, 0);

    tern_queue_flush_fenced(queue, pe);
    tern_run(call);
}
