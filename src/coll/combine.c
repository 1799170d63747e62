/* SPDX-License-Identifier: BSD-3-Clause */
/* Combines the operands of a node's members: small arrays in cells, or a chunk of large ones. */
#include "coll/combine.h"

struct tern_combine_operand tern_combine_operands(const struct tern_team *team,
                                                  const struct tern_combine *call)
{
    struct tern_combine_operand sum = tern_combine_operand_of(team, 0);

    for (int i = 1; i < team->pes.size; i++) {
        struct tern_combine_operand next = tern_combine_operand_of(team, i);

        tern_reduction_combine(call->kernel, &sum, &sum, &next, call->n);
    }
    return sum;
}

/* Only the last operation writes to `out`; earlier results stay in the first-level cache. */
void tern_combine_chunk(const struct tern_team *team, const struct tern_combine *call, size_t at,
                        size_t bytes, void *out)
{
    unsigned char scratch[TERN_COMBINE_CHUNK] TERN_ALIGNED(TERN_LINE);
    const void *sum = tern_combine_source(team, call, 0) + at;
    int last = team->pes.size - 1;

    if (last == 0 && out != sum)
        memcpy(out, sum, bytes);
    for (int i = 1; i <= last; i++) {
        void *to = i < last ? (void *)scratch : out;

        tern_reduction_combine(call->kernel, to, sum, tern_combine_source(team, call, i) + at,
                               bytes / call->kernel->size);
        sum = to;
    }
}
