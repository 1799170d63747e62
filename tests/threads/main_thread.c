/* SPDX-License-Identifier: BSD-3-Clause */
/* The main thread is the one that initializes, even if main runs in another one. */
#include "harness/check.h"

#include <pthread.h>

static long cell;
static int status;

/* Another thread in each cycle goes from init to finalize. */
static void *one_cycle(void *level)
{
    int provided, n, me;

    check_equal(shmem_init_thread(*(int *)level, &provided), 0, "init-thread-returns-0");
    check_attach("threads/main_thread");
    check_case("level %d", *(int *)level);
    n = check_n_pes();
    me = check_pe();
    cell = -1;
    shmem_barrier_all();
    shmem_long_p(&cell, *(int *)level * 10 + me, (me + 1) % n);
    shmem_barrier_all();
    check_equal(cell, *(int *)level * 10 + (me + n - 1) % n, "main-thread-initializes");
    if (*(int *)level == SHMEM_THREAD_SERIALIZED)
        check_report();
    shmem_finalize();
    status |= check_status();
    return NULL;
}

int main(void)
{
    static int levels[] = {SHMEM_THREAD_FUNNELED, SHMEM_THREAD_MULTIPLE, SHMEM_THREAD_SERIALIZED};
    pthread_t thread;

    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, NULL, one_cycle, &levels[i]);
        pthread_join(thread, NULL);
    }
    return status;
}
