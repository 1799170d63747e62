/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between buffers that do not overlap, tuned for the sizes of puts and gets. */
#ifndef TERN_BASE_COPY_H
#define TERN_BASE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/compiler.h"
#include "base/copy_words.h"
#include "base/tsan.h"

/*
 * Copies 8 bytes, or 16 to 64, as memcpy() does, and returns true. Other sizes are left to
 * tern_copy_by_call(); for these, a call would take as long as the copy.
 */
TERN_INLINE bool tern_copy_in_line(void *dest, const void *source, size_t bytes)
{
    char *to = dest;
    const char *from = source;

    if (TERN_TSAN) {
        memcpy(dest, source, bytes); /* which the sanitizer intercepts */
    } else if (bytes == 8) {
        TERN_COPY_AT(tern_copy8, to, 0) = TERN_COPY_FROM(tern_copy8, from, 0);
    } else if (tern_unlikely(bytes > 64)) {
        return false;
    } else if (tern_likely(bytes > 32)) {
        tern_copy16 second = TERN_COPY_FROM(tern_copy16, from, 16);
        tern_copy16 third = TERN_COPY_FROM(tern_copy16, from, bytes - 32);

        TERN_COPY_ENDS(tern_copy16, to, from, bytes);
        TERN_COPY_AT(tern_copy16, to, 16) = second;
        TERN_COPY_AT(tern_copy16, to, bytes - 32) = third;
    } else if (bytes >= 16) {
        TERN_COPY_ENDS(tern_copy16, to, from, bytes);
    } else {
        return false;
    }
    return true;
}

/* Copies the other sizes: fewer than 16 bytes, or more than 64. */
void tern_copy_by_call(void *to, const void *from, size_t bytes);

/* As memcpy(), but an aligned element is stored whole: other PEs see its old or its new value. */
TERN_INLINE void tern_copy(void *dest, const void *source, size_t bytes)
{
    if (!tern_copy_in_line(dest, source, bytes))
        tern_copy_by_call(dest, source, bytes);
}

#endif
