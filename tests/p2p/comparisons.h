/* SPDX-License-Identifier: BSD-3-Clause */
/* The six comparisons, and values of every integer type at which their results change. */
#ifndef P2P_COMPARISONS_H
#define P2P_COMPARISONS_H

#include <shmem.h>
#include <stdint.h>

static const struct {
    const char *name;
    int cmp;
} comparisons[] = {
    {"EQ", SHMEM_CMP_EQ}, {"NE", SHMEM_CMP_NE}, {"GT", SHMEM_CMP_GT},
    {"GE", SHMEM_CMP_GE}, {"LT", SHMEM_CMP_LT}, {"LE", SHMEM_CMP_LE},
};

enum { N_COMPARISONS = 6, N_POOL = 6 };

/* Value number i of a pool: both ends of the type, what lies beside its sign bit, and the rest. */
#define POOL(type, i)                                                                              \
    ((type)((const uint64_t[]){0, 1, UINT64_MAX, UINT64_MAX >> (65 - 8 * sizeof(type)),            \
                               UINT64_C(1) << (8 * sizeof(type) - 1), 42}[i]))

/* The value in the middle of the type's range: 0, or where the sign bit of a signed type would be.
 */
#define MIDDLE(type) ((type)((type)-1 < (type)1 ? 0 : UINT64_C(1) << (8 * sizeof(type) - 1)))

/*
 * A wait that is not satisfied by the value before, but by the next: both lie beside the middle, so
 * that a comparison with the wrong signedness never ends, or ends at once.
 */
#define THRESHOLD(type, cmp)                                                                       \
    ((type)(MIDDLE(type) - ((cmp) == SHMEM_CMP_GT || (cmp) == SHMEM_CMP_LE ? 1 : 0)))
#define VALUE_BEFORE(type, cmp)                                                                    \
    ((type)(MIDDLE(type) + ((cmp) == SHMEM_CMP_EQ                            ? 1                   \
                            : (cmp) == SHMEM_CMP_GT || (cmp) == SHMEM_CMP_GE ? -1                  \
                                                                             : 0)))
#define VALUE_AFTER(type, cmp)                                                                     \
    ((type)(MIDDLE(type) -                                                                         \
            ((cmp) == SHMEM_CMP_NE || (cmp) == SHMEM_CMP_LT || (cmp) == SHMEM_CMP_LE ? 1 : 0)))

#endif
