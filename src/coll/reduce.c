/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions. */
#include "coll/coll.h"

#include "base/copy.h"
#include "coll/combine.h"
#include "coll/multinode.h"

/*
 *   small   The operands travel in the cells of one round. Where all wait for the last member to
 *           arrive, that one combines them for all while they wait; otherwise each member combines
 *           them by itself, which takes no further exchange. Moved per PE: its operand, and one
 *           result or n operands.
 *   large   Slices, see combine.h, between two rounds: nothing is read or written before all have
 *           entered, nor after one has left. Moved per PE: 1/n of each of n sources is read, and of
 *           n dests written.
 */
static void combine_for_all(struct tern_team *team, const void *fold)
{
    struct tern_fold_operand sum = tern_fold_operands(team, fold);

    memcpy(tern_round_result(team), sum.bytes, sizeof sum.bytes);
}

static void reduce_small(struct tern_team *team, const struct tern_fold *fold, void *dest,
                         const void *source)
{
    tern_round_enter_finish(team, source, fold->bytes, combine_for_all, fold, fold->routine);
    if (tern_round_is_finished(team)) {
        tern_copy(dest, tern_round_result(team), fold->bytes);
    } else {
        struct tern_fold_operand sum = tern_fold_operands(team, fold);

        tern_copy(dest, sum.bytes, fold->bytes);
    }
}

/* From this PE's dest the chunk goes to the others. */
static void reduce_chunk(const struct tern_team *team, const struct tern_fold *fold, size_t at,
                         size_t bytes)
{
    char *mine = tern_fold_dest(team, fold, team->me) + at;

    tern_fold_chunk(team, fold, at, bytes, mine);
    for (int i = tern_round_next(team, team->me); i != team->me; i = tern_round_next(team, i))
        tern_copy(tern_fold_dest(team, fold, i) + at, mine, bytes);
}

static void reduce_large(struct tern_team *team, const struct tern_fold *fold, void *dest,
                         const void *source)
{
    struct tern_fold_slice slice = tern_fold_slice_of(team, fold->bytes);

    tern_fold_enter(team, fold, dest, source);
    for (size_t at = slice.start; at < slice.end; at += TERN_FOLD_CHUNK) {
        size_t left = slice.end - at;

        reduce_chunk(team, fold, at, left < TERN_FOLD_CHUNK ? left : TERN_FOLD_CHUNK);
    }
    tern_round_leave(team, fold->routine);
}

void tern_coll_reduce(struct tern_team *team, void *dest, const void *source, size_t n,
                      const struct tern_coll_kernel *kernel, const char *routine)
{
    struct tern_fold fold = tern_fold_begin(dest, source, n, kernel, routine);

    if (!n)
        tern_coll_sync(team, routine);
    else if (team->pes.size == 1)
        memmove(dest, source, fold.bytes);
    else if (team->span)
        tern_spanning_reduce(team, &fold, dest, source);
    else if (tern_sync_in_cells(fold.bytes))
        reduce_small(team, &fold, dest, source);
    else
        reduce_large(team, &fold, dest, source);
}
