/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between buffers that do not overlap, tuned for the sizes of puts and gets. */
#ifndef TERN_BASE_COPY_H
#define TERN_BASE_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "base/tsan.h"

/* Types of a width only, by which any bytes may be accessed. */
#define TERN_WIDTH(n) __attribute__((vector_size(n), aligned(1), may_alias))
typedef char tern_copy16 TERN_WIDTH(16);
typedef uint64_t __attribute__((aligned(1), may_alias)) tern_copy8;
typedef uint32_t __attribute__((aligned(1), may_alias)) tern_copy4;
typedef uint16_t __attribute__((aligned(1), may_alias)) tern_copy2;

#define TERN_COPY_AT(type, p, i) (*(type *)((p) + (i)))
#define TERN_COPY_FROM(type, p, i) (*(const type *)((p) + (i)))

/* Copies the first and the last element of that width; together they cover all bytes. */
#define TERN_COPY_ENDS(type, to, from, bytes)                                                      \
    do {                                                                                           \
        type first = TERN_COPY_FROM(type, from, 0);                                                \
        type last = TERN_COPY_FROM(type, from, (bytes) - sizeof(type));                            \
                                                                                                   \
        TERN_COPY_AT(type, to, 0) = first;                                                         \
        TERN_COPY_AT(type, to, (bytes) - sizeof(type)) = last;                                     \
    } while (0)

/* Copies more than 64 bytes. */
void tern_copy_long(void *to, const void *from, size_t bytes);

/* Copies fewer than 16 bytes. */
void tern_copy_short(void *to, const void *from, size_t bytes);

/*
 * As memcpy(), but an aligned element is stored whole: other PEs see its old or its new value. Up
 * to 64 bytes there is no call, which would take as long as the copy.
 */
TERN_INLINE void tern_copy(void *dest, const void *source, size_t bytes)
{
    char *to = dest;
    const char *from = source;

    if (TERN_TSAN) {
        memcpy(dest, source, bytes); /* which the sanitizer intercepts */
    } else if (bytes == 8) {
        TERN_COPY_AT(tern_copy8, to, 0) = TERN_COPY_FROM(tern_copy8, from, 0);
    } else if (tern_unlikely(bytes > 64)) {
        tern_copy_long(to, from, bytes);
    } else if (tern_likely(bytes > 32)) {
        tern_copy16 second = TERN_COPY_FROM(tern_copy16, from, 16);
        tern_copy16 third = TERN_COPY_FROM(tern_copy16, from, bytes - 32);

        TERN_COPY_ENDS(tern_copy16, to, from, bytes);
        TERN_COPY_AT(tern_copy16, to, 16) = second;
        TERN_COPY_AT(tern_copy16, to, bytes - 32) = third;
    } else if (bytes >= 16) {
        TERN_COPY_ENDS(tern_copy16, to, from, bytes);
    } else {
        tern_copy_short(to, from, bytes);
    }
}

#endif
