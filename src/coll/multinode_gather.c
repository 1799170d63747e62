/* SPDX-License-Identifier: BSD-3-Clause */
/* Collect and fcollect between nodes. */
#include <stdlib.h>

#include "base/atomics.h"
#include "base/bytes.h"
#include "base/log.h"
#include "coll/multinode.h"
#include "coll/multinode_table.h"
#include "coll/round.h"

/*
 * The leaders exchange the lengths and symmetric offsets of all blocks, in a logarithmic number of
 * steps.
 *
 *   short blocks   travel with the lengths into the leader's dest, and the members of its part copy
 *                  them from there.
 *   other blocks   are fetched from their sources, each by one member of a part. When all have
 *                  arrived, the other members copy each block from that member's dest. So a block
 *                  is sent to each node once, and a part's members share the work.
 *
 * Blocks of the same node are copied from their sources. Moved per PE: n blocks. Moved per node
 * over the network: the other nodes' blocks in.
 */
#define SHORT ((size_t)32768) /* of all members of a part together */

struct share {
    uint64_t bytes, source, dest;
};

/* The record of a block that is sent to other leaders. In the table, dest holds the length. */
#define RECORD_ALIGNMENT sizeof(struct tern_coll_entry)

struct gather {
    struct tern_team *team;
    char *dest;
    const char *routine;
    size_t *offsets;    /* offsets of the members' blocks in dest, then the total length */
    const char **dests; /* the dests of this part's members */
    bool all_short;
};

static bool is_short(const struct gather *g, size_t bytes)
{
    return bytes <= SHORT / (size_t)g->team->multinode->largest;
}

/* The length of a block's record in its part's message. */
static size_t inline_bytes(const struct gather *g, size_t bytes)
{
    return !is_short(g, bytes) ? 0 : tern_bytes_round_up(bytes, RECORD_ALIGNMENT);
}

static struct share share_of(const struct gather *g, int part_member)
{
    struct share share;

    memcpy(&share, tern_round_payload(g->team->multinode->part, part_member), sizeof share);
    return share;
}

static TERN_COLD void changed(const struct gather *g, int member)
{
    tern_fatal(g->routine, "PE %d has changed its length during the call",
               tern_pe_range_world(&g->team->pes, member));
}

/* Packs this part's records into one piece of memory. */
static char *pack(const struct gather *g, size_t *packed)
{
    const struct tern_team *part = g->team->multinode->part;
    int n = part->pes.size;
    struct share *shares = tern_multinode_scratch((size_t)n * sizeof *shares, g->routine);
    size_t bytes = 0;
    char *records, *at;

    for (int i = 0; i < n; i++) {
        shares[i] = share_of(g, i); /* once: their members can write them at any time */
        bytes += sizeof(struct tern_coll_entry) + inline_bytes(g, shares[i].bytes);
    }
    at = records = tern_multinode_scratch(bytes, g->routine);
    for (int i = 0; i < n; i++) {
        struct tern_coll_entry entry = {shares[i].source, shares[i].bytes};
        size_t inlined = inline_bytes(g, entry.dest);

        memcpy(at, &entry, sizeof entry);
        at += sizeof entry;
        if (inlined) {
            const void *source = tern_symmetric_peer_address(
                entry.source, entry.dest, tern_pe_range_world(&part->pes, i), "source", g->routine);

            memset(at + inlined - RECORD_ALIGNMENT, 0, RECORD_ALIGNMENT);
            memcpy(at, source, entry.dest);
        }
        at += inlined;
    }
    free(shares);
    *packed = bytes;
    return records;
}

/* What find_offsets() found, and checked dest for. The table may have changed since. */
static size_t length_of(const struct gather *g, int member)
{
    return g->offsets[member + 1] - g->offsets[member];
}

/* Takes so many bytes of a block. The sender's lengths are not trusted. */
static const char *take(const struct gather *g, const struct tern_multinode_block *block,
                        size_t *at, size_t bytes)
{
    const char *data = (const char *)block->data + *at;

    if (bytes > block->bytes - *at)
        tern_fatal(g->routine,
                   "members on another node have sent %zu bytes, but this PE expects more: all "
                   "members must make the same collective calls",
                   block->bytes);
    *at += bytes;
    return data;
}

/* Unpacks a part's records: stores each block's table entry, and the data of short blocks. */
static void unpack(const struct gather *g, const struct tern_multinode_block *block, bool data)
{
    const struct tern_pe_range *members = &g->team->multinode->parts[block->part];
    size_t at = 0;

    for (int i = 0; i < members->size; i++) {
        int member = tern_pe_range_world(members, i);
        struct tern_coll_entry entry;
        const char *inlined;

        memcpy(&entry, take(g, block, &at, sizeof entry), sizeof entry);
        inlined = take(g, block, &at, inline_bytes(g, entry.dest));
        if (!data)
            g->team->coll->table[member] = entry;
        else if (entry.dest != length_of(g, member))
            changed(g, member);
        else if (inline_bytes(g, entry.dest))
            memcpy(g->dest + g->offsets[member], inlined, entry.dest);
    }
}

