/* SPDX-License-Identifier: BSD-3-Clause */
/* Which vector instructions copies and reductions use: those of this processor, or fewer. */
#ifndef TERN_BASE_VECTORS_H
#define TERN_BASE_VECTORS_H

#include <stdbool.h>

#include "base/compiler.h"

/*
 * Each level includes those before it. Plain code has the vectors that every processor of its
 * architecture has: SSE2 on x86-64, NEON on arm64. The other levels exist on x86-64 only.
 */
enum tern_vectors {
    TERN_VECTORS_PLAIN,
    TERN_VECTORS_AVX2,
    TERN_VECTORS_AVX512,
    TERN_N_VECTORS,
};

/*
 * The level in force: the processor's, unless tern_vectors_force() has chosen a lower one. A
 * constructor sets it; before, code is plain.
 */
extern TERN_PE_LOCAL enum tern_vectors tern_vectors;

/* The highest level of this processor and system. */
enum tern_vectors tern_vectors_of_processor(void);

/* `word` is "plain", "avx2" or "avx512"; NULL chooses the processor's level. 0 or -EINVAL. */
int tern_vectors_force(const char *word);

#endif
