/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans between nodes. */
#include <stdlib.h>

#include "base/bytes.h"
#include "coll/multinode.h"
#include "coll/multinode_table.h"
#include "coll/prefix.h"

/*
 *   small   The leaders read their members' sources and write their dests, while the members wait.
 *           If parts are runs of consecutive members, the leaders exchange their parts' totals, and
 *           each continues from the sum of the parts before. If parts interleave, the leaders
 *           exchange all operands.
 *   large   Slices, see combine.h, of the whole team, however parts interleave: each member gets
 *           its slice of all sources, computes the running results in the order of the team, and
 *           puts them to all.
 *
 * A dest may be its source: an operand is used before the result overwrites it.
 *
 * Steps: the logarithm of the number of parts; for large arrays twice that, and a get and a put.
 * Moved: small arrays: from each node to each other, a total or all operands. Large arrays: each PE
 * reads 1/n of n sources, and writes 1/n of n dests.
 */
#define SMALL ((size_t)65536) /* all sources together */

struct scan {
    struct tern_team *team;
    const struct tern_combine *call;
    bool inclusive;
};

/* The running result of a small scan. Each of the three buffers has room for an operand. */
struct run {
    const struct scan *scan;
    bool begun;
    char *sum, *next, *before;
};

static struct run begin(const struct scan *s)
{
    size_t room = tern_bytes_round_up(s->call->bytes, TERN_LINE);
    struct run run = {.scan = s, .sum = tern_multinode_scratch(3 * room, s->call->routine)};

    run.next = run.sum + room;
    run.before = run.next + room;
    memset(run.sum, 0, s->call->bytes);
    return run;
}

/* Adds the next operand, of any alignment, to the running result. */
static void add(struct run *run, const void *operand)
{
    const struct tern_combine *call = run->scan->call;

    memcpy(run->begun ? run->next : run->sum, operand, call->bytes);
    if (run->begun)
        tern_reduction_combine(call->kernel, run->sum, run->sum, run->next, call->n);
    run->begun = true;
}

/* The same, and stores the result for the member whose operand it is. */
static void serve(struct run *run, const void *operand, void *result)
{
    size_t bytes = run->scan->call->bytes;

    if (!run->scan->inclusive)
        memcpy(run->before, run->sum, bytes);
    add(run, operand);
    memcpy(result, run->scan->inclusive ? run->sum : run->before, bytes);
}

/* Returns the source or dest of a member of this part. */
static void *array_of(const struct scan *s, int part_member, bool dest)
{
    const struct tern_team *part = s->team->multinode->part;
    struct tern_coll_entry entry;

    memcpy(&entry, tern_round_payload(part, part_member), sizeof entry);
    return tern_symmetric_peer_address(dest ? entry.dest : entry.source, s->call->bytes,
                                       tern_pe_range_world(&part->pes, part_member),
                                       dest ? "dest" : "source", s->call->routine);
}

static void lead_consecutive(const struct scan *s, struct run *run)
{
    struct tern_multinode *multinode = s->team->multinode;
    const void **totals =
        tern_multinode_scratch((size_t)multinode->n_parts * sizeof *totals, s->call->routine);
    struct tern_multinode_block block = {0};
    struct tern_multinode_blocks blocks;
    struct run total = begin(s);

    for (int i = 0; i < multinode->part->pes.size; i++)
        add(&total, array_of(s, i, false));
    tern_multinode_allgather(s->team, total.sum, s->call->bytes, &blocks, s->call->routine);
    while (tern_multinode_next(&blocks, &block))
        totals[block.part] = tern_multinode_data(&block, s->call->bytes, s->call->routine);
    for (int part = 0; part < multinode->me; part++)
        add(run, totals[part]);
    for (int i = 0; i < multinode->part->pes.size; i++)
        serve(run, array_of(s, i, false), array_of(s, i, true));
    free(total.sum);
    free(blocks.bytes);
    free(totals);
}

/* Copies the sources of this part's members, in the order of the team. */
static char *copy_of_sources(const struct scan *s)
{
    size_t bytes = s->call->bytes;
    int n = s->team->multinode->part->pes.size;
    char *sources = tern_multinode_scratch((size_t)n * bytes, s->call->routine);

    for (int i = 0; i < n; i++)
        memcpy(sources + (size_t)i * bytes, array_of(s, i, false), bytes);
    return sources;
}

static void set_sources(const struct scan *s, const struct tern_multinode_block *block, char *all)
{
    const struct tern_pe_range *members = &s->team->multinode->parts[block->part];
    size_t bytes = s->call->bytes;
    const char *sources =
        tern_multinode_data(block, (size_t)members->size * bytes, s->call->routine);

    for (int i = 0; i < members->size; i++)
        memcpy(all + (size_t)tern_pe_range_world(members, i) * bytes, sources + (size_t)i * bytes,
               bytes);
}

