/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mismatch CASE [right]: a program whose PEs make collective calls that do not match, in the lines
 * that the words in comments name, or the same without the mistake.
 */
#define SHMEM_CLASSIC
#include "cases.h"

#include <stdlib.h>

static long source[64], dest[512], other[512];
enum { SYNC = SHMEM_REDUCE_SYNC_SIZE, WORK = 100 };
static long psync[SYNC], more_psync[SYNC], short_psync[SYNC - 1];
static long work[WORK / 2 + 1], short_work[WORK / 2];
static long wide_source[WORK], wide_dest[WORK];

/* One PE is wrong: the last. */
static int is_odd(void)
{
    return !right && me == last;
}

static void other_routine(void)
{
    if (is_odd())
        shmem_sync_all(); /* ODD */
    else
        shmem_barrier_all(); /* OTHERS */
    shmem_barrier_all();
}

static void missing_call(void)
{
    if (!is_odd())
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1); /* OTHERS */
    shmem_barrier_all();                                          /* ODD */
}

static void other_order(void)
{
    if (is_odd()) {
        shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, source, 1); /* ODD */
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, other, source, 1);
    } else {
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, other, source, 1); /* OTHERS */
        shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, source, 1);
    }
}

static void other_root(void)
{
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 1, is_odd()); /* ODD OTHERS */
}

static void other_count(void)
{
    shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, is_odd() ? 2 : 1); /* ODD OTHERS */
}

static void other_type(void)
{
    if (is_odd())
        shmem_int_sum_reduce(SHMEM_TEAM_WORLD, (int *)dest, (int *)source, 2); /* ODD */
    else
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1); /* OTHERS */
}

static void other_stride(void)
{
    shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source, is_odd() ? 2 : 1, 1, 1); /* ODD OTHERS */
}

static void other_dest(void)
{
    shmem_long_fcollect(SHMEM_TEAM_WORLD, is_odd() ? other : dest, source, 1); /* ODD OTHERS */
}

/* Counts may differ in this one. */
static void other_team(void)
{
    shmem_team_t team = SHMEM_TEAM_INVALID, twin = SHMEM_TEAM_INVALID;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &twin);
    shmem_long_collect(team, dest, source, (size_t)me % 3);
    shmem_long_collect(twin, dest, source, (size_t)me % 2);
    if (is_odd())
        shmem_team_sync(twin); /* ODD */
    else
        shmem_long_collect(twin, dest, source, 1); /* OTHERS */
    shmem_team_destroy(twin);
    shmem_team_destroy(team);
}

static void other_split(void)
{
    shmem_team_t team = SHMEM_TEAM_INVALID;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, is_odd() ? n : n - 1, NULL, 0, /* ODD OTHERS */
                             &team);
    if (team != SHMEM_TEAM_INVALID)
        shmem_team_destroy(team);
}

static void other_size(void)
{
    shmem_free(shmem_malloc(is_odd() ? 16 : 8)); /* ODD OTHERS */
}

static void no_size(void)
{
    void *block = shmem_malloc(is_odd() ? 0 : 8); /* ODD OTHERS */

    shmem_barrier_all();
    shmem_free(block);
}

static void other_allocation(void)
{
    void *first;

    if (is_odd())
        first = shmem_calloc(8, 1); /* ODD */
    else
        first = shmem_malloc(8); /* OTHERS */
    shmem_free(first);
}

static void other_block(void)
{
    void *one = shmem_malloc(8), *two = shmem_malloc(8);

    shmem_free(is_odd() ? two : one); /* ODD OTHERS */
    shmem_free(is_odd() ? one : two);
}

static void prepare(long *array, size_t elements)
{
    for (size_t i = 0; i < elements; i++)
        array[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
}

static void other_set(void)
{
    prepare(psync, SYNC);
    if (is_odd())
        shmem_long_max_to_all(dest, source, 1, 0, 0, n, work, psync); /* ODD */
    else
        shmem_long_sum_to_all(dest, source, 1, 0, 0, n, work, psync); /* OTHERS */
    shmem_barrier_all();
}

/* Those that are about work arrays are made by all PEs. */

static void not_prepared(void)
{
    prepare(psync, SYNC);
    if (!right)
        psync[SYNC - 1] = SHMEM_SYNC_VALUE + 1;
    shmem_broadcast64(dest, source, 1, 0, 0, 0, n, psync); /* ALL */
}

static void too_short(void)
{
    long *array = right ? psync : short_psync;

    prepare(array, right ? SYNC : SYNC - 1);
    shmem_barrier(0, 0, n, array); /* ALL */
}

static void little_work(void)
{
    prepare(psync, SYNC);
    shmem_long_sum_to_all(wide_dest, wide_source, WORK, 0, 0, n, /* ALL */
                          right ? work : short_work, psync);
}

static void used_again(void)
{
    prepare(psync, SYNC);
    prepare(more_psync, SYNC);
    shmem_fcollect64(dest, source, 1, 0, 0, n, psync);                           /* BEFORE */
    shmem_broadcast64(other, source, 1, 0, 0, 0, n, right ? more_psync : psync); /* ALL */
    shmem_barrier(0, 0, n, right ? psync : more_psync);
    shmem_barrier(0, 0, n, right ? psync : more_psync);
}

static void ends_early(void)
{
    if (is_odd())
        exit(0);
    shmem_barrier_all(); /* OTHERS */
}

static void reduces_late(void)
{
    if (is_odd())
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1);
}

static void finalizes_early(void)
{
    if (!is_odd())
        shmem_barrier_all(); /* OTHERS */
    shmem_finalize();        /* ODD */
    exit(0);
}

static const struct mistake_case cases[] = {
    CASE(other_routine),    CASE(missing_call), CASE(other_order),  CASE(other_root),
    CASE(other_count),      CASE(other_type),   CASE(other_stride), CASE(other_dest),
    CASE(other_team),       CASE(other_split),  CASE(other_size),   CASE(no_size),
    CASE(other_allocation), CASE(other_block),  CASE(other_set),    CASE(not_prepared),
    CASE(too_short),        CASE(little_work),  CASE(used_again),   CASE(ends_early),
    CASE(finalizes_early),  CASE(reduces_late),
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
