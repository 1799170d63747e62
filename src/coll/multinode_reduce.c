/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions between nodes. */
#include <stdlib.h>

#include "coll/multinode.h"
#include "coll/multinode_table.h"

/*
 *   small    The operands travel in the cells of one round; each leader combines those of its part,
 *            then the leaders combine the parts', by recursive doubling.
 *   medium   Each member combines a slice of its part's sources into the leader's dest. The leaders
 *            combine those by recursive doubling, and the members copy the result.
 *   large    The same, but the leaders share the work as members of a node do: each combines one
 *            slice of the parts' results, which it gets from all, and puts the outcome to all.
 *
 * A dest may be its source: a slice is overwritten by the only one who reads it. The parts' results
 * are combined in one order, that of tern_span_fold(), in arrays of any length.
 *
 * Steps: the logarithm of the number of parts; large: twice that, and a get and a put. Moved per
 * node: small and medium: the array in and out, once a step; large: twice in and twice out, nearly.
 */
#define DOUBLING ((size_t)32768)

/* Other parts' slices that are worked on at a time, together. */
#define SCRATCH ((size_t)2 << 20)

struct reduction {
    struct tern_team *team;
    const struct tern_fold *fold;
    char *dest;
};

static void combine(void *out, const void *a, const void *b, const void *arg)
{
    const struct tern_fold *fold = arg;

    fold->kernel->combine(out, a, b, fold->n);
}

static void lead_small(void *arg)
{
    const struct reduction *r = arg;
    const struct tern_fold *fold = r->fold;
    struct tern_team *part = r->team->span->part;
    struct tern_fold_operand sum = tern_fold_operands(part, fold);

    tern_span_allreduce(r->team, sum.bytes, fold->bytes, combine, fold, fold->routine);
    memcpy(tern_round_result(part), sum.bytes, sizeof sum.bytes);
}

static void reduce_small(struct tern_team *team, const struct tern_fold *fold, void *dest,
                         const void *source)
{
    struct reduction r = {team, fold, dest};

    tern_span_round(team, source, fold->bytes, lead_small, &r, fold->routine);
    memcpy(dest, tern_round_result(team->span->part), fold->bytes);
}

/* The leaders' exchange of one large array. */
struct slices {
    const struct reduction *reduction;
    uint64_t *places; /* of the leaders' dests */
    size_t chunk;     /* bytes at a time */
    char *scratch;    /* n_parts - 1 chunks */
    void **values;    /* one chunk of each part */
};

static void exchange_places(struct slices *s)
{
    const struct reduction *r = s->reduction;
    uint64_t mine = tern_route_place(r->dest);
    struct tern_span_block block = {0};
    struct tern_span_blocks blocks;

    tern_span_allgather(r->team, &mine, sizeof mine, &blocks, r->fold->routine);
    while (tern_span_next(&blocks, &block))
        memcpy(&s->places[block.part], block.data, sizeof mine);
    free(blocks.bytes);
}

static void *far_dest(const struct slices *s, int part, size_t at)
{
    return (char *)tern_route_here(s->places[part]) + at;
}

/* Gets the other parts' chunks, combines them all and puts the result to all. */
static void combine_chunk(const struct slices *s, size_t at, size_t bytes)
{
    const struct reduction *r = s->reduction;
    const struct tern_span *span = r->team->span;
    struct tern_fold chunk = *r->fold;
    int n = span->n_parts;

    for (int k = 1; k < n; k++) {
        int part = (span->me + k) % n;

        s->values[part] = s->scratch + (size_t)(k - 1) * s->chunk;
        tern_net->get_nbi(NULL, s->values[part], far_dest(s, part, at), bytes,
                          tern_span_leader(r->team, part));
    }
    tern_span_quiet(); /* also what was put before, from this dest */
    s->values[span->me] = r->dest + at;
    chunk.n = bytes / chunk.kernel->size;
    tern_span_fold(s->values, n, combine, &chunk);
    if (span->me != 0)
        memcpy(r->dest + at, s->values[0], bytes);
    for (int k = 1; k < n; k++) {
        int part = (span->me + k) % n;

        tern_net->put_nbi(NULL, far_dest(s, part, at), r->dest + at, bytes,
                          tern_span_leader(r->team, part));
    }
}

static void combine_slices(const struct reduction *r)
{
    const struct tern_span *span = r->team->span;
    const char *routine = r->fold->routine;
    size_t n = (size_t)span->n_parts;
    struct tern_fold_slice slice = tern_fold_slice(span->n_parts, span->me, r->fold->bytes);
    size_t most = slice.end - slice.start, room = SCRATCH / (n - 1) & -(size_t)TERN_LINE;
    struct slices s = {.reduction = r};

    s.chunk = room < TERN_FOLD_CHUNK ? TERN_FOLD_CHUNK : room;
    s.chunk = s.chunk < most ? s.chunk : most;
    s.places = tern_span_scratch(n * sizeof *s.places, routine);
    s.values = tern_span_scratch(n * sizeof *s.values, routine);
    s.scratch = tern_span_scratch((n - 1) * s.chunk, routine);
    exchange_places(&s);
    for (size_t at = slice.start; at < slice.end; at += s.chunk)
        combine_chunk(&s, at, s.chunk < slice.end - at ? s.chunk : slice.end - at);
    tern_span_quiet();
    tern_span_barrier(r->team, NULL, 0, NULL, routine);
    free(s.scratch);
    free(s.values);
    free(s.places);
}

static void lead_large(void *arg)
{
    const struct reduction *r = arg;

    if (r->fold->bytes <= DOUBLING)
        tern_span_allreduce(r->team, r->dest, r->fold->bytes, combine, r->fold, r->fold->routine);
    else
        combine_slices(r);
}

static void reduce_large(struct tern_team *team, const struct tern_fold *fold, void *dest,
                         const void *source)
{
    struct tern_team *part = team->span->part;
    struct tern_fold_slice slice = tern_fold_slice_of(part, fold->bytes);
    struct reduction r = {team, fold, dest};
    char *leaders;

    tern_fold_enter(part, fold, dest, source);
    leaders = tern_fold_dest(part, fold, 0);
    for (size_t at = slice.start; at < slice.end; at += TERN_FOLD_CHUNK) {
        size_t left = slice.end - at;

        tern_fold_chunk(part, fold, at, left < TERN_FOLD_CHUNK ? left : TERN_FOLD_CHUNK,
                        leaders + at);
    }
    tern_span_round(team, NULL, 0, lead_large, &r, fold->routine);
    if (part->me != 0)
        memcpy(dest, leaders, fold->bytes);
    tern_round_leave(part, fold->routine);
}

void tern_spanning_reduce(struct tern_team *team, const struct tern_fold *fold, void *dest,
                          const void *source)
{
    if (fold->bytes <= TERN_SYNC_PAYLOAD)
        reduce_small(team, fold, dest, source);
    else
        reduce_large(team, fold, dest, source);
}
