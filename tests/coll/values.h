/* SPDX-License-Identifier: BSD-3-Clause */
/* Values whose sums and products fit every type and are exact in every order of evaluation. */
#ifndef COLL_VALUES_H
#define COLL_VALUES_H

#include "harness/check.h"
#include "harness/oracle.h"

#define SALT_OF_IMAGINARY (1u << 18)

/* Sums of 100 values fit a signed type of `size` bytes, and the mantissa of such a floating type.
 */
static inline int64_t summand(size_t size, int pe, size_t i, unsigned salt)
{
    uint64_t range = size == 1 ? 1 : size == 2 ? 300 : size == 4 ? 1 << 16 : UINT64_C(1) << 40;

    if (pe >= 100)
        return 0;
    return (int64_t)(oracle_bits(pe, i, salt) % (2 * range + 1)) - (int64_t)range;
}

/* For each i one PE has 3, one has 5, and all others 1, with either sign. */
static inline int factor(int pe, size_t i, unsigned salt)
{
    int sign = oracle_bits(pe, i, salt) & 1 ? -1 : 1;
    size_t owner = (i + salt) % (size_t)check_n_pes();

    if ((size_t)pe == owner)
        return 3 * sign;
    if ((size_t)pe == (owner + 1) % (size_t)check_n_pes())
        return 5 * sign;
    return sign;
}

#endif
