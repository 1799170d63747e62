/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocked CASE [right]: a program whose PEs wait in vain, in the lines that the words in comments
 * name, or the same without the mistake.
 */
#include "cases.h"

#include <pthread.h>
#include <unistd.h>

static int flags[4];
static long lock;

/* The last one waits for a flag that nobody raises, all others for the last one. */
static void flag(void)
{
    puts("begun");
    fflush(stdout);
    if (me == last) {
        if (right)
            shmem_int_atomic_set(&flags[2], 1, me);
        shmem_int_wait_until(&flags[2], SHMEM_CMP_EQ, 1); /* FLAG */
    }
    shmem_barrier_all(); /* BARRIER */
}

static void many_flags(void)
{
    if (me == last) {
        for (int i = 0; i < (right ? 4 : 3); i++)
            shmem_int_atomic_set(&flags[i], 7, me);
        shmem_int_wait_until_all(flags, 4, NULL, SHMEM_CMP_GE, 5); /* FLAG */
    }
    shmem_barrier_all(); /* BARRIER */
}

/* The first one keeps the lock and waits for the others, who want to have it. */
static void kept_lock(void)
{
    if (me == 0)
        shmem_set_lock(&lock); /* HOLDER */
    shmem_sync_all();
    if (me == 0 && right)
        shmem_clear_lock(&lock);
    if (me != 0) {
        shmem_set_lock(&lock); /* LOCK */
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all(); /* BARRIER */
    if (me == 0 && !right)
        shmem_clear_lock(&lock);
}

/* Each waits for a team that the other comes to later. */
static void two_teams(void)
{
    shmem_team_t first = SHMEM_TEAM_INVALID, second = SHMEM_TEAM_INVALID;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &first);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &second);
    if (me == last && !right) {
        shmem_team_sync(second); /* FLAG */
        shmem_team_sync(first);
    } else {
        shmem_team_sync(first); /* BARRIER */
        shmem_team_sync(second);
    }
    shmem_team_destroy(second);
    shmem_team_destroy(first);
}

/* One row of a grid waits for its second member, which waits for a flag; the others have theirs. */
static void rows(void)
{
    shmem_team_t row = SHMEM_TEAM_INVALID, column = SHMEM_TEAM_INVALID;

    shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column);
    if (me == 1) {
        if (right)
            shmem_int_atomic_set(&flags[2], 1, me);
        shmem_int_wait_until(&flags[2], SHMEM_CMP_EQ, 1); /* FLAG */
    }
    if (me < 2)
        shmem_team_sync(row); /* ROW */
    shmem_barrier_all();      /* BARRIER */
    shmem_team_destroy(column);
    shmem_team_destroy(row);
}

static void *raise_late(void *unused)
{
    if (!right)
        sleep(4);
    shmem_int_atomic_set(&flags[2], 1, me);
    return unused;
}

/* Not a mistake: a thread of the last one, which is in no call, raises the flag. */
static void helped(void)
{
    pthread_t helper;
    int level;

    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
    if (me == last && pthread_create(&helper, NULL, raise_late, NULL) == 0) {
        shmem_int_wait_until(&flags[2], SHMEM_CMP_EQ, 1); /* FLAG */
        pthread_join(helper, NULL);
    }
    shmem_barrier_all(); /* BARRIER */
    shmem_finalize();
}

/* Not a mistake: the first one is busy. */
static void busy(void)
{
    if (me == 0 && !right)
        sleep(4);
    shmem_barrier_all(); /* BARRIER */
}

static const struct mistake_case cases[] = {
    CASE(flag), CASE(many_flags), CASE(kept_lock), CASE(two_teams),
    CASE(rows), CASE(helped),     CASE(busy),
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
