/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions on one node. */
#include "coll/coll.h"

#include "base/copy.h"
#include "coll/combine.h"
#include "coll/multinode.h"

/*
 *   small   The operands travel in the cells of one round. If all wait for the last member to
 *           arrive, that member combines them for all while they wait. Otherwise each member
 *           combines them itself, without a further exchange. Moved per PE: its operand, and one
 *           result or n operands.
 *   medium  The last member to arrive combines the arrays for all, where that takes less time than
 *           a second round.
 *   large   Slices, see combine.h, between two rounds: arrays are accessed only after all members
 *           have entered, and before the first one leaves. Moved per PE: 1/n of each of n sources
 *           is read, and of n dests written.
 */
static void combine_for_all(struct tern_team *team, const void *call)
{
    struct tern_combine_operand sum = tern_combine_operands(team, call);

    memcpy(tern_round_result(team), sum.bytes, sizeof sum.bytes);
}

static void reduce_small(struct tern_team *team, const struct tern_combine *call, void *dest,
                         const void *source)
{
    tern_round_enter_finish(team, source, call->bytes, combine_for_all, call, call->routine);
    if (tern_round_is_finished(team)) {
        tern_copy(dest, tern_round_result(team), call->bytes);
    } else {
        struct tern_combine_operand sum = tern_combine_operands(team, call);

        tern_copy(dest, sum.bytes, call->bytes);
    }
}

/* Combines the chunk into this PE's dest, then copies it to the others. */
static void reduce_chunk(const struct tern_team *team, const struct tern_combine *call, size_t at,
                         size_t bytes)
{
    char *mine = tern_combine_dest(team, call, team->me) + at;

    tern_combine_chunk(team, call, at, bytes, mine);
    for (int i = tern_round_next(team, team->me); i != team->me; i = tern_round_next(team, i))
        tern_copy(tern_combine_dest(team, call, i) + at, mine, bytes);
}

static void reduce_slice(const struct tern_team *team, const struct tern_combine *call,
                         struct tern_combine_slice slice)
{
    for (size_t at = slice.start; at < slice.end; at += TERN_COMBINE_CHUNK) {
        size_t left = slice.end - at;

        reduce_chunk(team, call, at, left < TERN_COMBINE_CHUNK ? left : TERN_COMBINE_CHUNK);
    }
}

static void reduce_for_all(struct tern_team *team, const void *arg)
{
    const struct tern_combine *call = arg;

    reduce_slice(team, call, (struct tern_combine_slice){0, call->bytes});
}

static void reduce_medium(struct tern_team *team, const struct tern_combine *call, void *dest,
                          const void *source)
{
    struct tern_combine_share share = tern_combine_share_of(dest, source);

    tern_round_enter_finish(team, &share, sizeof share, reduce_for_all, call, call->routine);
}

static void reduce_large(struct tern_team *team, const struct tern_combine *call, void *dest,
                         const void *source)
{
    tern_combine_enter(team, call, dest, source);
    reduce_slice(team, call, tern_combine_slice_of(team, call->bytes));
    tern_round_leave(team, call->routine);
}

void tern_coll_reduce(struct tern_team *team, void *dest, const void *source, size_t n,
                      const struct tern_reduction_kernel *kernel, const char *routine)
{
    struct tern_combine call = tern_combine_begin(dest, source, n, kernel, routine);

    if (!n)
        tern_coll_sync(team, routine);
    else if (team->pes.size == 1)
        memmove(dest, source, call.bytes);
    else if (team->multinode)
        tern_multinode_reduce(team, &call, dest, source);
    else if (tern_sync_in_cells(call.bytes))
        reduce_small(team, &call, dest, source);
    else if (call.bytes <= tern_round_most_finished(team))
        reduce_medium(team, &call, dest, source);
    else
        reduce_large(team, &call, dest, source);
}
