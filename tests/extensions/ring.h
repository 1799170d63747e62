/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs in a ring, and arrays of long whose elements encode PE, index and purpose. */
#ifndef EXT_RING_H
#define EXT_RING_H

#include "harness/check.h"
#include "harness/oracle.h"

static inline int next(void)
{
    return (check_pe() + 1) % check_n_pes();
}

static inline int previous(void)
{
    return (check_pe() + check_n_pes() - 1) % check_n_pes();
}

static inline void fill(long *array, size_t nelems, int pe, unsigned salt)
{
    ORACLE_FILL(long, array, nelems, pe, salt);
}

static inline void check_filled(const long *array, size_t nelems, int pe, unsigned salt,
                                const char *name)
{
    size_t i = 0;

    while (i < nelems && array[i] == ORACLE(long, pe, i, salt))
        i++;
    check(i == nelems, name, "element %zu of %zu is not that of PE %d", i, nelems, pe);
}

#endif
