/* SPDX-License-Identifier: BSD-3-Clause */
/* Alltoall and alltoalls between nodes. */
#include <stdlib.h>

#include "coll/multinode.h"
#include "coll/multinode_bundles.h"
#include "coll/multinode_table.h"
#include "coll/round.h"

/*
 *   small   The blocks from one node to another travel in one message between the leaders, who read
 *           them from their members' sources and write them to their members' dests, while the
 *           members wait. One round; a message to each other node. If there are many nodes and
 *           these messages are short, they are passed on in bundles: log k messages.
 *   large   Each member gets its block from each source, beginning with the next member so that not
 *           all read from the same PE. All gets are in progress at once. Two rounds.
 *
 * Moved per PE: n blocks, once.
 */
#define SMALL ((size_t)65536) /* between two nodes */

#define BUNDLE ((size_t)512) /* the longest that is passed on */
#define MANY_NODES 16

enum { BLOCKS = TERN_MULTINODE_STEPS };

/* Elements at equal distances, n of them in each block. */
struct grid {
    size_t n, size, stride; /* stride is in bytes */
};

static size_t block_bytes(const struct grid *g)
{
    return g->n * g->size;
}

static char *block_at(void *array, const struct grid *g, int block)
{
    return (char *)array + (size_t)block * g->n * g->stride;
}

static bool is_dense(const struct grid *g)
{
    return g->stride == g->size || g->n == 1;
}

/* The bytes from the first element to the end of the last one. */
static size_t extent_of(const struct grid *g)
{
    return (g->n - 1) * g->stride + g->size;
}

/* The same for all blocks of a team. */
static size_t extent_of_all(const struct grid *g, int n_blocks)
{
    return ((size_t)n_blocks * g->n - 1) * g->stride + g->size;
}

static void copy_block(char *to, size_t to_stride, const char *from, size_t from_stride,
                       const struct grid *g)
{
    if (g->n == 1 || (to_stride == g->size && from_stride == g->size)) {
        memcpy(to, from, block_bytes(g));
        return;
    }
    for (size_t i = 0; i < g->n; i++)
        memcpy(to + i * to_stride, from + i * from_stride, g->size);
}

struct exchange {
    struct tern_team *team;
    struct grid source, dest;
    const char *routine;
};

/* Returns the source or dest of a member of this part, for its leader to access. */
static void *array_of(const struct exchange *x, int part_member, bool dest)
{
    const struct tern_team *part = x->team->multinode->part;
    struct tern_coll_entry entry;

    memcpy(&entry, tern_round_payload(part, part_member), sizeof entry);
    return tern_symmetric_peer_address(
        dest ? entry.dest : entry.source,
        extent_of_all(dest ? &x->dest : &x->source, x->team->pes.size),
        tern_pe_range_world(&part->pes, part_member), dest ? "dest" : "source", x->routine);
}

static const struct tern_pe_range *members_of(const struct exchange *x, int part)
{
    return &x->team->multinode->parts[part];
}

/* Packs the blocks from this part's members to those of another part, sender by sender. */
static void pack(const struct exchange *x, int part, char *blocks)
{
    const struct tern_pe_range *to = members_of(x, part);

    for (int i = 0; i < x->team->multinode->part->pes.size; i++) {
        void *source = array_of(x, i, false);

        for (int k = 0; k < to->size; k++, blocks += block_bytes(&x->source))
            copy_block(blocks, x->source.size,
                       block_at(source, &x->source, tern_pe_range_world(to, k)), x->source.stride,
                       &x->source);
    }
}

static void unpack(const struct exchange *x, int part, const char *blocks)
{
    const struct tern_pe_range *from = members_of(x, part);
    int n = x->team->multinode->part->pes.size;

    for (int i = 0; i < n; i++) {
        void *dest = array_of(x, i, true);

        for (int k = 0; k < from->size; k++)
            copy_block(block_at(dest, &x->dest, tern_pe_range_world(from, k)), x->dest.stride,
                       blocks + (size_t)(k * n + i) * block_bytes(&x->dest), x->dest.size,
                       &x->dest);
    }
}

static size_t bytes_between(const struct exchange *x, int part)
{
    return (size_t)members_of(x, part)->size * (size_t)x->team->multinode->part->pes.size *
           block_bytes(&x->source);
}

/* The length of the longest message between two nodes. */
static size_t most_between(const struct exchange *x)
{
    size_t largest = (size_t)x->team->multinode->largest;

    return largest * largest * block_bytes(&x->source);
}

static void lead_in_bundles(const struct exchange *x)
{
    const struct tern_multinode *multinode = x->team->multinode;
    int me = multinode->me, n = multinode->n_parts;
    size_t room = most_between(x);
    char *bundles = tern_multinode_scratch((size_t)n * room, x->routine);

    memset(bundles, 0, (size_t)n * room); /* parts may differ in size */
    for (int k = 0; k < n; k++)
        pack(x, (me + k) % n, bundles + (size_t)k * room);
    tern_multinode_bundles_pass(x->team, (unsigned char *)bundles, room, x->routine);
    for (int k = 0; k < n; k++)
        unpack(x, (me + n - k) % n, bundles + (size_t)k * room);
    free(bundles);
}

