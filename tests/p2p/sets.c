/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_until and test on sets: all, any, some, their vector forms, masks and empty sets. */
#include "harness/board.h"
#include "harness/types.h"
#include "p2p/comparisons.h"

#if SHMEM_AT_LEAST(1, 5)

enum { N = 9 };

/* Masks that the sets are tried with; number 0 stands for NULL. */
enum { N_MASKS = 6 };

static int mask_entry(int mask, size_t i)
{
    switch (mask) {
    case 0:
    case 1:
        return 0;
    case 2:
        return 1;
    case 3:
        return i % 2;
    case 4:
        return i == 0 ? -5 : 0;
    default:
        return (int)(oracle_bits(0, i, SALT_OTHER) % 3);
    }
}

#define TEMPLATE "p2p/sets.inc"
#include "harness/each_amo_type.inc"

int main(void)
{
    check_init("p2p/sets");
#define X(name, type)                                                                              \
    check_local_sets_##name();                                                                     \
    check_fairness_##name();                                                                       \
    check_remote_sets_##name();
    AMO_TYPES(X)
#undef X
    return check_finish();
}

#else

int main(void)
{
    return 0;
}

#endif
