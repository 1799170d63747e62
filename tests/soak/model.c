/* SPDX-License-Identifier: BSD-3-Clause */
/* The oracle: what each step does to memory, in plain C. */
#include "lane.h"

#include <stdio.h>
#include <string.h>

unsigned char model_table(int pe, uint32_t at)
{
    return draw_byte((uint64_t)pe * 77 + 5, at);
}

unsigned char model_start(int pe, int index, int target, uint32_t at)
{
    return (unsigned char)(pe * 29 + index * 7 + target * 3 + (int)at);
}

size_t step_bytes(const struct step *step)
{
    return (size_t)step->count * step->block * step->size;
}

size_t step_local_bytes(const struct step *step)
{
    return ((size_t)(step->count - 1) * step->local_stride + step->block) * step->size;
}

bool step_is_nbi(const struct step *step)
{
    return step->form == NBI || step->form == WITH_SIGNAL_NBI || step->form == FETCHING_NBI;
}

bool step_has_result(const struct step *step)
{
    return step->kind == GET || step->kind == G || step->kind == TICKET || step->form == FETCHING ||
           step->form == FETCHING_NBI;
}

static bool has_signal(const struct step *step)
{
    return step->kind == SIGNAL || step->form == WITH_SIGNAL || step->form == WITH_SIGNAL_NBI;
}

/* The other words are only added to, in any order. */
static bool is_tracked(uint32_t signal)
{
    return signal < SIGNALS / 2;
}

static bool uses_row(const struct step *step)
{
    return step->kind <= AMO && !step->from_table;
}

static bool writes_row(const struct step *step)
{
    return step->kind == PUT || step->kind == P || (step->kind == AMO && step->op != OP_FETCH);
}

/* Gets are ordered by quiet alone, as is a value that is fetched without an update. */
static bool gets_row(const struct step *step)
{
    return step->kind == GET || step->kind == G ||
           (step->kind == AMO && step->op == OP_FETCH && step->form == FETCHING_NBI);
}

static bool has_stamp(const uint16_t *stamps, const struct step *step, uint16_t epoch)
{
    for (uint32_t i = 0; i < step->count; i++) {
        const uint16_t *from = stamps + step->at + (size_t)i * step->remote_stride * step->size;

        for (uint32_t k = 0; k < step->block * step->size; k++)
            if (from[k] == epoch)
                return true;
    }
    return false;
}

static void stamp(uint16_t *stamps, const struct step *step, uint16_t epoch)
{
    for (uint32_t i = 0; i < step->count; i++) {
        uint16_t *from = stamps + step->at + (size_t)i * step->remote_stride * step->size;

        for (uint32_t k = 0; k < step->block * step->size; k++)
            from[k] = epoch;
    }
}

bool model_needs_fence(const struct lane *lane, const struct step *step)
{
    const struct row *row = &lane->rows[step->pe];

    if (has_signal(step) && is_tracked(step->signal) &&
        row->fenced[SIGNALS_AT + step->signal * 8] == lane->fence_epoch)
        return true;
    return uses_row(step) && has_stamp(row->fenced, step, lane->fence_epoch);
}

bool model_needs_quiet(const struct lane *lane, const struct step *step)
{
    const struct row *row = &lane->rows[step->pe];

    if (!uses_row(step))
        return false;
    return (writes_row(step) && has_stamp(row->read, step, lane->quiet_epoch)) ||
           (gets_row(step) && has_stamp(row->quieted, step, lane->quiet_epoch));
}

/* Records for later steps what this one has in progress. */
static void stamp_row(struct lane *lane, const struct step *step)
{
    struct row *row = &lane->rows[step->pe];

    if (writes_row(step)) {
        stamp(row->quieted, step, lane->quiet_epoch);
        if (step->form != FETCHING) /* a blocking one was carried out when it returned */
            stamp(row->fenced, step, lane->fence_epoch);
    } else if (step_is_nbi(step)) {
        stamp(row->read, step, lane->quiet_epoch);
    }
}

static void put(struct row *row, const struct step *step)
{
    uint64_t k = 0;

    for (uint32_t i = 0; i < step->count; i++) {
        unsigned char *to = row->bytes + step->at + (size_t)i * step->remote_stride * step->size;

        for (uint32_t b = 0; b < step->block * step->size; b++)
            to[b] = draw_byte(step->value, k++);
    }
}

