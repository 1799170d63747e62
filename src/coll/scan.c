/* SPDX-License-Identifier: BSD-3-Clause */
/* Inclusive and exclusive scans on one node. */
#include "coll/coll.h"

#include "base/copy.h"
#include "coll/combine.h"
#include "coll/multinode.h"
#include "coll/prefix.h"

/*
 *   small   The operands travel in the cells of one round. If all wait for the last member to
 *           arrive, that member computes the running results while they wait. Otherwise each member
 *           combines the operands that it needs. Moved per PE: its operand, and one result or up to
 *           n operands.
 *   medium  The last member to arrive computes all results, where that takes less time than a
 *           second round.
 *   large   Slices, see combine.h, between two rounds: arrays are accessed only after all members
 *           have entered, and before the first one leaves. Each member computes the running results
 *           of its slice in the order of the team, and writes them to all dests. Moved per PE: 1/n
 *           of each of n sources is read, and of n dests written.
 */

/* Combines the first `members` operands; at least one. */
static struct tern_combine_operand combine_first(const struct tern_team *team,
                                                 const struct tern_combine *call, int members)
{
    struct tern_combine_operand sum = tern_combine_operand_of(team, 0);

    for (int i = 1; i < members; i++) {
        struct tern_combine_operand next = tern_combine_operand_of(team, i);

        tern_reduction_combine(call->kernel, &sum, &sum, &next, call->n);
    }
    return sum;
}

static void run_for_all(struct tern_team *team, const void *arg)
{
    const struct tern_combine *call = arg;
    struct tern_combine_operand sum = tern_combine_operand_of(team, 0);

    for (int i = 1; i < team->pes.size; i++) {
        struct tern_combine_operand next = tern_combine_operand_of(team, i);

        tern_reduction_combine(call->kernel, &sum, &sum, &next, call->n);
        memcpy(tern_round_payload_to_change(team, i), sum.bytes, sizeof sum.bytes);
    }
}

static void scan_small(struct tern_team *team, const struct tern_combine *call, void *dest,
                       const void *source, bool inclusive)
{
    int members = team->me + inclusive; /* whose operands are in this one's result */

    tern_round_enter_finish(team, source, call->bytes, run_for_all, call, call->routine);
    if (!members) {
        memset(dest, 0, call->bytes);
    } else if (tern_round_is_finished(team)) {
        tern_copy(dest, tern_round_payload(team, members - 1), call->bytes);
    } else {
        struct tern_combine_operand sum = combine_first(team, call, members);

        tern_copy(dest, sum.bytes, call->bytes);
    }
}

/* Scans the chunk of `bytes` bytes at offset `at` of every array. */
static void scan_chunk(const struct tern_team *team, const struct tern_combine *call, size_t at,
                       size_t bytes, bool inclusive)
{
    unsigned char scratch[2][TERN_COMBINE_CHUNK] TERN_ALIGNED(TERN_LINE);
    struct tern_prefix prefix =
        tern_prefix_begin(call->kernel, bytes, inclusive, scratch[0], scratch[1]);

    for (int i = 0; i < team->pes.size; i++)
        tern_prefix_next(&prefix, tern_combine_source(team, call, i) + at,
                         tern_combine_dest(team, call, i) + at, i == team->pes.size - 1);
}

static void scan_slice(const struct tern_team *team, const struct tern_combine *call,
                       struct tern_combine_slice slice, bool inclusive)
{
    for (size_t at = slice.start; at < slice.end; at += TERN_COMBINE_CHUNK) {
        size_t left = slice.end - at;
        size_t bytes = left < TERN_COMBINE_CHUNK ? left : TERN_COMBINE_CHUNK;

        scan_chunk(team, call, at, bytes, inclusive);
    }
}

struct scan {
    const struct tern_combine *call;
    bool inclusive;
};

static void scan_for_all(struct tern_team *team, const void *arg)
{
    const struct scan *scan = arg;

    scan_slice(team, scan->call, (struct tern_combine_slice){0, scan->call->bytes},
               scan->inclusive);
}

static void scan_medium(struct tern_team *team, const struct tern_combine *call, void *dest,
                        const void *source, bool inclusive)
{
    struct tern_combine_share share = tern_combine_share_of(dest, source);
    struct scan scan = {call, inclusive};

    tern_round_enter_finish(team, &share, sizeof share, scan_for_all, &scan, call->routine);
}

static void scan_large(struct tern_team *team, const struct tern_combine *call, void *dest,
                       const void *source, bool inclusive)
{
    tern_combine_enter(team, call, dest, source);
    scan_slice(team, call, tern_combine_slice_of(team, call->bytes), inclusive);
    tern_round_leave(team, call->routine);
}

void tern_coll_scan(struct tern_team *team, void *dest, const void *source, size_t n,
                    const struct tern_reduction_kernel *kernel, bool inclusive, const char *routine)
{
    struct tern_combine call = tern_combine_begin(dest, source, n, kernel, routine);

    if (!n)
        tern_coll_sync(team, routine);
    else if (team->multinode)
        tern_multinode_scan(team, &call, dest, source, inclusive);
    else if (tern_sync_in_cells(call.bytes))
        scan_small(team, &call, dest, source, inclusive);
    else if (call.bytes <= tern_round_most_finished(team))
        scan_medium(team, &call, dest, source, inclusive);
    else
        scan_large(team, &call, dest, source, inclusive);
}
