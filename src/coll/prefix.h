/* SPDX-License-Identifier: BSD-3-Clause */
/* The running result of a large scan, computed member by member for one chunk of the arrays. */
#ifndef TERN_COLL_PREFIX_H
#define TERN_COLL_PREFIX_H

#include <stdbool.h>
#include <stddef.h>

#include "coll/reduction_kernel.h"

struct tern_prefix {
    const struct tern_reduction_kernel *kernel;
    size_t bytes; /* of the chunk */
    bool inclusive;
    void *scratch[2]; /* of `bytes` each, for exclusive scans only */
    int members;      /* whose operands are in `sum` */
    const void *sum;
};

/* The running result before the first member. */
static inline struct tern_prefix tern_prefix_begin(const struct tern_reduction_kernel *kernel,
                                                   size_t bytes, bool inclusive, void *scratch0,
                                                   void *scratch1)
{
    return (struct tern_prefix){
        .kernel = kernel, .bytes = bytes, .inclusive = inclusive, .scratch = {scratch0, scratch1}};
}

/*
 * Adds the operand of the team's next member and writes that member's result, which may overwrite
 * the operand. The next call reads an inclusive result from dest. `last`: no member follows.
 */
void tern_prefix_next(struct tern_prefix *prefix, const void *operand, void *dest, bool last);

#endif
