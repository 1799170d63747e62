/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the next result of an inclusive or exclusive scan from the one before it. */
#include "coll/prefix.h"

#include <string.h>

#include "base/copy.h"

static void combine(const struct tern_prefix *prefix, void *out, const void *operand)
{
    tern_reduction_combine(prefix->kernel, out, prefix->sum, operand,
                           prefix->bytes / prefix->kernel->size);
}

static void next_inclusive(struct tern_prefix *prefix, const void *operand, void *dest)
{
    if (prefix->members)
        combine(prefix, dest, operand);
    else if (dest != operand)
        tern_copy(dest, operand, prefix->bytes);
    prefix->sum = dest;
}

/* dest may be the operand, so the next result is computed before this one is written. */
static void next_exclusive(struct tern_prefix *prefix, const void *operand, void *dest, bool last)
{
    void *next = prefix->scratch[prefix->members % 2];

    if (prefix->members && !last)
        combine(prefix, next, operand);
    else if (!prefix->members)
        tern_copy(next, operand, prefix->bytes);
    if (prefix->members)
        tern_copy(dest, prefix->sum, prefix->bytes);
    else
        memset(dest, 0, prefix->bytes);
    prefix->sum = next;
}

void tern_prefix_next(struct tern_prefix *prefix, const void *operand, void *dest, bool last)
{
    if (prefix->inclusive)
        next_inclusive(prefix, operand, dest);
    else
        next_exclusive(prefix, operand, dest, last);
    prefix->members++;
}
