/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that misuse objects that they have created, or call at the wrong time or from the wrong
 * thread; or the same without the mistake: see cases.h.
 */
#include "cases.h"

#include <stdlib.h>
#include <unistd.h>

enum { N = 10 };

static long edge[N], count;
static long lock;
static long sync_array[SHMEM_BARRIER_SYNC_SIZE] = {[0 ... SHMEM_BARRIER_SYNC_SIZE - 1] =
                                                       SHMEM_SYNC_VALUE};

/* ---- allocation ---- */

static void freed_twice(void)
{
    long *block = shmem_malloc(N * sizeof *block);

    shmem_free(block);
    if (!right)
        shmem_free(block); /* freed_twice */
}

static void freed_inside(void)
{
    long *block = shmem_malloc(N * sizeof *block);

    shmem_free(right ? block : block + 1); /* freed_inside */
}

static void freed_static(void)
{
    shmem_free(right ? NULL : edge); /* freed_static */
}

static void odd_alignment(void)
{
    long *block = shmem_align(right ? 32 : 24, N * sizeof *block); /* odd_alignment */

    if ((uintptr_t)block % 32)
        exit(2);
    shmem_free(block);
}

static void small_alignment(void)
{
    long *block = shmem_align(right ? 8 : 2, N * sizeof *block); /* small_alignment */

    if (!block || (uintptr_t)block % 8)
        exit(2);
    shmem_free(block);
}

static void lost_block(void)
{
    for (int i = 0; i < 3; i++) {
        long *block = shmem_malloc(N * sizeof *block); /* lost_block */

        if (right)
            shmem_free(block);
    }
}

static void lost_team(void)
{
    shmem_team_t team;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team); /* lost_team */
    if (right)
        shmem_team_destroy(team);
}

static void lost_ctx(void)
{
    shmem_ctx_t ctx;

    shmem_ctx_create(0, &ctx); /* lost_ctx */
    if (right)
        shmem_ctx_destroy(ctx);
}

static void lost_private_ctx(void)
{
    shmem_ctx_t ctx;

    shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx); /* lost_private_ctx */
    if (right)
        shmem_ctx_destroy(ctx);
}

/* ---- contexts and teams ---- */

static void ended_ctx(void)
{
    shmem_ctx_t ctx, used = SHMEM_CTX_DEFAULT;

    shmem_ctx_create(0, &ctx);
    shmem_ctx_destroy(ctx);
    if (!right)
        used = ctx;
    shmem_ctx_long_p(used, &count, 1, next); /* ended_ctx */
}

static void ctx_ended_twice(void)
{
    shmem_ctx_t ctx;

    shmem_ctx_create(0, &ctx);
    shmem_ctx_destroy(ctx);
    if (!right)
        shmem_ctx_destroy(ctx); /* ctx_ended_twice */
}

static void ctx_of_ended_team(void)
{
    shmem_team_t team;
    shmem_ctx_t ctx;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team);
    shmem_team_create_ctx(team, 0, &ctx);
    if (!right)
        shmem_team_destroy(team);
    shmem_ctx_quiet(ctx); /* ctx_of_ended_team */
    if (right)
        shmem_team_destroy(team);
}

static void invalid_ctx(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;

    if (right)
        shmem_ctx_quiet(ctx);
    else
        shmem_ctx_long_p(ctx, &count, 1, next); /* invalid_ctx */
}

static void ended_team(void)
{
    shmem_team_t team;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team);
    if (right)
        shmem_team_sync(team);
    shmem_team_destroy(team);
    if (!right)
        shmem_team_sync(team); /* ended_team */
}

static void team_ended_twice(void)
{
    shmem_team_t team;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team);
    shmem_team_destroy(team);
    if (!right)
        shmem_team_destroy(team); /* team_ended_twice */
}

static void not_in_team(void)
{
    shmem_team_t team;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
    if (!right || team != SHMEM_TEAM_INVALID)
        shmem_team_sync(team); /* not_in_team */
    shmem_team_destroy(team);
}

/* PE 0's alone; the other has nothing to do there, and no array for it. */
static void outside_set(void)
{
    if (me == 0 || !right)
        shmem_barrier(0, 0, 1, me == 0 ? sync_array : NULL); /* outside_set */
}

/* The check would post to the PE behind this one, which is not there. */
static void no_such_pe_in_set(void)
{
    int n_pes = shmem_n_pes();

    shmem_barrier(0, 0, right ? n_pes : n_pes + 1, sync_array); /* no_such_pe_in_set */
}

