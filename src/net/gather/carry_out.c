/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Carries out frames on behalf of the PEs of this node. What a frame says is not trusted: an
 * invalid entry ends it.
 *
 * Entries are carried out in runs of the same operation, which is decoded once. The memory of a run
 * is prefetched before its first entry is carried out, because programs gather operations on random
 * words.
 */
#include "net/gather/carry_out.h"

#include <stdlib.h>

#include "net/apply.h"

#define RUN 32 /* entries at most */

/* The segments of this node's PEs; `bytes` is 0 until a segment is first used. */
static TERN_PE_LOCAL struct {
    const struct tern_gather_job *job;
    struct tern_gather_memory *memory;
    unsigned n_pes, distance_bits;
    uint64_t served;
} state;

/* Consecutive entries that differ in their places and operands only. */
struct run {
    const uint64_t *first;
    uint32_t stride; /* words of an entry */
    unsigned op;
    uint32_t bytes;
    bool is_short;
    uint32_t result_words; /* of an entry */
    uint32_t n;
    void *at[RUN];
};

/* What remains of a frame, and of the answer's room. */
struct cursor {
    const uint64_t *word, *end;
    uint64_t *result, *room;
    uint64_t touched; /* PEs whose memory changes, by their numbers modulo 64 */
};

void tern_carry_out_start(const struct tern_net_host *host, const struct tern_gather_job *job)
{
    size_t n = (size_t)job->nodes[job->node].size;

    state.job = job;
    state.distance_bits = tern_entry_distance_bits(job->nodes, job->n_nodes);
    state.n_pes = (unsigned)n;
    state.memory = calloc(n * TERN_NET_SEGMENTS, sizeof *state.memory);
    if (!state.memory)
        host->no_memory(NULL, "the segments of this node", n * sizeof *state.memory);
}

uint64_t tern_carry_out_count(void)
{
    return tern_load_relaxed(&state.served);
}

/* Whether the segment can be reached now, which may be its first use. */
static TERN_COLD bool find_segment(struct tern_gather_memory *memory)
{
    size_t i = (size_t)(memory - state.memory);

    if (!memory->bytes)
        *memory = state.job->find((int)(i / TERN_NET_SEGMENTS), i % TERN_NET_SEGMENTS);
    return memory->bytes > 0;
}

static void *locate(uint64_t word, uint32_t bytes, unsigned *pe)
{
    uint64_t distance = tern_entry_distance(word, state.distance_bits);
    struct tern_gather_memory *memory;

    *pe = (unsigned)tern_entry_pe(word, state.distance_bits);
    if (tern_unlikely(*pe >= state.n_pes))
        return NULL;
    memory = state.memory + *pe * TERN_NET_SEGMENTS + (word >> TERN_ENTRY_SEGMENT & 1);
    if (tern_unlikely(!memory->bytes) && !find_segment(memory))
        return NULL;
    if (tern_unlikely(distance > memory->bytes || bytes > memory->bytes - distance))
        return NULL;
    return memory->start + distance;
}

static bool is_amo(const struct run *r)
{
    return r->op != TERN_ENTRY_PUT && r->op != TERN_ENTRY_GET;
}

/* Whether the operation fits its form and its length. */
static bool is_valid(const struct run *r)
{
    if (!is_amo(r))
        return true;
    if (r->is_short && (r->op & ~(unsigned)TERN_ENTRY_FETCHES) == TERN_NET_COMPARE_SWAP)
        return false;
    return r->bytes == 4 || r->bytes == 8;
}

/* What all entries of a run have in common, by the first word. */
static void decode(struct run *r, uint64_t word)
{
    r->stride = 1 + tern_entry_body(word);
    r->op = tern_entry_op(word);
    r->bytes = tern_entry_length(word);
    r->is_short = tern_entry_is_short(word);
    r->result_words = r->op & TERN_ENTRY_FETCHES ? tern_entry_words(r->bytes) : 0;
}