static void lead_interleaved(const struct scan *s, struct run *run)
{
    const struct tern_multinode *multinode = s->team->multinode;
    const struct tern_pe_range *mine = &multinode->parts[multinode->me];
    size_t bytes = s->call->bytes;
    char *all = tern_multinode_scratch((size_t)s->team->pes.size * bytes, s->call->routine);
    char *sources = copy_of_sources(s);
    struct tern_multinode_block block = {0};
    struct tern_multinode_blocks blocks;
    int member = 0;

    tern_multinode_allgather(s->team, sources, (size_t)mine->size * bytes, &blocks,
                             s->call->routine);
    while (tern_multinode_next(&blocks, &block))
        set_sources(s, &block, all);
    for (int i = 0; i < mine->size; i++) {
        for (; member < tern_pe_range_world(mine, i); member++)
            add(run, all + (size_t)member * bytes);
        serve(run, all + (size_t)member++ * bytes, array_of(s, i, true));
    }
    free(blocks.bytes);
    free(sources);
    free(all);
}

static void lead(void *arg)
{
    const struct scan *s = arg;
    struct run run = begin(s);

    if (s->team->multinode->interleaves)
        lead_interleaved(s, &run);
    else
        lead_consecutive(s, &run);
    free(run.sum);
}

static void scan_small(struct scan *s, void *dest, const void *source)
{
    struct tern_coll_entry mine = {tern_route_symmetric_offset(source),
                                   tern_route_symmetric_offset(dest)};

    tern_multinode_round(s->team, &mine, sizeof mine, lead, s, s->call->routine);
}

/* The bytes of remote sources and results that are held at a time. */
#define SCRATCH ((size_t)2 << 20)

/*
 * One chunk of each member's arrays in a large scan: in place if the member is on this node, or a
 * copy.
 */
struct chunks {
    const struct scan *scan;
    unsigned char **sources, **dests; /* by member */
    unsigned char *remote;            /* the memory for copies of remote chunks */
    unsigned char *sums[2];
    size_t most; /* the longest chunk */
};

static void open_chunks(struct chunks *c, size_t slice)
{
    const struct tern_team *team = c->scan->team;
    const char *routine = c->scan->call->routine;
    size_t n = (size_t)team->pes.size, n_remote = n - (size_t)team->multinode->part->pes.size;
    size_t room = SCRATCH / n_remote & -(size_t)TERN_LINE;

    c->most = room < TERN_COMBINE_CHUNK ? TERN_COMBINE_CHUNK : room;
    c->most = c->most < slice ? c->most : slice;
    c->sources = tern_multinode_scratch(2 * n * sizeof *c->sources, routine);
    c->dests = c->sources + n;
    c->remote = tern_multinode_scratch((n_remote + 2) * c->most, routine);
    c->sums[0] = c->remote + n_remote * c->most;
    c->sums[1] = c->sums[0] + c->most;
}

static void close_chunks(struct chunks *c)
{
    free(c->remote);
    free(c->sources);
}

static void get_chunk(struct chunks *c, size_t at, size_t bytes)
{
    struct tern_team *team = c->scan->team;
    const struct tern_combine *call = c->scan->call;
    unsigned char *remote = c->remote;

    for (int i = 0; i < team->pes.size; i++) {
        const struct tern_coll_entry *entry = tern_multinode_table(team, i);
        int pe = tern_pe_range_world(&team->pes, i);

        if (tern_multinode_is_remote(team, i)) {
            c->sources[i] = c->dests[i] = remote;
            tern_multinode_get(team, i, entry->source + at, remote, bytes, call->routine);
            remote += c->most;
        } else {
            c->sources[i] = (unsigned char *)tern_symmetric_peer_address(
                                entry->source, call->bytes, pe, "source", call->routine) +
                            at;
            c->dests[i] = (unsigned char *)tern_symmetric_peer_address(entry->dest, call->bytes, pe,
                                                                       "dest", call->routine) +
                          at;
        }
    }
    tern_multinode_quiet();
}

static void put_chunk(struct chunks *c, size_t at, size_t bytes)
{
    struct tern_team *team = c->scan->team;

    for (int i = 0; i < team->pes.size; i++)
        if (tern_multinode_is_remote(team, i))
            tern_multinode_put(team, i, tern_multinode_table(team, i)->dest + at, c->dests[i],
                               bytes, c->scan->call->routine);
    tern_multinode_quiet();
}

static void scan_chunk(struct chunks *c, size_t bytes)
{
    const struct scan *s = c->scan;
    struct tern_prefix prefix =
        tern_prefix_begin(s->call->kernel, bytes, s->inclusive, c->sums[0], c->sums[1]);
    int n = s->team->pes.size;

    for (int i = 0; i < n; i++)
        tern_prefix_next(&prefix, c->sources[i], c->dests[i], i == n - 1);
}

static void scan_large(struct scan *s, void *dest, const void *source)
{
    struct tern_combine_slice slice = tern_combine_slice_of(s->team, s->call->bytes);
    struct chunks c = {.scan = s};

    open_chunks(&c, slice.end - slice.start);
    tern_multinode_table_enter(s->team, source, dest, s->call->routine);
    for (size_t at = slice.start; at < slice.end; at += c.most) {
        size_t bytes = c.most < slice.end - at ? c.most : slice.end - at;

        get_chunk(&c, at, bytes);
        scan_chunk(&c, bytes);
        put_chunk(&c, at, bytes);
    }
    tern_team_sync(s->team, s->call->routine);
    close_chunks(&c);
}

void tern_multinode_scan(struct tern_team *team, const struct tern_combine *call, void *dest,
                         const void *source, bool inclusive)
{
    struct scan s = {team, call, inclusive};

    if (call->bytes <= SMALL / (size_t)team->pes.size)
        scan_small(&s, dest, source);
    else
        scan_large(&s, dest, source);
}
