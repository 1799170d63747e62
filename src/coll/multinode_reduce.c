/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions between nodes. */
#include <stdlib.h>

#include "coll/multinode.h"
#include "coll/multinode_table.h"

/*
 *   small    The operands travel in the cells of one round. Each leader combines those of its part,
 *            then the leaders combine the results by recursive doubling.
 *   medium   Each member combines a slice of its part's sources into the leader's dest. The leaders
 *            combine those by recursive doubling, and the members copy the result.
 *   large    As medium, but the leaders share the work as members of a node do: each gets one slice
 *            of all parts' results, combines them, and puts the outcome to all leaders.
 *
 * A dest may be its source: only the member that overwrites a slice reads it. The parts' results
 * are combined in the order of tern_multinode_combine_all(), in arrays of any length.
 *
 * Steps: the logarithm of the number of parts; for large arrays twice that, and a get and a put.
 * Moved per node: for small and medium arrays the array in and out, once a step; for large ones
 * nearly twice in and twice out.
 */
#define DOUBLING ((size_t)32768)

/* The bytes of other parts' slices that are combined at a time. */
#define SCRATCH ((size_t)2 << 20)

struct reduction {
    struct tern_team *team;
    const struct tern_combine *call;
    char *dest;
};

static void combine(void *out, const void *a, const void *b, const void *arg)
{
    const struct tern_combine *call = arg;

    tern_reduction_combine(call->kernel, out, a, b, call->n);
}

static void lead_small(void *arg)
{
    const struct reduction *r = arg;
    const struct tern_combine *call = r->call;
    struct tern_team *part = r->team->multinode->part;
    struct tern_combine_operand sum = tern_combine_operands(part, call);

    tern_multinode_allreduce(r->team, sum.bytes, call->bytes, combine, call, call->routine);
    memcpy(tern_round_result(part), sum.bytes, sizeof sum.bytes);
}

static void reduce_small(struct tern_team *team, const struct tern_combine *call, void *dest,
                         const void *source)
{
    struct reduction r = {team, call, dest};

    tern_multinode_round(team, source, call->bytes, lead_small, &r, call->routine);
    memcpy(dest, tern_round_result(team->multinode->part), call->bytes);
}

/* The leaders' combination of one large array. */
struct slices {
    const struct reduction *reduction;
    uint64_t *offsets; /* the leaders' dests, as symmetric offsets */
    size_t chunk;      /* bytes at a time */
    char *scratch;     /* n_parts - 1 chunks */
    void **values;     /* one chunk of each part */
};

static void exchange_offsets(struct slices *s)
{
    const struct reduction *r = s->reduction;
    uint64_t mine = tern_route_symmetric_offset(r->dest);
    struct tern_multinode_block block = {0};
    struct tern_multinode_blocks blocks;

    tern_multinode_allgather(r->team, &mine, sizeof mine, &blocks, r->call->routine);
    while (tern_multinode_next(&blocks, &block))
        memcpy(&s->offsets[block.part], tern_multinode_data(&block, sizeof mine, r->call->routine),
               sizeof mine);
    free(blocks.bytes);
}

/* Gets the other parts' chunks, combines all chunks, and puts the result to all leaders. */
static void combine_chunk(const struct slices *s, size_t at, size_t bytes)
{
    const struct reduction *r = s->reduction;
    const struct tern_multinode *multinode = r->team->multinode;
    struct tern_combine chunk = *r->call;
    int n = multinode->n_parts;

    for (int k = 1; k < n; k++) {
        int part = (multinode->me + k) % n;

        s->values[part] = s->scratch + (size_t)(k - 1) * s->chunk;
        tern_net->get_nbi(NULL, s->values[part], s->offsets[part] + at, bytes,
                          tern_multinode_leader(r->team, part));
    }
    tern_multinode_quiet(); /* also completes earlier puts from this dest */
    s->values[multinode->me] = r->dest + at;
    chunk.n = bytes / chunk.kernel->size;
    tern_multinode_combine_all(s->values, n, combine, &chunk);
    if (multinode->me != 0)
        memcpy(r->dest + at, s->values[0], bytes);
    for (int k = 1; k < n; k++) {
        int part = (multinode->me + k) % n;

        tern_net->put_nbi(NULL, s->offsets[part] + at, r->dest + at, bytes,
                          tern_multinode_leader(r->team, part));
    }
}

static void combine_slices(const struct reduction *r)
{
    const struct tern_multinode *multinode = r->team->multinode;
    const char *routine = r->call->routine;
    size_t n = (size_t)multinode->n_parts;
    struct tern_combine_slice slice =
        tern_combine_slice(multinode->n_parts, multinode->me, r->call->bytes);
    size_t most = slice.end - slice.start, room = SCRATCH / (n - 1) & -(size_t)TERN_LINE;
    struct slices s = {.reduction = r};

    s.chunk = room < TERN_COMBINE_CHUNK ? TERN_COMBINE_CHUNK : room;
    s.chunk = s.chunk < most ? s.chunk : most;
    s.offsets = tern_multinode_scratch(n * sizeof *s.offsets, routine);
    s.values = tern_multinode_scratch(n * sizeof *s.values, routine);
    s.scratch = tern_multinode_scratch((n - 1) * s.chunk, routine);
    exchange_offsets(&s);
    for (size_t at = slice.start; at < slice.end; at += s.chunk)
        combine_chunk(&s, at, s.chunk < slice.end - at ? s.chunk : slice.end - at);
    tern_multinode_quiet();
    tern_multinode_barrier(r->team, NULL, 0, NULL, routine);
    free(s.scratch);
    free(s.values);
    free(s.offsets);
}

static void lead_large(void *arg)
{
    const struct reduction *r = arg;

    if (r->call->bytes <= DOUBLING)
        tern_multinode_allreduce(r->team, r->dest, r->call->bytes, combine, r->call,
                                 r->call->routine);
    else
        combine_slices(r);
}

static void reduce_large(struct tern_team *team, const struct tern_combine *call, void *dest,
                         const void *source)
{
    struct tern_team *part = team->multinode->part;
    struct tern_combine_slice slice = tern_combine_slice_of(part, call->bytes);
    struct reduction r = {team, call, dest};
    char *leaders;

    tern_combine_enter(part, call, dest, source);
    leaders = tern_combine_dest(part, call, 0);
    for (size_t at = slice.start; at < slice.end; at += TERN_COMBINE_CHUNK) {
        size_t left = slice.end - at;

        tern_combine_chunk(part, call, at, left < TERN_COMBINE_CHUNK ? left : TERN_COMBINE_CHUNK,
                           leaders + at);
    }
    tern_multinode_round(team, NULL, 0, lead_large, &r, call->routine);
    if (part->me != 0)
        memcpy(dest, leaders, call->bytes);
    tern_round_leave(part, call->routine);
}

void tern_multinode_reduce(struct tern_team *team, const struct tern_combine *call, void *dest,
                           const void *source)
{
    if (call->bytes <= TERN_SYNC_PAYLOAD)
        reduce_small(team, call, dest, source);
    else
        reduce_large(team, call, dest, source);
}
