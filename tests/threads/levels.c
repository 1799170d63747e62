/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The levels below MULTIPLE: at FUNNELED, other threads exist; at SERIALIZED, any thread makes
 * calls, one at a time.
 */
#include "harness/check.h"

#include <pthread.h>

static long cell, sum, mine, computed;

/* At SINGLE and FUNNELED others may do anything but call the library. */
static void *compute(void *unused)
{
    (void)unused;
    for (int i = 0; i < 1000; i++)
        __atomic_fetch_add(&computed, 1, __ATOMIC_RELAXED);
    return NULL;
}

/* One at a time: any thread may call any routine. */
static void *communicate(void *number)
{
    int n = check_n_pes(), next = (check_pe() + 1) % n;
    long value = *(int *)number * 100 + check_pe();

    shmem_long_p(&cell, value, next);
    shmem_barrier_all();
    check_equal(cell, *(int *)number * 100 + (check_pe() + n - 1) % n, "serialized-any-thread");
    mine = 1;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
    check_equal(sum, n, "serialized-any-thread");
    shmem_barrier_all();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int provided;

    for (int level = SHMEM_THREAD_FUNNELED; level <= SHMEM_THREAD_MULTIPLE; level++) {
        check_equal(shmem_init_thread(level, &provided), 0, "init-thread-returns-0");
        check_attach("threads/levels");
        check_case("level %d", level);
        check(provided >= level, "level-provided", "level %d", provided);
        for (int i = 0; i < 5; i++) {
            pthread_create(&thread, NULL, level == SHMEM_THREAD_FUNNELED ? compute : communicate,
                           &i);
            if (level == SHMEM_THREAD_FUNNELED)
                shmem_barrier_all();
            pthread_join(thread, NULL);
            communicate(&i);
        }
        check_equal(computed, 5000, "funneled-others-compute");
        if (level == SHMEM_THREAD_MULTIPLE)
            check_report();
        shmem_finalize();
    }
    return check_status();
}