static void lead_directly(const struct exchange *x)
{
    const struct tern_multinode *multinode = x->team->multinode;
    char *blocks = tern_multinode_scratch(SMALL, x->routine);

    for (int k = 1; k < multinode->n_parts; k++) {
        int part = (multinode->me + k) % multinode->n_parts;

        pack(x, part, blocks);
        tern_multinode_send(x->team, tern_multinode_leader(x->team, part), BLOCKS, blocks,
                            bytes_between(x, part));
    }
    pack(x, multinode->me, blocks);
    unpack(x, multinode->me, blocks);
    for (int k = 1; k < multinode->n_parts; k++) {
        int part = (multinode->me + multinode->n_parts - k) % multinode->n_parts;

        tern_multinode_await(x->team, part, BLOCKS, x->routine);
        tern_multinode_read(x->team, part, BLOCKS, blocks, SMALL, x->routine);
        unpack(x, part, blocks);
    }
    free(blocks);
}

static void lead(void *arg)
{
    const struct exchange *x = arg;

    if (x->team->multinode->n_parts >= MANY_NODES && most_between(x) <= BUNDLE)
        lead_in_bundles(x);
    else
        lead_directly(x);
}

/* Whether the blocks between any two nodes are few enough. All members get the same answer. */
static bool is_small(const struct exchange *x)
{
    size_t largest = (size_t)x->team->multinode->largest;

    return block_bytes(&x->source) <= SMALL / largest / largest;
}

static void exchange_small(struct exchange *x, void *dest, const void *source)
{
    struct tern_coll_entry mine = {tern_route_symmetric_offset(source),
                                   tern_route_symmetric_offset(dest)};

    tern_multinode_round(x->team, &mine, sizeof mine, lead, x, x->routine);
}

/*
 * Elements that are close together are fetched with the gaps between them, and unpacked here.
 * Elements that are far apart are fetched one by one.
 */
#define CLOSE 4
#define SCRATCH ((size_t)1 << 20)

struct fetch {
    const struct exchange *exchange;
    char *dest, *scratch;
    size_t room, extent;
    int *waiting; /* the members whose blocks are in the scratch memory, in that order */
    int n_waiting;
};

static void empty_scratch(struct fetch *f)
{
    const struct exchange *x = f->exchange;

    tern_multinode_quiet();
    for (int i = 0; i < f->n_waiting; i++)
        copy_block(block_at(f->dest, &x->dest, f->waiting[i]), x->dest.stride,
                   f->scratch + (size_t)i * f->extent, x->source.stride, &x->source);
    f->n_waiting = 0;
}

static void fetch_by_scratch(struct fetch *f, int member, uint64_t offset)
{
    if ((size_t)(f->n_waiting + 1) * f->extent > f->room)
        empty_scratch(f);
    tern_multinode_get(f->exchange->team, member, offset,
                       f->scratch + (size_t)f->n_waiting * f->extent, f->extent,
                       f->exchange->routine);
    f->waiting[f->n_waiting++] = member;
}

static void fetch_remote(struct fetch *f, int member, uint64_t offset)
{
    const struct exchange *x = f->exchange;
    char *dest = block_at(f->dest, &x->dest, member);

    if (is_dense(&x->source) && is_dense(&x->dest))
        tern_multinode_get(x->team, member, offset, dest, block_bytes(&x->source), x->routine);
    else if (f->scratch)
        fetch_by_scratch(f, member, offset);
    else
        for (size_t i = 0; i < x->source.n; i++)
            tern_multinode_get(x->team, member, offset + i * x->source.stride,
                               dest + i * x->dest.stride, x->source.size, x->routine);
}

static void fetch_local(struct fetch *f, int member, uint64_t offset)
{
    const struct exchange *x = f->exchange;
    const void *from = tern_symmetric_peer_address(offset, extent_of(&x->source),
                                                   tern_pe_range_world(&x->team->pes, member),
                                                   "source", x->routine);

    copy_block(block_at(f->dest, &x->dest, member), x->dest.stride, from, x->source.stride,
               &x->source);
}

static void open_scratch(struct fetch *f)
{
    const struct exchange *x = f->exchange;

    f->extent = extent_of(&x->source);
    if ((is_dense(&x->source) && is_dense(&x->dest)) || x->source.stride > CLOSE * x->source.size)
        return;
    f->room = f->extent > SCRATCH ? f->extent : SCRATCH;
    f->scratch = tern_multinode_scratch(f->room, x->routine);
    f->waiting = tern_multinode_scratch((size_t)x->team->pes.size * sizeof *f->waiting, x->routine);
}

static void exchange_large(const struct exchange *x, void *dest, const void *source)
{
    struct tern_team *team = x->team;
    size_t mine = (size_t)team->me * x->source.n * x->source.stride;
    struct fetch f = {.exchange = x, .dest = dest};
    int member = team->me;

    open_scratch(&f);
    tern_multinode_table_enter(team, source, dest, x->routine);
    for (int k = 0; k < team->pes.size; k++, member = tern_round_next(team, member)) {
        uint64_t offset = tern_multinode_table(team, member)->source + mine;

        if (tern_multinode_is_remote(team, member))
            fetch_remote(&f, member, offset);
        else
            fetch_local(&f, member, offset);
    }
    empty_scratch(&f);
    tern_team_sync(team, x->routine);
    free(f.waiting);
    free(f.scratch);
}

void tern_multinode_alltoalls(struct tern_team *team, void *dest, const void *source, size_t dst,
                              size_t sst, size_t n, size_t size, const char *routine)
{
    struct exchange x = {
        .team = team,
        .source = {n, size, sst * size},
        .dest = {n, size, dst * size},
        .routine = routine,
    };

    if (is_small(&x))
        exchange_small(&x, dest, source);
    else
        exchange_large(&x, dest, source);
}