/* Computes the offsets from the table, and checks that dest has room for all blocks. */
static void find_offsets(struct gather *g)
{
    int n = g->team->pes.size;

    g->offsets = tern_multinode_scratch(((size_t)n + 1) * sizeof *g->offsets, g->routine);
    g->offsets[0] = 0;
    g->all_short = true;
    for (int i = 0; i < n; i++) {
        size_t bytes = tern_load_relaxed(&tern_multinode_table(g->team, i)->dest);

        if (__builtin_add_overflow(g->offsets[i], bytes, &g->offsets[i + 1]))
            g->offsets[i + 1] = SIZE_MAX; /* no segment is that long, so the check fails */
        g->all_short &= is_short(g, bytes);
    }
    tern_symmetric_check(g->dest, g->offsets[n], "dest", g->routine);
}

/* Copies the entries that this part's members have published, before they are overwritten. */
static void find_dests(struct gather *g)
{
    const struct tern_team *part = g->team->multinode->part;
    size_t bytes = g->offsets[g->team->pes.size];

    g->dests = tern_multinode_scratch((size_t)part->pes.size * sizeof *g->dests, g->routine);
    for (int i = 0; i < part->pes.size; i++)
        g->dests[i] = tern_symmetric_peer_address(
            share_of(g, i).dest, bytes, tern_pe_range_world(&part->pes, i), "dest", g->routine);
}

static void lead(void *arg)
{
    struct gather *g = arg;
    struct tern_multinode_block block = {0};
    struct tern_multinode_blocks blocks;
    size_t bytes;
    char *mine = pack(g, &bytes);

    tern_multinode_allgather(g->team, mine, bytes, &blocks, g->routine);
    while (tern_multinode_next(&blocks, &block))
        unpack(g, &block, false);
    find_offsets(g);
    block = (struct tern_multinode_block){0};
    while (tern_multinode_next(&blocks, &block))
        if (block.part != g->team->multinode->me)
            unpack(g, &block, true);
    free(blocks.bytes);
    free(mine);
}

/* Calls visit for each block of other nodes, beginning with the next node. */
static void each_remote_block(const struct gather *g,
                              void (*visit)(const struct gather *g, int member, size_t bytes,
                                            int fetcher))
{
    const struct tern_multinode *multinode = g->team->multinode;
    int turn = 0;

    for (int k = 1; k < multinode->n_parts; k++) {
        const struct tern_pe_range *members =
            &multinode->parts[(multinode->me + k) % multinode->n_parts];

        for (int i = 0; i < members->size; i++) {
            int member = tern_pe_range_world(members, i);
            size_t bytes = length_of(g, member);

            if (!is_short(g, bytes))
                visit(g, member, bytes, turn++ % multinode->part->pes.size);
            else if (bytes)
                visit(g, member, bytes, 0);
        }
    }
}

static void fetch(const struct gather *g, int member, size_t bytes, int fetcher)
{
    if (!is_short(g, bytes) && fetcher == g->team->multinode->part->me)
        tern_multinode_get(g->team, member, tern_multinode_table(g->team, member)->source,
                           g->dest + g->offsets[member], bytes, g->routine);
}

static void copy_fetched(const struct gather *g, int member, size_t bytes, int fetcher)
{
    size_t offset = g->offsets[member];

    if (fetcher != g->team->multinode->part->me)
        memcpy(g->dest + offset, g->dests[fetcher] + offset, bytes);
}

static void copy_local(const struct gather *g)
{
    const struct tern_team *part = g->team->multinode->part;

    for (int k = 0, i = part->me; k < part->pes.size; k++, i = tern_round_next(part, i)) {
        int member = tern_pe_range_world(&g->team->multinode->parts[g->team->multinode->me], i);
        struct share share = share_of(g, i);

        if (share.bytes != length_of(g, member))
            changed(g, member);
        if (share.bytes)
            memcpy(g->dest + g->offsets[member],
                   tern_symmetric_peer_address(share.source, share.bytes,
                                               tern_pe_range_world(&part->pes, i), "source",
                                               g->routine),
                   share.bytes);
    }
}

void tern_multinode_collect(struct tern_team *team, void *dest, const void *source, size_t bytes,
                            const char *routine)
{
    struct share mine = {bytes, tern_route_symmetric_offset(source),
                         tern_route_symmetric_offset(dest)};
    struct gather g = {.team = team, .dest = dest, .routine = routine};

    tern_multinode_round(team, &mine, sizeof mine, lead, &g, routine);
    if (!g.offsets)
        find_offsets(&g);
    find_dests(&g);
    if (!g.all_short)
        each_remote_block(&g, fetch);
    copy_local(&g);
    if (!g.all_short) {
        tern_multinode_quiet();
        tern_round_leave(team->multinode->part, routine); /* remote blocks have arrived */
    }
    each_remote_block(&g, copy_fetched);
    if (g.all_short)
        tern_round_leave(team->multinode->part, routine);
    else
        tern_team_sync(team, routine);
    free(g.dests);
    free(g.offsets);
}
