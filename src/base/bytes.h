/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of bytes, and whether bytes are zero. */
#ifndef TERN_BASE_BYTES_H
#define TERN_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* The bytes of n elements; SIZE_MAX, which no memory has, if the product overflows. */
TERN_INLINE size_t tern_bytes_of(size_t n, size_t size)
{
    size_t bytes;

    return __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes;
}

/* The next multiple of a power of two. */
TERN_INLINE uint64_t tern_bytes_round_up(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) & -to;
}

/* For whole, aligned words. Calls nothing and has no variables: see mem/static_data.c. */
bool tern_bytes_are_zero(const void *start, size_t bytes);

#endif
