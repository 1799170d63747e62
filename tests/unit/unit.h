/* SPDX-License-Identifier: BSD-3-Clause */
/* For unit tests: a check that prints where it failed, and reproducible random numbers. */
#ifndef TERN_TESTS_UNIT_H
#define TERN_TESTS_UNIT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

/* xorshift64*, from a seed that is not 0. */
static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* A number in 0..n-1. */
static inline size_t below(uint64_t *state, size_t n)
{
    return (size_t)(next_random(state) % n);
}

#endif
