/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mistakes CASE [right]: a program with one mistake, or the same without it. The line that oshrun
 * --check has to name ends with the case's name in a comment.
 */
#define SHMEM_CLASSIC
#include "cases.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 10 };

static long edge[N], corner[N], count;
static long lock;
static uint64_t arrived[2];

/* ---- past the end ---- */

static void past_block(void)
{
    long *block = shmem_malloc(N * sizeof *block), values[N + 1] = {0};

    shmem_long_put(block, values, right ? N : N + 1, next); /* past_block */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_often(void)
{
    long values[N + 1] = {0};

    for (int i = 0; i < 1000; i++)
        shmem_long_put(edge, values, right ? N : N + 1, next); /* past_often */
}

static void __attribute__((noinline)) put_too_much(long *block)
{
    long values[N + 1] = {0};

    shmem_long_put(block, values, right ? N : N + 1, me); /* past_in_child */
}

/* First a child of PE 0, which is none and which the library ends, then the last PE. */
static void past_in_child(void)
{
    long *block = shmem_malloc(N * sizeof *block);
    pid_t child = me == 0 && !right ? fork() : -1;

    if (child == 0) {
        put_too_much(block);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    shmem_barrier_all();
    if (me == last)
        put_too_much(block);
    shmem_free(block);
}

/* One PE goes wrong with its dest, the next one with its source. */
static void past_either(void)
{
    long *dest = shmem_malloc(N * sizeof *dest), *source = shmem_calloc(N, sizeof *source);
    int odd = me % 2;

    shmem_long_put(dest + !odd, source + odd, right ? N - 1 : N, next); /* past_either */
    shmem_barrier_all();
    shmem_free(source);
    shmem_free(dest);
}

static void past_static(void)
{
    long values[N + 1] = {0};

    shmem_long_put(edge, values, right ? N : N + 1, next); /* past_static */
}

static void past_in_the_middle(void)
{
    long *block = shmem_malloc(N * sizeof *block), values[N] = {0};

    shmem_long_get(values, block + 4, right ? N - 4 : N - 3, next); /* past_in_the_middle */
    shmem_free(block);
}

static void past_by_stride(void)
{
    long *block = shmem_malloc(N * sizeof *block), values[4] = {0};

    shmem_long_iput(block, values, right ? 3 : 4, 1, 4, next); /* past_by_stride */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_by_blocks(void)
{
    long *block = shmem_malloc(N * sizeof *block), values[6] = {0};

    shmem_long_ibget(values, block, 2, right ? 4 : 5, 2, 3, next); /* past_by_blocks */
    shmem_free(block);
}

static void past_one(void)
{
    long *block = shmem_malloc(N * sizeof *block);

    shmem_long_p(&block[right ? N - 1 : N], 1, next); /* past_one */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_atomic(void)
{
    int *block = shmem_malloc(6);

    shmem_int_atomic_inc(&block[!right], next); /* past_atomic */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_local(void)
{
    long *block = shmem_malloc(N * sizeof *block), *own = shmem_malloc(4 * sizeof *own);

    memset(own, 0, 4 * sizeof *own);
    shmem_long_put(block, own, right ? 4 : 5, next); /* past_local */
    shmem_barrier_all();
    shmem_free(own);
    shmem_free(block);
}

static void past_gathered(void)
{
    long *all = shmem_malloc((size_t)n * 2 * sizeof *all), *some = shmem_calloc(4, sizeof *some);

    shmem_long_fcollect(SHMEM_TEAM_WORLD, all, some, right ? 2 : 3); /* past_gathered */
    shmem_free(some);
    shmem_free(all);
}

static void past_reduced(void)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, edge, corner + 1, right ? N - 1 : N); /* past_reduced */
}

static void past_signal(void)
{
    char *block = shmem_calloc(1, 20);
    uint64_t *signal = (uint64_t *)block;

    shmem_signal_set(&signal[right ? 1 : 2], 1, next); /* past_signal */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_awaited(void)
{
    int *flags = shmem_calloc(3, sizeof *flags);

    shmem_int_test_any(flags, right ? 3 : 4, NULL, SHMEM_CMP_EQ, 1); /* past_awaited */
    shmem_free(flags);
}

static void behind_blocks(void)
{
    long *block = shmem_malloc(N * sizeof *block), *last = shmem_malloc(N * sizeof *last);

    shmem_long_p(right ? block : block + N, 1, next); /* behind_blocks */
    shmem_barrier_all();
    shmem_free(last);
    shmem_free(block);
}

/* ---- freed, private, NULL, not aligned, overlapping ---- */

static void freed_block(void)
{
    long *block = shmem_malloc(N * sizeof *block), *other = shmem_malloc(N * sizeof *other);

    shmem_free(block);
    shmem_long_p(right ? other : block + 1, 1, next); /* freed_block */
    shmem_barrier_all();
    shmem_free(other);
}

static void moved_block(void)
{
    long *block = shmem_malloc(N * sizeof *block), *before = block;
    long *wall = shmem_malloc(N * sizeof *wall), value;

    block = shmem_realloc(block, 5000 * sizeof *block);
    value = shmem_long_g(right ? block : before, next); /* moved_block */
    (void)value;
    shmem_free(wall);
    shmem_free(block);
}

static void on_stack(void)
{
    long *block = shmem_malloc(sizeof *block), private = 0;

    if (right)
        shmem_long_p(block, 1, next);
    else
        shmem_long_p(&private, 1, next); /* on_stack */
    shmem_barrier_all();
    shmem_free(block);
}

static void in_malloc(void)
{
    long *block = malloc(sizeof *block);

    shmem_long_atomic_add(right ? &count : block, 1, next); /* in_malloc */
    shmem_barrier_all();
    free(block);
}

static void null_source(void)
{
    shmem_long_put(edge, NULL, right ? 0 : 2, next); /* null_source */
}

static void no_such_pe(void)
{
    shmem_long_p(&count, 1, right ? next : shmem_n_pes()); /* no_such_pe */
}

/* PEs of a context are those of its team. */
static void ctx_without_pe(void)
{
    shmem_team_t first;
    shmem_ctx_t ctx;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &first);
    if (me != 0)
        return;
    shmem_team_create_ctx(first, 0, &ctx);
    shmem_ctx_long_atomic_add(ctx, &count, 1, right ? 0 : 1); /* ctx_without_pe */
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(first);
}

static void not_aligned(void)
{
    char *block = shmem_calloc(2, sizeof(long));

    shmem_long_p((long *)(block + (right ? 8 : 4)), 1, next); /* not_aligned */
    shmem_barrier_all();
    shmem_free(block);
}

static void onto_itself(void)
{
    shmem_long_put(edge + (right ? 5 : 2), edge, 4, me); /* onto_itself */
}

static void in_place_broadcast(void)
{
    long *dest = right ? corner : edge;

    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, edge, N, 0); /* in_place_broadcast */
}

static void half_in_place(void)
{
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, edge + !right, edge, N - 1); /* half_in_place */
}

static void signal_in_data(void)
{
    uint64_t from[2] = {0, 0}, *to = arrived;
    size_t nelems = right ? 1 : 2;

    shmem_uint64_put_signal(to, from, nelems, &to[1], 1, 0, next); /* signal_in_data */
}

/* ---- after calls that are right, which the tool need not look at ---- */

/* What was used a lot; each of these routines has been called before, for the first call is seen.
 */
static void use(long *block)
{
    long value[N] = {0};

    for (int i = 0; i < 100; i++) {
        shmem_long_p(&block[i % N], 1, next);
        shmem_long_put(block, value, N, next);
        shmem_ctx_long_p(SHMEM_CTX_DEFAULT, &block[i % N], 1, next);
        shmem_long_get(value, block, N, next);
        shmem_ctx_long_get(SHMEM_CTX_DEFAULT, value, block, N, next);
        value[0] += shmem_long_g(block, next) + shmem_long_atomic_fetch_add(block, 1, next);
    }
}

static long *use_block(void)
{
    long *block = shmem_calloc(N, sizeof *block);

    use(block);
    return block;
}

static void past_one_at_last(void)
{
    long *block = use_block();

    shmem_long_p(&block[right ? N - 1 : N], 1, next); /* past_one_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_block_at_last(void)
{
    long *block = use_block(), values[N + 1] = {0};

    shmem_long_put(block + 1, values, right ? N - 1 : N, next); /* past_block_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

/* So many elements that their bytes are 0 again. */
static void past_count_at_last(void)
{
    long *block = use_block(), values[1] = {0};

    shmem_long_put(block, values, right ? 1 : (size_t)1 << 61, next); /* past_count_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_static_at_last(void)
{
    use(edge);
    shmem_long_p(&edge[right ? N - 1 : N], 1, next); /* past_static_at_last */
}

static void past_local_at_last(void)
{
    long *block = use_block();

    shmem_long_get(&edge[right ? 8 : 9], block, 2, next); /* past_local_at_last */
    shmem_free(block);
}

static void null_dest_at_last(void)
{
    long *block = use_block(), value;

    shmem_long_get(right ? &value : NULL, block, 1, next); /* null_dest_at_last */
    shmem_free(block);
}

/* Memory on the other side that is symmetric as well is looked at. */
static void onto_itself_at_last(void)
{
    long *block = use_block();

    shmem_long_put(block + (right ? 5 : 2), block, 4, me); /* onto_itself_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

static void not_aligned_local_at_last(void)
{
    long *block = use_block(), values[2];
    char *to = (char *)values + (right ? 8 : 4);

    shmem_long_get((long *)to, block, 1, next); /* not_aligned_local_at_last */
    shmem_free(block);
}

static void moved_block_at_last(void)
{
    long *block = use_block(), *before = block, *wall = shmem_malloc(N * sizeof *wall), value;

    block = shmem_realloc(block, 5000 * sizeof *block);
    value = shmem_long_g(right ? block : before, next); /* moved_block_at_last */
    (void)value;
    shmem_free(wall);
    shmem_free(block);
}

static void freed_block_at_last(void)
{
    long *other = shmem_malloc(N * sizeof *other), *block = use_block();

    shmem_free(block);
    shmem_long_p(right ? other : block, 1, next); /* freed_block_at_last */
    shmem_barrier_all();
    shmem_free(other);
}

static void no_such_pe_at_last(void)
{
    long *block = use_block();

    shmem_long_p(block, 1, right ? next : -1); /* no_such_pe_at_last */
    shmem_free(block);
}

static void not_aligned_at_last(void)
{
    long *block = use_block();

    shmem_long_p((long *)((char *)block + (right ? 8 : 4)), 1, next); /* not_aligned_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

static void ended_ctx_at_last(void)
{
    long *block = use_block();
    shmem_ctx_t ctx, used = SHMEM_CTX_DEFAULT;

    shmem_ctx_create(0, &ctx);
    shmem_ctx_destroy(ctx);
    if (!right)
        used = ctx;
    shmem_ctx_long_p(used, block, 1, next); /* ended_ctx_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

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

/* ---- threads ---- */

static shmem_ctx_t shared;
static pthread_barrier_t meeting;

static void run(void *(*body)(void *))
{
    pthread_t thread;

    pthread_create(&thread, NULL, body, NULL);
    pthread_join(thread, NULL);
}

static void *use_shared(void *unused)
{
    shmem_ctx_long_p(shared, &count, 1, next); /* foreign_ctx */
    return NULL;
}

static void foreign_ctx(void)
{
    shmem_ctx_create(right ? 0 : SHMEM_CTX_PRIVATE, &shared);
    run(use_shared);
    shmem_ctx_destroy(shared);
}

static void *put_one(void *unused)
{
    shmem_long_p(&count, 1, next); /* single_thread */
    return NULL;
}

static long *used;

static void *put_at_last(void *unused)
{
    shmem_long_p(used, 1, next); /* single_thread_at_last */
    return NULL;
}

static void single_thread_at_last(void)
{
    used = use_block();
    if (right)
        put_at_last(NULL);
    else
        run(put_at_last);
    shmem_barrier_all();
    shmem_free(used);
}

static void single_thread(void)
{
    if (right)
        put_one(NULL);
    else
        run(put_one);
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

/* Its mistake comes before all cases. */
static void before_start(void)
{
}

int main(int argc, char **argv)
{
    static const struct mistake_case cases[] = {
        CASE(past_block),
        CASE(past_often),
        CASE(past_in_child),
        CASE(past_either),
        CASE(past_static),
        CASE(past_in_the_middle),
        CASE(past_by_stride),
        CASE(past_by_blocks),
        CASE(past_one),
        CASE(past_atomic),
        CASE(past_local),
        CASE(past_gathered),
        CASE(past_reduced),
        CASE(past_signal),
        CASE(past_awaited),
        CASE(behind_blocks),
        CASE(freed_block),
        CASE(moved_block),
        CASE(on_stack),
        CASE(in_malloc),
        CASE(null_source),
        CASE(no_such_pe),
        CASE(ctx_without_pe),
        CASE(not_aligned),
        CASE(onto_itself),
        CASE(in_place_broadcast),
        CASE(half_in_place),
        CASE(signal_in_data),
        CASE(past_one_at_last),
        CASE(past_block_at_last),
        CASE(past_count_at_last),
        CASE(past_static_at_last),
        CASE(past_local_at_last),
        CASE(null_dest_at_last),
        CASE(onto_itself_at_last),
        CASE(not_aligned_local_at_last),
        CASE(moved_block_at_last),
        CASE(freed_block_at_last),
        CASE(no_such_pe_at_last),
        CASE(not_aligned_at_last),
        CASE(ended_ctx_at_last),
        CASE(freed_twice),
        CASE(freed_inside),
        CASE(freed_static),
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
        CASE_AT(foreign_ctx, SHMEM_THREAD_MULTIPLE),
        CASE_AT(single_thread, SHMEM_THREAD_FUNNELED),
        CASE_AT(single_thread_at_last, SHMEM_THREAD_FUNNELED),
        CASE_AT(two_at_once, SHMEM_THREAD_SERIALIZED),
        CASE_AT(shared_at_once, SHMEM_THREAD_MULTIPLE),
        CASE(lock_taken_twice),
        CASE(lock_not_held),
        CASE(lock_kept),
        CASE(after_end),
        CASE(before_start),
    };

    if (argc == 2 && strcmp(argv[1], "before_start") == 0)
        shmem_n_pes(); /* before_start */
    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
