/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts with signal. */
#include "collection.h"

#define SIGNAL                                                                                     \
    static uint64_t told;                                                                          \
    static long data[N];                                                                           \
    long own[N] = {0};                                                                             \
    (void)own

WRONG(before_the_wait)
{
    SIGNAL;
    if (me == 0)
        shmem_long_put_signal(data, own, N, &told, 1, SHMEM_SIGNAL_SET, 1);
    if (me == 1) {
        use(data[2]);
        shmem_signal_wait_until(&told, SHMEM_CMP_EQ, 1);
    }
}

RIGHT(after_the_wait)
{
    SIGNAL;
    if (me == 0)
        shmem_long_put_signal(data, own, N, &told, 1, SHMEM_SIGNAL_SET, 1);
    if (me == 1) {
        shmem_signal_wait_until(&told, SHMEM_CMP_EQ, 1);
        use(data[2]);
    }
}

WRONG(earlier_put)
{
    SIGNAL;
    static long more[N];

    if (me == 0) {
        shmem_long_put(more, own, N, 1);
        shmem_long_put_signal(data, own, N, &told, 1, SHMEM_SIGNAL_SET, 1);
    }
    if (me == 1) {
        shmem_signal_wait_until(&told, SHMEM_CMP_EQ, 1);
        use(more[2]);
    }
}

RIGHT(earlier_put)
{
    SIGNAL;
    static long more[N];

    if (me == 0) {
        shmem_long_put(more, own, N, 1);
        shmem_fence();
        shmem_long_put_signal(data, own, N, &told, 1, SHMEM_SIGNAL_SET, 1);
    }
    if (me == 1) {
        shmem_signal_wait_until(&told, SHMEM_CMP_EQ, 1);
        use(more[2]);
    }
}

WRONG(sum_of_signals)
{
    SIGNAL;
    if (me != 2)
        shmem_long_put_signal(data, own, N, &told, 1, SHMEM_SIGNAL_ADD, 2);
    else
        shmem_signal_wait_until(&told, SHMEM_CMP_EQ, 2);
}

RIGHT(sum_of_signals)
{
    SIGNAL;
    if (me != 2) {
        shmem_long_put_signal(data + 8 * me, own, 8, &told, 1, SHMEM_SIGNAL_ADD, 2);
    } else {
        shmem_signal_wait_until(&told, SHMEM_CMP_EQ, 2);
        use(data[2] + data[12]);
    }
}

RIGHT(nonblocking)
{
    SIGNAL;
    if (me == 0)
        shmem_long_put_signal_nbi(data, own, N, &told, 1, SHMEM_SIGNAL_SET, 1);
    if (me == 1) {
        shmem_signal_wait_until(&told, SHMEM_CMP_EQ, 1);
        use(data[2]);
    }
    shmem_quiet();
}

WRONG(signal_alone)
{
    SIGNAL;
    if (me == 0) {
        shmem_long_put(data, own, N, 1);
        shmem_uint64_atomic_set(&told, 1, 1);
    }
    if (me == 1) {
        shmem_signal_wait_until(&told, SHMEM_CMP_EQ, 1);
        use(data[2]);
    }
}

RIGHT(fetched_signal)
{
    SIGNAL;
    if (me == 0)
        shmem_long_put_signal(data, own, N, &told, 1, SHMEM_SIGNAL_SET, 1);
    if (me == 1) {
        while (shmem_signal_fetch(&told) != 1)
            ;
        use(data[2]);
    }
}

WRONG(other_elements)
{
    SIGNAL;
    if (me == 0)
        shmem_long_put_signal(data, own, 4, &told, 1, SHMEM_SIGNAL_SET, 1);
    if (me == 2)
        shmem_long_put(data + 4, own, 4, 1);
    if (me == 1) {
        shmem_signal_wait_until(&told, SHMEM_CMP_EQ, 1);
        use(data[6]);
    }
}
