/* SPDX-License-Identifier: BSD-3-Clause */
/* A counter without atomics is right if each lock admits one PE at a time. */
#include "harness/check.h"

#include <sched.h>

#define TURNS 60
#define N_LOCKS 3

/* Neighbours in memory: independent all the same. */
static long static_locks[N_LOCKS];
static long counters[N_LOCKS], inside[N_LOCKS];

static void take(long *lock, bool by_test)
{
    if (by_test)
        while (shmem_test_lock(lock) != 0)
            sched_yield();
    else
        shmem_set_lock(lock);
}

/* Everyone adds to counter k, which lives on PE k % n, TURNS times. */
static void test_lock(long *lock, int k, bool by_test)
{
    int home = k % check_n_pes();

    for (int turn = 0; turn < TURNS; turn++) {
        long value;

        take(lock, by_test && turn % 2);
        check_equal(shmem_long_g(&inside[k], home), 0, "one-at-a-time");
        shmem_long_p(&inside[k], 1, home);
        shmem_quiet();
        value = shmem_long_g(&counters[k], home);
        shmem_long_p(&counters[k], value + 1, home);
        shmem_long_p(&inside[k], 0, home);
        /* Releases only after the puts above are done: that is the lock's promise. */
        shmem_clear_lock(lock);
    }
}

static void test_locks(const char *where, long *locks, bool by_test)
{
    int n = check_n_pes();

    for (int k = 0; k < N_LOCKS; k++) {
        counters[k] = 0;
        inside[k] = 0;
        locks[k] = 0;
    }
    shmem_barrier_all();
    for (int k = 0; k < N_LOCKS; k++) {
        check_case("%s lock %d%s", where, k, by_test ? ", by test_lock" : "");
        /* Each PE starts with another lock: all are contended, at different times. */
        test_lock(&locks[(k + check_pe()) % N_LOCKS], (k + check_pe()) % N_LOCKS, by_test);
    }
    shmem_barrier_all();
    for (int k = 0; k < N_LOCKS; k++)
        if (check_pe() == k % n)
            check_equal(counters[k], (long)TURNS * n, "counter-is-exact");
    shmem_barrier_all();
}

/* The same on all PEs: either all share one node, or each has peers on another. */
static bool is_one_node(void)
{
    for (int pe = 0; pe < check_n_pes(); pe++)
        if (!shmem_ptr(static_locks, pe))
            return false;
    return true;
}

/*
 * Nothing but locking and unlocking: entering meets leaving as often as it can, which takes a
 * network longer.
 */
static void test_rush(long *lock)
{
    static long last;
    int n = check_n_pes(), turns = n > 8 || !is_one_node() ? 200 : 3000;

    check_case("rush");
    for (int turn = 0; turn < turns; turn++) {
        shmem_set_lock(lock);
        shmem_long_p(&last, shmem_long_g(&last, 0) + 1, 0);
        shmem_clear_lock(lock);
    }
    shmem_barrier_all();
    check_equal(shmem_long_g(&last, 0), (long)turns * n, "counter-is-exact");
}

int main(void)
{
    long *heap_locks;

    check_init("lock/exclusion");
    heap_locks = shmem_malloc(N_LOCKS * sizeof(long));
    test_locks("static", static_locks, false);
    test_locks("heap", heap_locks, false);
    test_locks("heap", heap_locks, true);
    test_rush(&static_locks[0]);
    shmem_free(heap_locks);
    return check_finish();
}
