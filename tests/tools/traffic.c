/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic [CALLS]: transfers of known sizes, waits for known PEs, and CALLS more small puts. The
 * other PEs wait a tenth of a second for each PE, in a barrier and for a word.
 */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define LATE_NS 100000000

static long block[1000], word, flag;
static long psync[2][SHMEM_ALLTOALLS_SYNC_SIZE];

static void sleep_ns(long ns)
{
    nanosleep(&(struct timespec){0, ns}, NULL);
}

/* The most that was in use. */
static long memory_kib(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void put_often(long calls)
{
    while (calls-- > 0)
        shmem_char_p((char *)block, 0, shmem_my_pe());
}

/* A block for each PE of all, of a team, and of an active set; the latter two are all but PE 0. */
static void exchange(shmem_team_t odd)
{
    int n = shmem_n_pes();

    for (int i = 0; i < SHMEM_ALLTOALLS_SYNC_SIZE; i++)
        psync[0][i] = psync[1][i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    shmem_int_alltoall(SHMEM_TEAM_WORLD, (int *)&block[100], (int *)block, 8);
    if (shmem_my_pe() == 0)
        return;
    shmem_long_alltoalls(odd, &block[200], block, 2, 1, 3);
    shmem_alltoall32(&block[300], block, 100, 1, 0, n - 1, psync[0]);
    shmem_alltoalls64(&block[600], block, 1, 2, 20, 1, 0, n - 1, psync[1]);
}

int main(int argc, char **argv)
{
    int me, n, next;
    shmem_team_t odd;
    shmem_ctx_t ctx;
    long *heap, calls, used;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    heap = shmem_calloc(1, sizeof *heap);

    shmem_long_put(block, block, 100 * (size_t)(me + 1), next);
    shmem_getmem(block, block, 10, next);
    shmem_long_atomic_inc(&word, next);
    shmem_barrier_all();

    /* PE 0 is late at a barrier, PE 1 at a reduction. */
    if (me == 0)
        sleep_ns(LATE_NS);
    shmem_barrier_all();
    if (me == 1)
        sleep_ns(LATE_NS);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &block[500], &word, 1);

    /* The last PE lets the first go on, by a word in the heap. */
    if (me == n - 1) {
        sleep_ns(LATE_NS);
        shmem_long_atomic_set(heap, 1, 0);
    }
    if (me == 0)
        shmem_long_wait_until(heap, SHMEM_CMP_EQ, 1);

    /* Numbers of a team: its PE 0 is PE 1. */
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, n - 1, NULL, 0, &odd);
    if (odd != SHMEM_TEAM_INVALID && shmem_team_create_ctx(odd, 0, &ctx) == 0) {
        shmem_ctx_putmem(ctx, block, &flag, 5, 0);
        shmem_ctx_destroy(ctx);
    }
    exchange(odd);
    calls = argc > 1 ? atol(argv[1]) : 0;
    put_often(calls / 2);
    used = memory_kib();
    put_often(calls - calls / 2);
    printf("grown by %ld KiB\n", memory_kib() - used);
    shmem_finalize();
    return 0;
}
