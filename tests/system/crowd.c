/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops of collectives, for many more PEs than cores. PE 0 prints the time of each loop in seconds.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "system/objects.h"

#define MOST_PES 512

static long source[MOST_PES], dest[MOST_PES], lock, guarded;
static int me, n;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void barrier(int round)
{
    (void)round;
    shmem_barrier_all();
}

static void reduce(int round)
{
    source[0] = me + round;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1);
    require(dest[0] == (long)n * (n - 1) / 2 + (long)n * round, "reduce");
}

static void alltoall(int round)
{
    for (int pe = 0; pe < n; pe++)
        source[pe] = me * 1000 + pe + round;
    shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, 1);
    for (int pe = 0; pe < n; pe++)
        require(dest[pe] == pe * 1000 + me + round, "alltoall");
}

static void broadcast(int round)
{
    source[0] = me + round;
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 1, round % n);
    require(dest[0] == round % n + round, "broadcast");
}

static void take_lock(int round)
{
    (void)round;
    shmem_set_lock(&lock);
    shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + 1, 0);
    shmem_clear_lock(&lock);
}

static void repeat(const char *what, int rounds, void (*call)(int round))
{
    double start;

    shmem_barrier_all();
    start = now();
    for (int i = 0; i < rounds; i++)
        call(i);
    shmem_barrier_all();
    if (me == 0)
        printf("%s %.3f\n", what, now() - start);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    require(n <= MOST_PES, "room for all PEs");
    repeat("barrier", 500, barrier);
    repeat("reduce", 200, reduce);
    repeat("alltoall", 100, alltoall);
    repeat("broadcast", 200, broadcast);
    repeat("lock", 20, take_lock);
    require(shmem_long_g(&guarded, 0) == 20L * n, "lock");
    shmem_finalize();
    return 0;
}
