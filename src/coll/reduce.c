/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions. */
#include "coll/coll.h"
#include "coll/fold.h"

/*
 *   small   The operands travel in the cells of one round. Where all wait for the last member to
 *           arrive, that one combines them for all while they wait; otherwise each member combines
 *           them by itself, which takes no further exchange. Moved per PE: its operand, and one
 *           result or n operands.
 *   large   Slices, see fold.h, between two rounds: nothing is read or written before all have
 *           entered, nor after one has left. Moved per PE: 1/n of each of n sources is read, and of
 *           n dests written.
 */
static struct tern_fold_operand combine_operands(const struct tern_team *team,
                                                 const struct tern_fold *fold)
{
    struct tern_fold_operand sum = tern_fold_operand_of(team, 0);

    for (int i = 1; i < team->pes.size; i++) {
        struct tern_fold_operand next = tern_fold_operand_of(team, i);

        fold->kernel->combine(&sum, &sum, &next, fold->n);
    }
    return sum;
}

static void combine_for_all(struct tern_team *team, const void *fold)
{
    struct tern_fold_operand sum = combine_operands(team, fold);

    memcpy(tern_round_result(team), sum.bytes, sizeof sum.bytes);
}

static void reduce_small(struct tern_team *team, const struct tern_fold *fold, void *dest,
                         const void *source)
{
    tern_round_enter_finish(team, source, fold->bytes, combine_for_all, fold, fold->routine);
    if (tern_round_is_finished(team)) {
        memcpy(dest, tern_round_result(team), fold->bytes);
    } else {
        struct tern_fold_operand sum = combine_operands(team, fold);

        memcpy(dest, sum.bytes, fold->bytes);
    }
}

/* The last operation writes to this PE's dest, from where the chunk goes to the others. */
static void reduce_chunk(const struct tern_team *team, const struct tern_fold *fold, size_t at,
                         size_t bytes)
{
    unsigned char scratch[TERN_FOLD_CHUNK] TERN_ALIGNED(TERN_LINE);
    char *mine = tern_fold_dest(team, fold, team->me) + at;
    const void *sum = tern_fold_source(team, fold, 0) + at;
    int last = team->pes.size - 1;

    for (int i = 1; i <= last; i++) {
        void *out = i < last ? (void *)scratch : mine;

        fold->kernel->combine(out, sum, tern_fold_source(team, fold, i) + at,
                              bytes / fold->kernel->size);
        sum = out;
    }
    for (int i = tern_round_next(team, team->me); i != team->me; i = tern_round_next(team, i))
        memcpy(tern_fold_dest(team, fold, i) + at, mine, bytes);
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
    else if (fold.bytes <= TERN_SYNC_PAYLOAD)
        reduce_small(team, &fold, dest, source);
    else
        reduce_large(team, &fold, dest, source);
}
