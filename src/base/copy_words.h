/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of several bytes at any address, of which copies consist. */
#ifndef TERN_BASE_COPY_WORDS_H
#define TERN_BASE_COPY_WORDS_H

#include <stddef.h>
#include <stdint.h>

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

#endif