static void negative_in_set(void)
{
    static long sync[SHMEM_REDUCE_SYNC_SIZE];
    static int sum, part, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
    int n = right ? 1 : -1;

    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        sync[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    shmem_int_sum_to_all(&sum, &part, n, 0, 0, 2, work, sync); /* negative_in_set */
}

/* ---- threads ---- */

static shmem_ctx_t shared;
static pthread_barrier_t meeting;

static void *use_shared(void *unused)
{
    shmem_ctx_long_p(shared, &count, 1, next); /* foreign_ctx */
    return NULL;
}

static void foreign_ctx(void)
{
    shmem_ctx_create(right ? 0 : SHMEM_CTX_PRIVATE, &shared);
    run_in_thread(use_shared);
    shmem_ctx_destroy(shared);
}

static void *put_one(void *unused)
{
    shmem_long_p(&count, 1, next); /* single_thread */
    return NULL;
}

static void single_thread(void)
{
    if (right)
        put_one(NULL);
    else
        run_in_thread(put_one);
}

static void *end(void *unused)
{
    shmem_finalize(); /* single_thread_ends */
    return NULL;
}

static void *meet_others(void *unused)
{
    shmem_barrier_all(); /* single_thread_meets */
    return NULL;
}

/* The call of the wrong thread counts: those that follow match. */
static void single_thread_meets(void)
{
    if (me == 0 && !right)
        run_in_thread(meet_others);
    else
        shmem_barrier_all();
    shmem_sync_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, edge, &count, 1);
}

static void single_thread_ends(void)
{
    if (right)
        end(NULL);
    else
        run_in_thread(end);
}

/* Waits in a call for what only the other thread can do, which then has to make one, too. */
static void *wait_for_one(void *unused)
{
    pthread_barrier_wait(&meeting);
    shmem_long_wait_until(&count, SHMEM_CMP_EQ, 1);
    return NULL;
}

static void two_at_once(void)
{
    struct timespec moment = {0, 50000000};
    pthread_t thread;

    pthread_barrier_init(&meeting, NULL, 2);
    if (right)
        shmem_long_atomic_set(&count, 1, me);
    pthread_create(&thread, NULL, wait_for_one, NULL);
    pthread_barrier_wait(&meeting);
    nanosleep(&moment, NULL);
    if (!right)
        shmem_long_atomic_set(&count, 1, me); /* two_at_once */
    pthread_join(thread, NULL);
}

static void *quiet_shared(void *unused)
{
    pthread_barrier_wait(&meeting);
    for (int i = 0; i < 200000; i++)
        shmem_ctx_long_atomic_fetch_add(shared, &count, 1, next); /* shared_at_once */
    return NULL;
}

static void shared_at_once(void)
{
    pthread_t thread;

    shmem_ctx_create(right ? 0 : SHMEM_CTX_SERIALIZED, &shared);
    pthread_barrier_init(&meeting, NULL, 2);
    pthread_create(&thread, NULL, quiet_shared, NULL);
    quiet_shared(NULL);
    pthread_join(thread, NULL);
    shmem_ctx_destroy(shared);
}

/* ---- locks ---- */

static void lock_taken_twice(void)
{
    shmem_set_lock(&lock);
    if (!right)
        shmem_test_lock(&lock); /* lock_taken_twice */
    shmem_clear_lock(&lock);
}

static void lock_not_held(void)
{
    if (right)
        shmem_set_lock(&lock);
    shmem_clear_lock(&lock); /* lock_not_held */
}

/* PE 0 has released the lock before it clears the lock of the other PE. */
static void lock_of_another(void)
{
    if (me == 0) {
        shmem_set_lock(&lock);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    if (me == last)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me == 0 && !right)
        shmem_clear_lock(&lock); /* lock_of_another */
    shmem_barrier_all();
    if (me == last)
        shmem_clear_lock(&lock);
}

static void lock_kept(void)
{
    if (me == 0)
        shmem_set_lock(&lock); /* lock_kept */
    if (me == 0 && right)
        shmem_clear_lock(&lock);
}

/* ---- time ---- */

static void after_end(void)
{
    if (right)
        count = shmem_my_pe();
    shmem_finalize();
    if (!right)
        count = shmem_my_pe(); /* after_end */
}

static void finalized_twice(void)
{
    shmem_finalize();
    if (!right)
        shmem_finalize(); /* finalized_twice */
}

/* Its mistake comes before all cases. */
static void before_start(void)
{
}

int main(int argc, char **argv)
{
    static const struct mistake_case cases[] = {
        CASE(freed_twice),
        CASE(freed_inside),
        CASE(freed_static),
        CASE(odd_alignment),
        CASE(small_alignment),
        CASE(lost_block),
        CASE(lost_team),
        CASE(lost_ctx),
        CASE(lost_private_ctx),
        CASE(ended_ctx),
        CASE(ctx_ended_twice),
        CASE(ctx_of_ended_team),
        CASE(invalid_ctx),
        CASE(ended_team),
        CASE(team_ended_twice),
        CASE(not_in_team),
        CASE(outside_set),
        CASE(no_such_pe_in_set),
        CASE(negative_in_set),
        CASE_AT(foreign_ctx, SHMEM_THREAD_MULTIPLE),
        CASE_AT(single_thread, SHMEM_THREAD_FUNNELED),
        CASE(single_thread_ends),
        CASE(single_thread_meets),
        CASE_AT(two_at_once, SHMEM_THREAD_SERIALIZED),
        CASE_AT(shared_at_once, SHMEM_THREAD_MULTIPLE),
        CASE(lock_taken_twice),
        CASE(lock_not_held),
        CASE(lock_kept),
        CASE(lock_of_another),
        CASE(after_end),
        CASE(finalized_twice),
        CASE(before_start),
    };

    if (argc == 2 && strcmp(argv[1], "before_start") == 0)
        shmem_n_pes(); /* before_start */
    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
