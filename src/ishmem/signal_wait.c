/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait for a signal. It returns the value that has ended it, also where it polls. */
#include "ishmem/convert.h"
#include "ishmem/kernel.h"

static bool compares(uint64_t value, int cmp, uint64_t cmp_value)
{
    switch (cmp) {
    case ISHMEM_CMP_EQ:
        return value == cmp_value;
    case ISHMEM_CMP_NE:
        return value != cmp_value;
    case ISHMEM_CMP_GT:
        return value > cmp_value;
    case ISHMEM_CMP_GE:
        return value >= cmp_value;
    case ISHMEM_CMP_LT:
        return value < cmp_value;
    case ISHMEM_CMP_LE:
        return value <= cmp_value;
    default:
        return false;
    }
}

uint64_t ishmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value)
{
    struct tern_ishmem_turns turns = {0};
    bool is_valid = cmp >= ISHMEM_CMP_EQ && cmp <= ISHMEM_CMP_LE; /* else OpenSHMEM reports it */

    while (is_valid && tern_ishmem_gives_way(&turns)) {
        uint64_t value = shmem_signal_fetch(sig_addr);

        if (compares(value, cmp, cmp_value))
            return value;
    }
    return shmem_signal_wait_until(sig_addr, tern_ishmem_comparison(cmp), cmp_value);
}
