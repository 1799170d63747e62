/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting PEs get a lock in the order of their calls. */
#include "harness/check.h"

#include <stdlib.h>
#include <time.h>

#define ROUNDS 6

static long lock, asked, served;

static void pause_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};

    nanosleep(&time, NULL);
}

/*
 * PE 0 holds the lock while the others ask for it one after the other, around the circle of PEs 1
 * to n - 1 and beginning with `first`. Nothing tells that a PE has begun to wait: the next one
 * gives it `ms` milliseconds. Returns, on PE 0, whether they were served in that order.
 */
static bool served_in_order(long *order, int first, long ms)
{
    int n_waiters = check_n_pes() - 1, me = check_pe();
    int position = (me - first + n_waiters) % n_waiters;
    bool in_order = true;

    if (me == 0) {
        asked = served = 0;
        shmem_set_lock(&lock);
    }
    shmem_barrier_all();
    if (me == 0) {
        shmem_long_wait_until(&asked, SHMEM_CMP_EQ, n_waiters);
        pause_ms(ms);
        shmem_clear_lock(&lock);
    } else {
        while (shmem_long_atomic_fetch(&asked, 0) != position)
            pause_ms(1);
        pause_ms(position ? ms : 0);
        shmem_long_atomic_inc(&asked, 0);
        shmem_set_lock(&lock);
        shmem_long_p(&order[shmem_long_atomic_fetch_inc(&served, 0)], position, 0);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    for (int i = 0; me == 0 && i < n_waiters; i++)
        in_order &= order[i] == i;
    return in_order;
}

int main(void)
{
    static long in_order;
    long *order;
    int n;

    check_init("lock/order");
    n = check_n_pes();
    order = shmem_malloc((size_t)n * sizeof(long));
    for (int round = 0; round < ROUNDS && n > 1; round++) {
        int first = 1 + round * 3 % (n - 1);

        check_case("round %d, PE %d first", round, first);
        in_order = served_in_order(order, first, 1);
        shmem_barrier_all();
        /* A busy machine may have held a PE up before it began to wait: once more, slowly. */
        if (!shmem_long_g(&in_order, 0))
            in_order = served_in_order(order, first, 60);
        check(check_pe() != 0 || in_order, "fifo", "not served in the order of asking");
        shmem_barrier_all();
    }
    if (check_pe() == n - 1) {
        check_equal(shmem_test_lock(&lock), 0, "free-at-the-end");
        shmem_clear_lock(&lock);
    }
    shmem_free(order);
    return check_finish();
}
