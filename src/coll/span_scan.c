/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans between nodes. */
#include <stdlib.h>

#include "coll/span_table.h"
#include "coll/spanning.h"

/*
 *   small   The operands travel in the cells of one round. Where parts are runs of the team, the
 *           leaders tell each other their parts' totals, and each goes on from the sum of those
 *           before; where they interleave, all operands. Each works out its members' results.
 *   large   Slices, see fold.h, of the whole team, wherever parts lie: each member gets its slice
 * of all sources, runs through the team, and puts the running results to all.
 *
 * Steps: small: the logarithm of the number of parts; large: twice that, and a get and a put. Moved
 * per PE: small: its operand, and n or so operands per node; large: 1/n of each of n sources is
 * read, and of n dests written.
 */

struct scan {
    struct tern_team *team;
    const struct tern_fold *fold;
    bool inclusive;
};

/* The running result on its way through the team. */
struct run {
    const struct tern_fold *fold;
    bool inclusive, begun;
    struct tern_fold_operand sum;
};

/* Takes one more operand in, without a result. */
static void add(struct run *run, const void *operand)
{
    struct tern_fold_operand next;

    memcpy(next.bytes, operand, run->fold->bytes);
    if (run->begun)
        run->fold->kernel->combine(&run->sum, &run->sum, &next, run->fold->n);
    else
        run->sum = next;
    run->begun = true;
}

/* The member whose operand it is gets its result in place of it. */
static void serve(struct run *run, void *operand)
{
    struct tern_fold_operand before = run->sum;

    if (!run->begun)
        memset(&before, 0, sizeof before);
    add(run, operand);
    memcpy(operand, run->inclusive ? run->sum.bytes : before.bytes, run->fold->bytes);
}

static void serve_part(const struct scan *s, struct run *run)
{
    const struct tern_team *part = s->team->span->part;

    for (int i = 0; i < part->pes.size; i++)
        serve(run, tern_round_payload_to_change(part, i));
}

static void lead_consecutive(const struct scan *s)
{
    struct tern_span *span = s->team->span;
    struct run run = {.fold = s->fold, .inclusive = s->inclusive};
    struct tern_fold_operand total = tern_fold_operands(span->part, s->fold);
    const void **totals =
        tern_span_scratch((size_t)span->n_parts * sizeof *totals, s->fold->routine);
    struct tern_span_block block = {0};
    struct tern_span_blocks blocks;

    tern_span_allgather(s->team, total.bytes, s->fold->bytes, &blocks, s->fold->routine);
    while (tern_span_next(&blocks, &block))
        totals[block.part] = block.data;
    for (int part = 0; part < span->me; part++)
        add(&run, totals[part]);
    serve_part(s, &run);
    free(blocks.bytes);
    free(totals);
}

/* Runs through all operands in the order of the team. */
static void serve_among(const struct scan *s, const unsigned char *operands)
{
    const struct tern_team *part = s->team->span->part;
    const struct tern_pe_range *mine = &s->team->span->parts[s->team->span->me];
    struct run run = {.fold = s->fold, .inclusive = s->inclusive};
    int member = 0;

    for (int i = 0; i < part->pes.size; i++) {
        while (member < tern_pe_range_world(mine, i))
            add(&run, operands + (size_t)member++ * s->fold->bytes);
        serve(&run, tern_round_payload_to_change(part, i));
        member++;
    }
}

static void lead_interleaved(const struct scan *s)
{
    struct tern_span *span = s->team->span;
    size_t bytes = s->fold->bytes, n = (size_t)span->part->pes.size;
    unsigned char *mine = tern_span_scratch(n * bytes, s->fold->routine);
    unsigned char *all = tern_span_scratch((size_t)s->team->pes.size * bytes, s->fold->routine);
    struct tern_span_block block = {0};
    struct tern_span_blocks blocks;

    for (size_t i = 0; i < n; i++)
        memcpy(mine + i * bytes, tern_round_payload(span->part, (int)i), bytes);
    tern_span_allgather(s->team, mine, n * bytes, &blocks, s->fold->routine);
    while (tern_span_next(&blocks, &block)) {
        const struct tern_pe_range *members = &span->parts[block.part];

        for (int i = 0; i < members->size; i++)
            memcpy(all + (size_t)tern_pe_range_world(members, i) * bytes,
                   (const char *)block.data + (size_t)i * bytes, bytes);
    }
    serve_among(s, all);
    free(blocks.bytes);
    free(all);
    free(mine);
}

static void lead(void *arg)
{
    const struct scan *s = arg;

    if (s->team->span->interleaves)
        lead_interleaved(s);
    else
        lead_consecutive(s);
}

static void scan_small(struct scan *s, void *dest, const void *source)
{
    struct tern_team *part = s->team->span->part;

    tern_span_round(s->team, source, s->fold->bytes, lead, s, s->fold->routine);
    memcpy(dest, tern_round_payload(part, part->me), s->fold->bytes);
}

