/* SPDX-License-Identifier: BSD-3-Clause */
/* The expected value of every element: pure functions of PE, index and purpose, in plain C. */
#ifndef HARNESS_ORACLE_H
#define HARNESS_ORACLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Sixty-four well mixed bits; another `salt` for each use of a buffer. */
static inline uint64_t oracle_bits(int pe, size_t index, unsigned salt)
{
    uint64_t x = ((uint64_t)salt << 44) + ((uint64_t)(unsigned)(pe + 1) << 32) + index;

    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/*
 * A value of any arithmetic type: all bits of an integer, both signs; for floating types a
 * multiple of 1/8 below 2^17, which even float holds exactly.
 */
#define ORACLE(type, pe, index, salt)                                                              \
    ((type)0.5 != 0 ? (type)((double)(int32_t)(oracle_bits(pe, index, salt) >> 44) / 8 - 65536)    \
                    : (type)oracle_bits(pe, index, salt))

/* Fills an array with ORACLE values of indices from 0 on. */
#define ORACLE_FILL(type, array, nelems, pe, salt)                                                 \
    do {                                                                                           \
        for (size_t oracle_i = 0; oracle_i < (size_t)(nelems); oracle_i++)                         \
            (array)[oracle_i] = ORACLE(type, pe, oracle_i, salt);                                  \
    } while (0)

/* The same for untyped memory. */
static inline void oracle_fill_bytes(void *memory, size_t nbytes, int pe, unsigned salt)
{
    unsigned char *byte = (unsigned char *)memory;

    for (size_t i = 0; i < nbytes; i++)
        byte[i] = (unsigned char)oracle_bits(pe, i, salt);
}

#endif
