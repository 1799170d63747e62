/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of the standard, and of the program's own making. */
#include "collection.h"

static long lock, second_lock, own_lock, a[N];

WRONG(no_lock)
{
    long value = shmem_long_g(&a[1], 0);

    shmem_long_p(&a[1], value + 1, 0);
}

RIGHT(lock)
{
    long value;

    shmem_set_lock(&lock);
    value = shmem_long_g(&a[1], 0);
    shmem_long_p(&a[1], value + 1, 0);
    shmem_clear_lock(&lock);
}

WRONG(two_locks)
{
    long *mine = me ? &lock : &second_lock;

    shmem_set_lock(mine);
    shmem_long_p(&a[2], me, 0);
    shmem_clear_lock(mine);
}

RIGHT(tested_lock)
{
    while (shmem_test_lock(&lock))
        ;
    shmem_long_p(&a[2], me, 0);
    shmem_clear_lock(&lock);
}

WRONG(owner_takes_no_lock)
{
    if (me == 0) {
        a[3]++;
        return;
    }
    shmem_set_lock(&lock);
    shmem_long_p(&a[3], me, 0);
    shmem_clear_lock(&lock);
}

RIGHT(owner_takes_the_lock)
{
    shmem_set_lock(&lock);
    if (me == 0)
        a[3]++;
    else
        shmem_long_p(&a[3], me, 0);
    shmem_clear_lock(&lock);
}

RIGHT(own_lock)
{
    while (shmem_long_atomic_compare_swap(&own_lock, 0, 1, 0) != 0)
        ;
    shmem_long_p(&a[4], me, 0);
    shmem_quiet();
    shmem_long_atomic_set(&own_lock, 0, 0);
}

WRONG(own_lock_without_quiet)
{
    static long another;

    while (shmem_long_atomic_compare_swap(&another, 0, 1, 1) != 0)
        ;
    shmem_long_p(&a[4], me, 0);
    shmem_long_atomic_set(&another, 0, 1);
}

WRONG(used_after_clear)
{
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
    shmem_long_p(&a[5], me, 0);
}
