/* SPDX-License-Identifier: BSD-3-Clause */
/* Collect and fcollect: every member gets the blocks of all members, in the order of the team. */
#include "coll/coll.h"

#include "base/atomics.h"
#include "base/copy.h"
#include "base/log.h"
#include "coll/multinode.h"
#include "coll/pull.h"
#include "coll/round.h"
#include "coll/symmetric.h"

/*
 *   small blocks   travel in the cells of one round; each member copies them out. Moved per PE: its
 *                  block once, and n blocks.
 *   large blocks   stay in their sources: each member copies all blocks into its own dest. In
 *                  fcollect see pull.h; in collect, where only all lengths together tell where a
 *                  block goes, between two rounds. Moved per PE: n blocks, once.
 *
 * Each dest is written by its owner only, so no further synchronization is needed.
 */

/* The room in a cell beside the length, which in collect may differ between members. */
#define SHORT_BLOCK (TERN_SYNC_PAYLOAD - sizeof(uint64_t))

static bool is_short(size_t bytes)
{
    return bytes <= SHORT_BLOCK && tern_sync_in_cells(bytes);
}

struct collect_share {
    uint64_t bytes;
    union {
        uint64_t offset;
        unsigned char data[SHORT_BLOCK];
    };
};

_Static_assert(sizeof(struct collect_share) == TERN_SYNC_PAYLOAD, "fits into a cell");

static void copy_block(struct tern_team *team, int member, void *to, uint64_t offset, size_t bytes,
                       const char *routine)
{
    int pe = tern_pe_range_world(&team->pes, member);

    tern_copy(to, tern_symmetric_peer_address(offset, bytes, pe, "source", routine), bytes);
}

static void fcollect_small(struct tern_team *team, char *dest, const void *source, size_t bytes,
                           const char *routine)
{
    tern_round_enter(team, source, bytes, routine);
    for (int i = 0; i < team->pes.size; i++)
        tern_copy(dest + (size_t)i * bytes, tern_round_payload(team, i), bytes);
}

static void pull_block(const struct tern_team *team, const struct tern_pull *pull, int from, int to)
{
    tern_copy(tern_pull_dest(team, pull, to) + (size_t)from * pull->block,
              tern_pull_source(team, pull, from), pull->block);
}

static void fcollect_large(struct tern_team *team, void *dest, const void *source, size_t bytes,
                           const char *routine)
{
    size_t all = (size_t)team->pes.size * bytes;

    tern_pull(team, &(struct tern_pull){
                        .source = source,
                        .dest = dest,
                        .source_bytes = bytes,
                        .dest_bytes = all,
                        .bytes = all,
                        .copy = pull_block,
                        .block = bytes,
                        .routine = routine,
                    });
}

void tern_coll_fcollect(struct tern_team *team, void *dest, const void *source, size_t bytes,
                        const char *routine)
{
    size_t total;

    if (__builtin_mul_overflow(bytes, (size_t)team->pes.size, &total))
        total = SIZE_MAX; /* no segment is that long, so the check fails */
    tern_symmetric_check(source, bytes, "source", routine);
    tern_symmetric_check(dest, total, "dest", routine);
    if (!bytes)
        tern_coll_sync(team, routine);
    else if (team->multinode)
        tern_multinode_collect(team, dest, source, bytes, routine);
    else if (tern_sync_in_cells(bytes))
        fcollect_small(team, dest, source, bytes, routine);
    else
        fcollect_large(team, dest, source, bytes, routine);
}

/* The length of all blocks, the length of those before this PE's, and whether all are short. */
struct collect_sum {
    size_t total, before_me;
    bool all_short;
};

static struct collect_sum add_up(struct tern_team *team)
{
    struct collect_sum sum = {.all_short = true};

    for (int i = 0; i < team->pes.size; i++) {
        const struct collect_share *share = tern_round_payload(team, i);

        size_t bytes = tern_load_relaxed(&share->bytes);

        if (i == team->me)
            sum.before_me = sum.total;
        if (__builtin_add_overflow(sum.total, bytes, &sum.total))
            sum.total = SIZE_MAX;
        sum.all_short &= is_short(bytes);
    }
    return sum;
}

void tern_coll_collect(struct tern_team *team, void *dest, const void *source, size_t bytes,
                       const char *routine)
{
    struct collect_share mine = {.bytes = bytes};
    struct collect_sum sum;
    size_t at;

    tern_symmetric_check(source, bytes, "source", routine);
    if (team->multinode) {
        tern_multinode_collect(team, dest, source, bytes, routine);
        return;
    }
    if (!is_short(bytes))
        mine.offset = tern_route_symmetric_offset(source);
    else if (bytes)
        tern_copy(mine.data, source, bytes);
    tern_round_enter(team, &mine, sizeof mine, routine);

    sum = add_up(team);
    tern_symmetric_check(dest, sum.total, "dest", routine);
    at = sum.before_me;
    for (int k = 0, i = team->me; k < team->pes.size; k++, i = tern_round_next(team, i)) {
        const struct collect_share *share = tern_round_payload(team, i);

        size_t length = tern_load_relaxed(&share->bytes);

        if (i == 0)
            at = 0;
        if (length > sum.total - at) /* the checked length; a member has changed its own */
            tern_fatal(routine, "PE %d has changed its length during the call",
                       tern_pe_range_world(&team->pes, i));
        if (!is_short(length))
            copy_block(team, i, (char *)dest + at, share->offset, length, routine);
        else if (length)
            tern_copy((char *)dest + at, share->data, length);
        at += length;
    }
    if (!sum.all_short)
        tern_round_leave(team, routine);
}