/* Reads the next run, unless the frame is at its end. An invalid entry ends the frame. */
static bool read_run(struct cursor *c, struct run *r)
{
    uint64_t first, aligned;
    unsigned pe;

    r->n = 0;
    if (c->word == c->end)
        return false;
    r->first = c->word;
    first = *c->word;
    decode(r, first);
    if (tern_unlikely(!is_valid(r)))
        return false;
    aligned = is_amo(r) ? r->bytes - 1 : 0;
    while (r->n < RUN && r->stride <= (size_t)(c->end - c->word) &&
           (*c->word ^ first) >> TERN_ENTRY_SEGMENT == 0) {
        void *at = locate(*c->word, r->bytes, &pe);

        if (tern_unlikely(!at || (uintptr_t)at & aligned)) {
            c->end = c->word;
            break;
        }
        __builtin_prefetch(at, 1);
        r->at[r->n++] = at;
        c->touched |= UINT64_C(1) << (pe & 63);
        c->word += r->stride;
    }
    return r->n > 0;
}

static void put_run(const struct run *r)
{
    const uint64_t *entry = r->first;

    for (uint32_t i = 0; i < r->n; i++, entry += r->stride) {
        tern_fence_stores(); /* after the entries before it: partner is a wait's acquire */
        tern_net_store(r->at[i], entry + 1, r->bytes);
    }
}

static void get_run(const struct run *r, uint64_t *result)
{
    for (uint32_t i = 0; i < r->n; i++, result += r->result_words) {
        result[r->result_words - 1] = 0; /* pads the last word */
        tern_net_store(result, r->at[i], r->bytes);
    }
}

/* Inlined for each operation. Without a result the processor has shorter instructions. */
TERN_INLINE void apply_run(const struct run *r, enum tern_net_op op, uint64_t *result)
{
    const uint64_t *entry = r->first;

    for (uint32_t i = 0; i < r->n; i++, entry += r->stride) {
        uint64_t operand = r->is_short ? tern_entry_operand(*entry) : entry[1];
        uint64_t compare = op == TERN_NET_COMPARE_SWAP ? entry[2] : 0;

        if (r->bytes == 4) {
            uint32_t old = tern_net_apply32(op, r->at[i], (uint32_t)operand, (uint32_t)compare);

            if (r->result_words)
                result[i] = old;
        } else if (r->result_words) {
            result[i] = tern_net_apply64(op, r->at[i], operand, compare);
        } else {
            tern_net_apply64(op, r->at[i], operand, compare);
        }
    }
}

static void amo_run(const struct run *r, uint64_t *result)
{
    enum tern_net_op op = (enum tern_net_op)(r->op & ~(unsigned)TERN_ENTRY_FETCHES);

    switch (op) {
    case TERN_NET_ADD:
        apply_run(r, TERN_NET_ADD, result);
        break;
    case TERN_NET_XOR:
        apply_run(r, TERN_NET_XOR, result);
        break;
    case TERN_NET_SET:
        apply_run(r, TERN_NET_SET, result);
        break;
    default:
        apply_run(r, op, result);
    }
}

/* False: the answer had no room for all results. */
static bool carry_out(struct cursor *c, struct run *r)
{
    size_t room = (size_t)(c->room - c->result);
    bool fits = r->n * r->result_words <= room;

    if (tern_unlikely(!fits))
        r->n = (uint32_t)room / r->result_words;
    if (r->op == TERN_ENTRY_PUT)
        put_run(r);
    else if (r->op == TERN_ENTRY_GET)
        get_run(r, c->result);
    else
        amo_run(r, c->result);
    c->result += r->n * r->result_words;
    return fits;
}

static void ring(uint64_t touched)
{
    int n = state.job->nodes[state.job->node].size;

    for (int i = 0; i < n; i++)
        if (touched >> (i & 63) & 1)
            state.job->ring(i);
}

size_t tern_carry_out(const void *frame, size_t bytes, void *answer)
{
    struct cursor c = {
        .word = frame,
        .end = (const uint64_t *)frame + bytes / 8,
        .result = answer,
        .room = (uint64_t *)answer + TERN_FRAME_WORDS,
    };
    uint64_t served = 0;
    struct run run;

    while (read_run(&c, &run)) {
        bool fits = carry_out(&c, &run);

        served += run.n;
        if (!fits)
            break;
    }
    ring(c.touched);
    tern_store_relaxed(&state.served, state.served + served);
    return (size_t)((char *)c.result - (char *)answer);
}
