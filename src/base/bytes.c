/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches for a byte that is not zero. */
#include "base/bytes.h"

TERN_NO_SANITIZER bool tern_bytes_are_zero(const void *start, size_t bytes)
{
    const uint64_t *word = start;

    for (size_t i = 0; i < bytes / sizeof *word; i++)
        if (word[i])
            return false;
    return true;
}
