/* SPDX-License-Identifier: BSD-3-Clause */
/* Combines what the members of a node have: small operands in cells, or a chunk of large arrays. */
#include "coll/combine.h"

struct tern_fold_operand tern_fold_operands(const struct tern_team *team,
                                            const struct tern_fold *fold)
{
    struct tern_fold_operand sum = tern_fold_operand_of(team, 0);

    for (int i = 1; i < team->pes.size; i++) {
        struct tern_fold_operand next = tern_fold_operand_of(team, i);

        fold->kernel->combine(&sum, &sum, &next, fold->n);
    }
    return sum;
}

/* The last operation writes to its place; what comes before stays in the first-level cache. */
void tern_fold_chunk(const struct tern_team *team, const struct tern_fold *fold, size_t at,
                     size_t bytes, void *out)
{
    unsigned char scratch[TERN_FOLD_CHUNK] TERN_ALIGNED(TERN_LINE);
    const void *sum = tern_fold_source(team, fold, 0) + at;
    int last = team->pes.size - 1;

    if (last == 0 && out != sum)
        memcpy(out, sum, bytes);
    for (int i = 1; i <= last; i++) {
        void *to = i < last ? (void *)scratch : out;

        fold->kernel->combine(to, sum, tern_fold_source(team, fold, i) + at,
                              bytes / fold->kernel->size);
        sum = to;
    }
}
