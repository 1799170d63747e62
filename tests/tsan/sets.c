/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a PE use active sets for the first time while others search for theirs. */
#include "threads/crew.h"

/* More than the library has lists for its sets, so that threads meet in them. */
#define SETS 150

static long psync[CREW][SETS][SHMEM_BARRIER_SYNC_SIZE];
static long arrived[CREW];

static void use_sets(int thread)
{
    int n = check_n_pes();

    for (int set = 0; set < SETS; set++)
        for (int again = 0; again < 2; again++) {
            shmem_long_atomic_inc(&arrived[thread], 0);
            shmem_barrier(0, 0, n, psync[thread][set]);
            check(shmem_long_atomic_fetch(&arrived[thread], 0) >= (set * 2 + again + 1L) * n,
                  "threads-in-sets", "thread %d left set %d alone", thread, set);
        }
}

int main(void)
{
    crew_init("tsan/sets");
    crew_run(use_sets);
    return check_finish();
}