/* Far sources and results that are worked on at a time, together. */
#define SCRATCH ((size_t)4 << 20)

/* A large scan: a chunk of each member, in its own memory or here if that is far. */
struct chunks {
    const struct scan *scan;
    unsigned char **sources, **dests; /* by member */
    unsigned char *far;               /* the memory for those that are */
    unsigned char *sums[2];
    size_t most; /* the longest chunk */
};

static void open_chunks(struct chunks *c, size_t slice)
{
    const struct tern_team *team = c->scan->team;
    const char *routine = c->scan->fold->routine;
    size_t n = (size_t)team->pes.size, n_far = n - (size_t)team->span->part->pes.size;
    size_t room = SCRATCH / n_far & -(size_t)TERN_LINE;

    c->most = room < TERN_FOLD_CHUNK ? TERN_FOLD_CHUNK : room;
    c->most = c->most < slice ? c->most : slice;
    c->sources = tern_span_scratch(2 * n * sizeof *c->sources, routine);
    c->dests = c->sources + n;
    c->far = tern_span_scratch((n_far + 2) * c->most, routine);
    c->sums[0] = c->far + n_far * c->most;
    c->sums[1] = c->sums[0] + c->most;
}

static void close_chunks(struct chunks *c)
{
    free(c->far);
    free(c->sources);
}

static void get_chunk(struct chunks *c, size_t at, size_t bytes)
{
    struct tern_team *team = c->scan->team;
    const struct tern_fold *fold = c->scan->fold;
    unsigned char *far = c->far;

    for (int i = 0; i < team->pes.size; i++) {
        const struct tern_coll_entry *entry = tern_span_table(team, i);
        int pe = tern_pe_range_world(&team->pes, i);

        if (tern_span_is_far(team, i)) {
            c->sources[i] = c->dests[i] = far;
            tern_span_get(team, i, entry->source + at, far, bytes, fold->routine);
            far += c->most;
        } else {
            c->sources[i] = (unsigned char *)tern_place_at(entry->source, fold->bytes, pe, "source",
                                                           fold->routine) +
                            at;
            c->dests[i] = (unsigned char *)tern_place_at(entry->dest, fold->bytes, pe, "dest",
                                                         fold->routine) +
                          at;
        }
    }
    tern_span_quiet();
}

static void put_chunk(struct chunks *c, size_t at, size_t bytes)
{
    struct tern_team *team = c->scan->team;

    for (int i = 0; i < team->pes.size; i++)
        if (tern_span_is_far(team, i))
            tern_span_put(team, i, tern_span_table(team, i)->dest + at, c->dests[i], bytes,
                          c->scan->fold->routine);
    tern_span_quiet();
}

/* The result for a member takes the place of its source, or stands beside it. */
static void inclusive_chunk(struct chunks *c, size_t bytes)
{
    const struct tern_coll_kernel *kernel = c->scan->fold->kernel;

    if (c->dests[0] != c->sources[0])
        memcpy(c->dests[0], c->sources[0], bytes);
    for (int i = 1; i < c->scan->team->pes.size; i++)
        kernel->combine(c->dests[i], c->dests[i - 1], c->sources[i], bytes / kernel->size);
}

/* A dest may be its source, so the next result is made before this one is written. */
static void exclusive_chunk(struct chunks *c, size_t bytes)
{
    const struct tern_coll_kernel *kernel = c->scan->fold->kernel;

    memcpy(c->sums[1], c->sources[0], bytes);
    memset(c->dests[0], 0, bytes);
    for (int i = 1; i < c->scan->team->pes.size; i++) {
        const unsigned char *sum = c->sums[i % 2];

        kernel->combine(c->sums[(i + 1) % 2], sum, c->sources[i], bytes / kernel->size);
        memcpy(c->dests[i], sum, bytes);
    }
}

static void scan_large(struct scan *s, void *dest, const void *source)
{
    struct tern_fold_slice slice = tern_fold_slice_of(s->team, s->fold->bytes);
    struct chunks c = {.scan = s};

    open_chunks(&c, slice.end - slice.start);
    tern_span_table_enter(s->team, source, dest, s->fold->routine);
    for (size_t at = slice.start; at < slice.end; at += c.most) {
        size_t bytes = c.most < slice.end - at ? c.most : slice.end - at;

        get_chunk(&c, at, bytes);
        if (s->inclusive)
            inclusive_chunk(&c, bytes);
        else
            exclusive_chunk(&c, bytes);
        put_chunk(&c, at, bytes);
    }
    tern_team_sync(s->team, s->fold->routine);
    close_chunks(&c);
}

void tern_spanning_scan(struct tern_team *team, const struct tern_fold *fold, void *dest,
                        const void *source, bool inclusive)
{
    struct scan s = {team, fold, inclusive};

    if (fold->bytes <= TERN_SYNC_PAYLOAD)
        scan_small(&s, dest, source);
    else
        scan_large(&s, dest, source);
}
