/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a PE that hold a lock each, and mixed operations of all kinds at once. */
#include "harness/oracle.h"
#include "threads/crew.h"

#define TURNS 40

static long locks[CREW], counters[CREW], hits[CREW];

/* A lock is the PE's, not the thread's: the threads of a PE use different ones. */
static void lock_and_count(int thread)
{
    for (int turn = 0; turn < TURNS; turn++) {
        long value;

        shmem_set_lock(&locks[thread]);
        value = shmem_long_g(&counters[thread], 0);
        shmem_long_p(&counters[thread], value + 1, 0);
        shmem_clear_lock(&locks[thread]);
    }
}

/* A lock, a barrier, a wait and traffic, in four threads. */
static void mixed(int thread)
{
    int n = check_n_pes(), next = (check_pe() + 1) % n;

    for (long turn = 1; turn <= TURNS; turn++)
        switch (thread) {
        case 0:
            shmem_barrier_all();
            break;
        case 1:
            shmem_set_lock(&locks[1]);
            shmem_long_p(&counters[1], shmem_long_g(&counters[1], 0) + 1, 0);
            shmem_clear_lock(&locks[1]);
            break;
        case 2:
            shmem_long_atomic_inc(&hits[2], next);
            shmem_long_wait_until(&hits[2], SHMEM_CMP_GE, turn);
            break;
        default:
            for (int pe = 0; pe < n; pe++)
                shmem_long_atomic_add(&hits[3], 2, pe);
            shmem_quiet();
        }
}

int main(void)
{
    int n;

    crew_init("threads/locks");
    n = check_n_pes();
    check_case("a lock for each thread");
    crew_run(lock_and_count);
    shmem_barrier_all();
    for (int t = 0; t < CREW && check_pe() == 0; t++)
        check_equal(counters[t], (long)TURNS * n, "locks-by-threads");
    shmem_barrier_all();
    check_case("mixed work");
    crew_run(mixed);
    shmem_barrier_all();
    check_equal(hits[2], TURNS, "mixed-by-threads");
    check_equal(hits[3], 2L * TURNS * n, "mixed-by-threads");
    if (check_pe() == 0)
        check_equal(counters[1], 2L * TURNS * n, "mixed-by-threads");
    return check_finish();
}
