/* SPDX-License-Identifier: BSD-3-Clause */
/* Which code copies which sizes: measured at the first copy of more than 64 bytes. */
#ifndef TERN_BASE_COPY_CHOICE_H
#define TERN_BASE_COPY_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/atomics.h"
#include "base/compiler.h"
#include "base/vectors.h"

/*
 * Sizes up to `ends`, then those up to `narrow`, then those up to `wide` are copied by the code of
 * that name in base/copy_kernels.h, larger ones by memcpy(). 0 before the choice, and for code that
 * is not used.
 */
struct tern_copy_limits {
    size_t ends;   /* 512 at most */
    size_t narrow; /* vectors of 32 bytes */
    size_t wide;   /* vectors of 64 bytes */
};

extern TERN_PE_LOCAL struct tern_copy_limits tern_copy_limits;
extern TERN_PE_LOCAL bool tern_copy_is_chosen; /* or a thread is about to choose */

/* Sets the limits, the first time by measurement, which takes some 50 microseconds. */
void tern_copy_measure(void) TERN_COLD;

TERN_INLINE void tern_copy_choose(void)
{
    if (tern_unlikely(!tern_load_relaxed(&tern_copy_is_chosen)))
        tern_copy_measure();
}

/* For tests: the code of that level copies all sizes, and nothing is measured. */
void tern_copy_force(enum tern_vectors level);

#endif