static void get(const struct row *row, const struct step *step, unsigned char *local)
{
    memset(local, GAP, step_local_bytes(step));
    for (uint32_t i = 0; i < step->count; i++) {
        uint32_t from = step->at + i * step->remote_stride * step->size;
        unsigned char *to = local + (size_t)i * step->local_stride * step->size;

        for (uint32_t b = 0; b < step->block * step->size; b++)
            to[b] = step->from_table ? model_table(step->pe, from + b) : row->bytes[from + b];
    }
}

static uint64_t updated(const struct step *step, uint64_t old)
{
    uint64_t mask = step->size == 8 ? UINT64_MAX : UINT32_MAX;

    switch (step->op) {
    case OP_SET:
    case OP_SWAP:
        return step->value;
    case OP_CSWAP:
        return (old & mask) == (step->compare & mask) ? step->value : old;
    case OP_ADD:
        return old + step->value;
    case OP_INC:
        return old + 1;
    case OP_AND:
        return old & step->value;
    case OP_OR:
        return old | step->value;
    case OP_XOR:
        return old ^ step->value;
    default:
        return old;
    }
}

/* Little-endian, as all machines that Tern runs on. */
static void update(void *word, const struct step *step, unsigned char *fetched)
{
    uint64_t old = 0;

    memcpy(&old, word, step->size);
    if (fetched)
        memcpy(fetched, word, step->size);
    old = updated(step, old);
    memcpy(word, &old, step->size);
}

static void signal(struct lane *lane, const struct step *step)
{
    struct row *row = &lane->rows[step->pe];
    uint32_t at = SIGNALS_AT + step->signal * 8;
    struct step word = {.op = step->op, .size = 8, .value = step->compare};

    update(row->bytes + at, &word, NULL);
    row->fenced[at] = lane->fence_epoch;
}

void model_apply(struct lane *lane, const struct step *step, unsigned char *local)
{
    struct row *row = &lane->rows[step->pe];

    if (step->kind == QUIET) {
        lane->quiet_epoch++;
        lane->used = 0;
        lane->n_pending = 0;
    }
    if (step->kind == QUIET || step->kind == FENCE)
        lane->fence_epoch++;
    if (step->kind == PUT || step->kind == P)
        put(row, step);
    else if ((step->kind == GET || step->kind == G) && local)
        get(row, step, local);
    else if (step->kind == AMO)
        update(row->bytes + step->at, step, local);
    if (has_signal(step))
        signal(lane, step);
    if (uses_row(step))
        stamp_row(lane, step);
}

static void *shared_word(const struct step *step, struct shared *shared)
{
    bool wide = step->size == 8;

    if (step->kind == TICKET)
        return wide ? (void *)&shared->ticket64[step->at] : &shared->ticket32[step->at];
    switch (step->op) {
    case OP_AND:
        return wide ? (void *)&shared->and64[step->at] : &shared->and32[step->at];
    case OP_OR:
        return wide ? (void *)&shared->or64[step->at] : &shared->or32[step->at];
    case OP_XOR:
        return wide ? (void *)&shared->xor64[step->at] : &shared->xor32[step->at];
    default:
        return wide ? (void *)&shared->sum64[step->at] : &shared->sum32[step->at];
    }
}

void model_apply_shared(const struct step *step, struct shared shared[2])
{
    update(shared_word(step, &shared[step->in_static]), step, NULL);
}

const char *step_text(const struct step *step)
{
    static const char *const kinds[] = {"put",           "p",      "get",    "g",     "atomic",
                                        "shared atomic", "ticket", "signal", "fence", "quiet",
                                        "compute",       "session"};
    static const char *const forms[] = {
        "blocking", "nbi", "store", "with signal", "with signal, nbi", "fetching", "fetching, nbi"};
    static const char *const ops[] = {"set", "swap", "fetch", "compare_swap", "add",
                                      "inc", "and",  "or",    "xor"};
    static char text[256];

    snprintf(
        text, sizeof text,
        "%s (%s, %s) to PE %d at %u%s, %u blocks of %u elements of %u bytes, strides %u and %u, "
        "signal word %u, type %u",
        kinds[step->kind], forms[step->form], ops[step->op], step->pe, step->at,
        step->from_table ? " of the table" : "", step->count, step->block, step->size,
        step->remote_stride, step->local_stride, step->signal, step->type);
    return text;
}
