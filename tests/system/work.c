/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Some calls of every kind, for environments in which they might fail. PE 0 prints "work: fine".
 * Each PE fills as many MiB of its heap as the first argument says. The second argument is the
 * number of rounds, 50 by default.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/objects.h"

#define WORDS 1000

static long lock, guarded, source[WORDS], dest[WORDS], fetched[WORDS];
static uint64_t arrived;
static int me, n, rounds = 50;

static void put_and_get(long *where)
{
    int right = (me + 1) % n, left = (me + n - 1) % n;

    for (int i = 0; i < WORDS; i++)
        source[i] = me * WORDS + i;
    shmem_long_put(where, source, WORDS, right);
    shmem_barrier_all();
    for (int i = 0; i < WORDS; i++)
        require(where[i] == left * WORDS + i, "put");
    shmem_long_get(fetched, where, WORDS, right);
    require(memcmp(fetched, source, sizeof fetched) == 0, "get");
    shmem_barrier_all();
}

static void lock_and_add(void)
{
    for (int i = 0; i < rounds; i++) {
        shmem_set_lock(&lock);
        shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + 1, 0);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    require(shmem_long_g(&guarded, 0) == (long)rounds * n, "lock");
    shmem_barrier_all();
}

/* A token goes around: each PE waits for its predecessor. */
static void pass_on(void)
{
    for (uint64_t round = 1; round <= (uint64_t)rounds; round++) {
        if (me > 0)
            shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, round);
        shmem_signal_set(&arrived, round, (me + 1) % n);
        if (me == 0)
            shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, round);
    }
    shmem_barrier_all();
}

static void collect(void)
{
    shmem_team_t team;

    for (int i = 0; i < WORDS; i++)
        source[i] = me + i;
    for (int i = 0; i < rounds; i++) {
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, WORDS);
        require(dest[WORDS - 1] == (long)n * (n - 1) / 2 + (long)n * (WORDS - 1), "reduce");
    }
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &team);
    if (team != SHMEM_TEAM_INVALID) {
        shmem_long_broadcast(team, dest, source, 1, 0);
        require(dest[0] == 0, "broadcast");
        shmem_team_destroy(team);
    }
    shmem_barrier_all();
}

static void fill(size_t mib)
{
    char *block;

    if (!mib)
        return;
    block = shmem_malloc(mib << 20);
    require(block != NULL, "shmem_malloc");
    memset(block, me + 1, mib << 20);
    shmem_barrier_all();
    require(shmem_char_g(block + (mib << 20) - 1, (me + 1) % n) == (me + 1) % n + 1,
            "a peer's heap");
    shmem_free(block);
}

int main(int argc, char **argv)
{
    long *block;

    if (argc > 2)
        rounds = atoi(argv[2]);
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    block = shmem_malloc(WORDS * sizeof *block);
    put_and_get(block);
    put_and_get(dest);
    lock_and_add();
    pass_on();
    collect();
    fill(argc > 1 ? (size_t)atoi(argv[1]) : 0);
    shmem_free(block);
    if (me == 0)
        puts("work: fine");
    shmem_finalize();
    return 0;
}
