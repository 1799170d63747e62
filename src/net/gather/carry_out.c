/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Carries out frames on behalf of the PEs of this node. What a frame says is not trusted: an
 * invalid entry ends it.
 *
 * Entries are read a few at a time: the memory of all of them is prefetched before the first is
 * carried out, because programs gather operations on random words.
 */
#include "net/gather/carry_out.h"

#include <stdlib.h>

#include "net/apply.h"

#define AHEAD 16 /* entries */

/* The segments of this node's PEs; `bytes` is 0 until a segment is first used. */
static TERN_PE_LOCAL struct {
    const struct tern_gather_job *job;
    struct tern_gather_memory *memory;
    unsigned n_pes, distance_bits;
    uint64_t served;
} state;

struct entry {
    void *at;
    const uint64_t *body;
    uint64_t operand; /* of an atomic operation */
    unsigned op;
    uint32_t bytes;
    unsigned pe; /* on the node */
};

/* What remains of a frame, and of the answer's room. */
struct cursor {
    const uint64_t *word, *end;
    uint64_t *result, *room;
    uint64_t touched; /* PEs whose memory has changed, by their numbers modulo 64 */
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

static enum tern_net_op operation(const struct entry *e)
{
    return (enum tern_net_op)(e->op & ~(unsigned)TERN_ENTRY_FETCHES);
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

/* Whether the operation fits its form, its length and its object. */
static bool is_valid(uint64_t word, const struct entry *e)
{
    if (e->op == TERN_ENTRY_PUT || e->op == TERN_ENTRY_GET)
        return true;
    if (tern_entry_is_short(word) && operation(e) == TERN_NET_COMPARE_SWAP)
        return false;
    return (e->bytes == 4 || e->bytes == 8) && (uintptr_t)e->at % e->bytes == 0;
}

/* False: the entry is invalid, and nothing after it can be read. */
static bool read_entry(struct cursor *c, struct entry *e)
{
    uint64_t word = *c->word++;
    uint32_t body = tern_entry_body(word);

    e->op = tern_entry_op(word);
    e->bytes = tern_entry_length(word);
    e->at = locate(word, e->bytes, &e->pe);
    e->body = c->word;
    if (tern_unlikely(!e->at || body > c->end - c->word || !is_valid(word, e)))
        return false;
    __builtin_prefetch(e->at, 1);
    e->operand = body ? *e->body : tern_entry_operand(word);
    c->word += body;
    return true;
}

/* Reads some entries; returns how many. An invalid entry is the last. */
static unsigned read_entries(struct cursor *c, struct entry *entries)
{
    unsigned n = 0;

    while (n < AHEAD && c->word < c->end) {
        if (tern_unlikely(!read_entry(c, &entries[n]))) {
            c->word = c->end;
            break;
        }
        n++;
    }
    return n;
}

static uint64_t apply(const struct entry *e)
{
    enum tern_net_op op = operation(e);
    uint64_t compare = op == TERN_NET_COMPARE_SWAP ? e->body[1] : 0;

    if (e->bytes == 4)
        return tern_net_apply32(op, e->at, (uint32_t)e->operand, (uint32_t)compare);
    return tern_net_apply64(op, e->at, e->operand, compare);
}

/* False: the answer has no room for the result. */
static bool carry_out(struct cursor *c, const struct entry *e)
{
    uint32_t words = e->op & TERN_ENTRY_FETCHES ? tern_entry_words(e->bytes) : 0;
    uint64_t old;

    if (tern_unlikely(words > c->room - c->result))
        return false;
    if (e->op == TERN_ENTRY_PUT) {
        tern_fence_stores(); /* after the entries before it: partner is a wait's acquire */
        tern_net_store(e->at, e->body, e->bytes);
    } else if (e->op == TERN_ENTRY_GET) {
        c->result[words - 1] = 0; /* pads the last word */
        tern_net_store(c->result, e->at, e->bytes);
    } else {
        old = apply(e);
        if (words)
            *c->result = old;
    }
    c->result += words;
    c->touched |= UINT64_C(1) << (e->pe & 63);
    return true;
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
    struct entry entries[AHEAD];
    uint64_t served = 0;
    unsigned n;

    while ((n = read_entries(&c, entries))) {
        unsigned done = 0;

        while (done < n && carry_out(&c, &entries[done]))
            done++;
        served += done;
        if (done < n)
            break;
    }
    ring(c.touched);
    tern_store_relaxed(&state.served, state.served + served);
    return (size_t)((char *)c.result - (char *)answer);
}
