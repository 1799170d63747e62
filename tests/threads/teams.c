/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives on different teams from different threads at once, teams with the same members among
 * them; and a team whose collectives are called by any thread.
 */
#include "harness/oracle.h"
#include "threads/crew.h"

#include <stdlib.h>

#define ROUNDS 60
#define NELEMS 50

static shmem_team_t teams[CREW];
static int sizes[CREW], *members[CREW];
static long *sources[CREW], *dests[CREW];

/* Thread 0 has a copy of the world, 1 another one, 2 the reversed world, 3 each PE's own half. */
static void make_teams(void)
{
    int n = check_n_pes(), half = (n + 1) / 2, lower = check_pe() < half;
    shmem_team_t low, high;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &teams[0]);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &teams[1]);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n, NULL, 0, &teams[2]);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, half, NULL, 0, &low);
    if (n > half)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, half, 1, n - half, NULL, 0, &high);
    teams[3] = lower ? low : high;
    for (int t = 0; t < CREW; t++) {
        sizes[t] = t < 3 ? n : lower ? half : n - half;
        members[t] = malloc((size_t)sizes[t] * sizeof(int));
        for (int i = 0; i < sizes[t]; i++)
            members[t][i] = t < 2 ? i : t == 2 ? n - 1 - i : lower ? i : half + i;
        sources[t] = shmem_malloc(NELEMS * sizeof(long));
        dests[t] = shmem_malloc(2 * (size_t)n * NELEMS * sizeof(long));
    }
}

static void free_teams(void)
{
    for (int t = 0; t < CREW; t++) {
        shmem_team_destroy(teams[t]);
        shmem_free(dests[t]);
        shmem_free(sources[t]);
        free(members[t]);
    }
}

static long value(int team, int pe, size_t i, int round)
{
    return (long)(oracle_bits(pe, i, (unsigned)(team * 10000 + round)) & 0xffffff);
}

/* Rounds alternate between two halves of dest: one PE may be a call ahead of another. */
static void one_round(int t, int round, const char *name)
{
    long *source = sources[t], *dest = dests[t] + (round & 1) * check_n_pes() * NELEMS;
    size_t n = (size_t)sizes[t], wrong = 0;
    int root = round % sizes[t];

    for (size_t i = 0; i < NELEMS; i++)
        source[i] = value(t, check_pe(), i, round);
    switch (round % 4) {
    case 0:
        shmem_long_sum_reduce(teams[t], dest, source, NELEMS);
        for (size_t i = 0; i < NELEMS; i++) {
            long expected = 0;

            for (size_t m = 0; m < n; m++)
                expected += value(t, members[t][m], i, round);
            wrong += dest[i] != expected;
        }
        break;
    case 1:
        shmem_long_fcollect(teams[t], dest, source, NELEMS);
        for (size_t m = 0; m < n; m++)
            for (size_t i = 0; i < NELEMS; i++)
                wrong += dest[m * NELEMS + i] != value(t, members[t][m], i, round);
        break;
    case 2:
        shmem_team_sync(teams[t]);
        shmem_long_broadcast(teams[t], dest, source, NELEMS, root);
        for (size_t i = 0; i < NELEMS; i++)
            wrong += dest[i] != value(t, members[t][root], i, round);
        break;
    default:
        shmem_team_sync(teams[t]);
    }
    check(wrong == 0, name, "%zu elements on team %d in round %d", wrong, t, round);
}

static void each_its_team(int thread)
{
    for (int round = 0; round < ROUNDS; round++)
        one_round(thread, round, "collectives-at-once");
}

/* The main thread has the world to itself: barriers, and allocations too. */
static void teams_beside_the_world(int thread)
{
    if (thread > 0) {
        each_its_team(thread);
        return;
    }
    for (int round = 0; round < ROUNDS / 4; round++) {
        void *block = shmem_malloc(1000);

        check(block != NULL, "world-beside-teams", "no memory");
        shmem_barrier_all();
        shmem_free(block);
        shmem_sync_all();
    }
}

/* One collective after the other on one team, each by the thread whose turn it is. */
static void in_turn(int thread)
{
    for (int round = 0; round < ROUNDS; round++) {
        /* Another thread on each PE: a thread's call counts for its PE. */
        if ((round + check_pe()) % CREW == thread)
            one_round(0, round, "any-thread-for-its-pe");
        crew_meet();
    }
}

int main(void)
{
    crew_init("threads/teams");
    make_teams();
    check_case("each thread its team");
    crew_run(each_its_team);
    shmem_barrier_all();
    check_case("the world beside the teams");
    crew_run(teams_beside_the_world);
    shmem_barrier_all();
    check_case("one team, threads in turn");
    crew_run(in_turn);
    shmem_barrier_all();
    free_teams();
    return check_finish();
}
