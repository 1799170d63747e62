/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * races CASE [right]: a program whose accesses race, or the same in order. The two calls that race
 * have ONE and OTHER in a comment.
 */
#include "cases.h"

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

enum { N = 512, LARGE = 1 << 17 };

static long data[N], copy[N], x, y, flag, flags[64], lock;
static uint64_t sig;
static long own[N];

/* ---- puts and gets ---- */

static void put_put(void)
{
    if (me == 0 || me == last)
        shmem_long_p(right ? &data[me] : &x, me, 0); /* ONE OTHER */
}

static void put_get(void)
{
    if (me == 0)
        shmem_long_put(data, own, 10, last); /* ONE */
    if (right)
        shmem_barrier_all();
    if (me == last)
        own[0] = shmem_long_g(&data[9], last); /* OTHER */
}

static void get_put(void)
{
    if (me == 0)
        shmem_long_get(own, data, 10, last); /* ONE */
    if (right)
        shmem_barrier_all();
    if (me == last)
        shmem_long_put(&data[5], own, 10, last); /* OTHER */
}

static void local_source(void)
{
    if (me == 0)
        shmem_long_put(copy, data, 10, last); /* ONE */
    if (right)
        shmem_barrier_all();
    if (me == last)
        shmem_long_p(&data[4], 1, 0); /* OTHER */
}

static void local_dest(void)
{
    if (me == 0)
        shmem_long_get(data, copy, 10, last); /* ONE */
    if (right)
        shmem_barrier_all();
    if (me == last)
        own[0] = shmem_long_g(&data[4], 0); /* OTHER */
}

static void large(void)
{
    long *block = shmem_malloc(LARGE * sizeof *block), *from = calloc(LARGE, sizeof *from);

    if (me == 0)
        shmem_long_put(block, from, LARGE - 1, last); /* ONE */
    if (me == last)
        own[0] = shmem_long_g(&block[right ? LARGE - 1 : LARGE / 2], last); /* OTHER */
    shmem_free(block);
    free(from);
}

static void large_behind(void)
{
    long *block = shmem_malloc(LARGE * sizeof *block), *from = calloc(LARGE, sizeof *from);

    if (me == 0)
        shmem_long_p(&block[LARGE / 2], 1, last); /* ONE */
    if (right)
        shmem_barrier_all();
    else
        shmem_sync_all();
    if (me == last)
        shmem_long_get(from, block, LARGE, last); /* OTHER */
    shmem_free(block);
    free(from);
}

/* ---- many words, whose calls the check's wrappers log themselves ---- */

static void strides(void)
{
    if (me == 0 || me == last)
        shmem_long_iput(data + (right && me), own, 2, 1, 100, 0); /* ONE OTHER */
    shmem_barrier_all();
    if (me == 0 || me == last)
        shmem_long_iget(own, data + !!me, 1, 2, 100, 0);
}

static void blocks(void)
{
    if (me == 0 || me == last)
        shmem_long_ibput(data + (me ? 4 : 0), own, 8, 5, right ? 4 : 5, 9, 0); /* ONE OTHER */
}

/* ---- order ---- */

static void sync_for_barrier(void)
{
    if (me == 0)
        shmem_long_put(data, own, 10, last); /* ONE */
    if (right)
        shmem_quiet();
    shmem_sync_all();
    if (me == last)
        shmem_long_put(copy, data, 10, 0); /* OTHER */
}

static void no_fence(void)
{
    if (me == 0) {
        shmem_long_put(data, own, 10, last); /* ONE */
        if (right)
            shmem_fence();
        shmem_long_atomic_set(&flag, 1, last);
    }
    if (me == last) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_put(copy, data, 10, 0); /* OTHER */
    }
}

static void put_flag(void)
{
    if (me == 0) {
        shmem_long_put(data, own, 10, last); /* ONE */
        if (right)
            shmem_fence();
        shmem_long_p(&flag, 1, last);
    }
    if (me == last) {
        while (!shmem_long_test(&flag, SHMEM_CMP_EQ, 1))
            ;
        own[0] = shmem_long_g(data, last); /* OTHER */
        shmem_long_p(&flag, 0, last);
    }
}

/* What comes with the signal is there, what was put before it need not be. */
static void signalled(void)
{
    if (me == 0) {
        if (!right)
            shmem_long_put(&data[1], own, 1, last); /* ONE */
        shmem_long_put_signal(data, own, 1, &sig, 1, SHMEM_SIGNAL_SET, last);
    }
    if (me == last) {
        shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);
        shmem_long_put(copy, data, 2, 0); /* OTHER */
    }
}

/* A buffer is used again after word from its reader, which a load gets only by luck. */
static void no_reply(void)
{
    for (long i = 1; i < 20; i++) {
        if (me == 0) {
            if (right)
                shmem_long_wait_until(&flags[1], SHMEM_CMP_GE, i - 1);
            while (__atomic_load_n(&flags[1], __ATOMIC_RELAXED) < i - 1)
                sched_yield();
            shmem_long_put(data, own, 10, last); /* ONE */
            shmem_fence();
            shmem_long_atomic_set(&flags[0], i, last);
        }
        if (me == last) {
            shmem_long_wait_until(&flags[0], SHMEM_CMP_GE, i);
            shmem_long_put(copy, data, 10, last); /* OTHER */
            shmem_quiet();
            shmem_long_atomic_set(&flags[1], i, 0);
        }
    }
}

/* What one PE tells another, that tells a third. */
static void passed_on(void)
{
    int middle = n / 2;

    if (me == 0) {
        shmem_long_put(data, own, 10, last); /* ONE */
        if (right)
            shmem_quiet();
        shmem_long_atomic_inc(&flags[0], middle);
    }
    if (me == middle) {
        shmem_long_wait_until(&flags[0], SHMEM_CMP_EQ, 1);
        shmem_long_atomic_inc(&flags[1], last);
    }
    if (me == last) {
        shmem_long_wait_until(&flags[1], SHMEM_CMP_EQ, 1);
        own[0] = shmem_long_g(data, last); /* OTHER */
    }
}

/* All put to their place and count; the counter says when all is there. */
static void counter(void)
{
    if (me > 0) {
        shmem_long_p(&data[me], me, 0); /* ONE */
        if (right)
            shmem_fence();
        shmem_long_atomic_inc(&flag, 0);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, last);
        shmem_long_put(copy, data, (size_t)n, last); /* OTHER */
    }
}

static void any_flag(void)
{
    if (me > 0) {
        shmem_long_p(&data[me], me, 0); /* ONE */
        shmem_fence();
        shmem_long_atomic_set(&flags[me], 1, 0);
        return;
    }
    for (int i = 1; i < n; i++) {
        size_t found = shmem_long_wait_until_any(flags, (size_t)n, NULL, SHMEM_CMP_EQ, 1);

        flags[found] = 0;
        if (!right)
            own[0] = shmem_long_g(&data[found % (size_t)last + 1], 0); /* OTHER */
        else
            own[0] = shmem_long_g(&data[found], 0);
    }
}

/* A context's puts are completed by its own quiet only. */
static void other_ctx(void)
{
    shmem_ctx_t ctx;

    shmem_ctx_create(0, &ctx);
    if (me == 0)
        shmem_ctx_long_put(ctx, data, own, 10, last); /* ONE */
    if (right)
        shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    if (me == last)
        shmem_long_put(copy, data, 10, 0); /* OTHER */
    shmem_ctx_destroy(ctx);
}

/* Those that meet are not those that have to. */
static void other_team(void)
{
    shmem_team_t team;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, right ? n : last, NULL, 0, &team);
    if (me == 0) {
        shmem_long_put(data, own, 10, last); /* ONE */
        shmem_quiet();
    }
    if (team != SHMEM_TEAM_INVALID)
        shmem_team_sync(team);
    if (me == last)
        own[0] = shmem_long_g(data, last); /* OTHER */
    shmem_barrier_all();
    shmem_team_destroy(team);
}

/* ---- locks ---- */

static void forgotten_lock(void)
{
    bool locks = right || me != last;
    long value;

    if (locks)
        shmem_set_lock(&lock);
    value = shmem_long_g(&x, 0); /* ONE */
    shmem_quiet();
    shmem_long_p(&x, value + 1, 0); /* OTHER */
    if (locks)
        shmem_clear_lock(&lock);
}

/* A lock made by hand gives order as well, if what it guards is complete when it is given back. */
static void own_lock(void)
{
    while (shmem_long_atomic_compare_swap(&lock, 0, 1, 0) != 0)
        ;
    own[0] = shmem_long_g(&x, 0);    /* ONE */
    shmem_long_p(&x, own[0] + 1, 0); /* OTHER */
    if (right)
        shmem_quiet();
    shmem_long_atomic_set(&lock, 0, 0);
}

/*
 * By more PEs than cores: most look at the lock many times, while others come and go, and all of
 * what these tell each other goes on from one to the next.
 */
static void lock_in_crowd(void)
{
    for (int i = 0; i < 20000; i++) {
        while (shmem_long_atomic_compare_swap(&lock, 0, me + 1, 0) != 0)
            ;
        shmem_long_p(&x, me, 0);
        shmem_quiet();
        shmem_long_atomic_set(&lock, 0, 0);
    }
}

/* Until it has that value; what a fetch that does not wait says is known after it is complete. */
static void poll(long *word, long value, bool by_destroy)
{
    long seen = 0;

    while (seen != value) {
        shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;

        if (by_destroy)
            shmem_ctx_create(0, &ctx);
        shmem_ctx_long_atomic_fetch_nbi(ctx, &seen, word, me);
        if (by_destroy)
            shmem_ctx_destroy(ctx);
        else
            shmem_quiet();
    }
}

static void flag_by_quiet(void)
{
    for (long i = 1; i <= 300; i++) {
        if (me == 0) {
            shmem_long_put(data, own, 10, last);
            shmem_quiet();
            shmem_long_atomic_set(&flags[0], i, last);
            shmem_long_wait_until(&flags[1], SHMEM_CMP_EQ, i);
        }
        if (me == last) {
            poll(&flags[0], i, i % 2);
            own[1] = shmem_long_g(data, last);
            shmem_long_atomic_set(&flags[1], i, 0);
        }
    }
}

/* ---- atomic operations ---- */

static void histogram(void)
{
    unsigned state = (unsigned)me + 1;

    for (int i = 0; i < 3000; i++) {
        size_t at = (state = state * 1103515245 + 12345) >> 8 & (N - 1);
        int pe = (int)(at % (size_t)n);

        if (right)
            shmem_long_atomic_inc(&data[at], pe);
        else
            shmem_long_p(&data[at], shmem_long_g(&data[at], pe) + 1, pe); /* ONE OTHER */
        if (!right)
            shmem_quiet();
    }
}

static void mixed(void)
{
    if (me == 0)
        shmem_long_atomic_add(&x, 1, last); /* ONE */
    if (right)
        shmem_barrier_all();
    if (me == last)
        shmem_long_p(&x, 5, last); /* OTHER */
}

static void mixed_fetch(void)
{
    if (me == 0)
        shmem_long_p(&x, 5, last); /* ONE */
    if (right)
        shmem_barrier_all();
    if (me == last)
        own[0] = shmem_long_atomic_fetch(&x, last); /* OTHER */
}

/* ---- what a PE does itself ---- */

static void read_back(void)
{
    shmem_long_p(&x, me, last == me ? 0 : me + 1); /* ONE */
    if (right)
        shmem_quiet();
    own[0] = shmem_long_g(&x, last == me ? 0 : me + 1); /* OTHER */
}

static void put_twice(void)
{
    shmem_long_put(data, own, 10, next); /* ONE */
    if (right)
        shmem_fence();
    shmem_long_p(&data[3], 5, next); /* OTHER */
}

static void source_used_again(void)
{
    shmem_long_put_nbi(copy, data, 10, (me + 1) % n); /* ONE */
    if (right)
        shmem_quiet();
    shmem_long_get(data, flags, 4, (me + 1) % n); /* OTHER */
}

static void private_source(void)
{
    shmem_long_put_nbi(copy, own, 10, (me + 1) % n); /* ONE */
    if (right)
        shmem_quiet();
    shmem_long_get(&own[9], data, 4, (me + 1) % n); /* OTHER */
}

static void read_early(void)
{
    shmem_long_get_nbi(data, copy, 10, (me + 1) % n); /* ONE */
    if (right)
        shmem_quiet();
    shmem_long_put(flags, data, 10, me); /* OTHER */
}

static void private_dest(void)
{
    shmem_long_get_nbi(own, data, 10, (me + 1) % n); /* ONE */
    if (right)
        shmem_quiet();
    shmem_long_put(copy, own, 10, me); /* OTHER */
}

static void fetched_early(void)
{
    shmem_long_atomic_fetch_add_nbi(&y, &x, 1, 0); /* ONE */
    if (right)
        shmem_quiet();
    shmem_long_put(copy, &y, 1, me); /* OTHER */
}

/* ---- collective calls ---- */

static void broadcast_dest(void)
{
    shmem_long_broadcast(SHMEM_TEAM_WORLD, copy, data, 10, 0); /* ONE */
    if (right)
        shmem_barrier_all();
    if (me == 0)
        shmem_long_get(own, copy, 10, last); /* OTHER */
}

static void reduce_source(void)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, copy, data, 10); /* ONE */
    if (right)
        shmem_sync_all();
    if (me == 0)
        shmem_long_p(data, 1, last); /* OTHER */
}

static void before_reduce(void)
{
    if (me == 0)
        shmem_long_p(data, 1, last); /* ONE */
    if (right)
        shmem_barrier_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, copy, data, 10); /* OTHER */
}

static void exchanged(void)
{
    shmem_long_alltoall(SHMEM_TEAM_WORLD, copy, data, 10); /* ONE */
    if (right)
        shmem_barrier_all();
    if (me == last)
        shmem_long_p(&copy[9], 1, 0); /* OTHER */
}

/* A collective that needs something of all orders what came before it in all, if that is complete.
 */
static void reduce_orders(void)
{
    if (me == 0)
        shmem_long_p(&data[20], 1, last); /* ONE */
    if (right)
        shmem_quiet();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, copy, data, 10);
    if (me == last)
        own[0] = shmem_long_g(&data[20], last); /* OTHER */
}

/* ---- what is right ---- */

/* Two buffers in turn, and a block that is freed and made again; nothing races in either. */
static void barriers(void)
{
    for (int i = 0; i < 100; i++) {
        long *block = shmem_malloc(1000 * sizeof *block);

        shmem_long_put(block, own, N, next);
        shmem_barrier_all();
        shmem_long_put(copy, block, N, me);
        shmem_long_get(own, block, N, next);
        shmem_barrier_all();
        shmem_long_p(&block[i], 1, next);
        shmem_free(block);
    }
}

/* Each PE sends to each other one, and again when that has thanked it. */
static void mailboxes(void)
{
    static uint64_t signals[64], thanks[64];
    static long boxes[64 * 8];

    for (uint64_t step = 1; step < 30; step++) {
        int done[64] = {0};
        uint64_t wanted[64];

        for (int pe = 0; pe < n; pe++) {
            wanted[pe] = step;
            done[pe] = pe == me;
            if (pe == me)
                continue;
            shmem_uint64_wait_until(&thanks[pe], SHMEM_CMP_GE, step - 1);
            shmem_long_put_signal_nbi(&boxes[me * 8], own, 8, &signals[me], step, SHMEM_SIGNAL_SET,
                                      pe);
        }
        shmem_quiet();
        for (int i = 1; i < n; i++) {
            size_t from =
                shmem_uint64_wait_until_any_vector(signals, (size_t)n, done, SHMEM_CMP_GE, wanted);

            done[from] = 1;
            shmem_long_get(own, &boxes[from * 8], 8, me);
            shmem_uint64_atomic_set(&thanks[me], step, (int)from);
        }
    }
}

/* PEs take tasks that others have made, whose number is drawn, and put the results there. */
static void tasks(void)
{
    static long made, drawn, inputs[N], results[N];
    long task;

    if (me == 0)
        for (long i = 0; i < N; i++) {
            shmem_long_p(&inputs[i], i, i % n);
            if (i % 16 == 15) {
                shmem_quiet();
                shmem_long_atomic_set(&made, i + 1, 0);
            }
        }
    while ((task = shmem_long_atomic_fetch_inc(&drawn, 0)) < N) {
        while (shmem_long_atomic_fetch(&made, 0) <= task)
            ;
        shmem_long_p(&results[task], shmem_long_g(&inputs[task], (int)(task % n)) + 1, 0);
    }
    shmem_barrier_all();
    if (me == 0)
        shmem_long_get(own, results, N, 0);
}

/* So much is read elsewhere that the mark of the flag is forgotten, and what it says is not. */
static void crowd(void)
{
    enum { LINES = 3000000 };
    char *block = shmem_malloc((size_t)LINES * 64);

    if (me == 0) {
        shmem_long_put(data, own, 10, last);
        shmem_fence();
        shmem_long_atomic_set(&flag, 1, last);
        for (size_t i = 0; i < LINES; i++)
            own[0] += shmem_char_g(&block[i * 64], 0);
        shmem_long_atomic_set(&flags[0], 1, last);
    }
    if (me == last) {
        while (shmem_long_atomic_fetch(&flags[0], last) == 0)
            ;
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_put(copy, data, 10, last);
    }
    shmem_free(block);
}

/* A flag that is set by a store is not seen to be set. */
static void stored_flag(void)
{
    long *there = shmem_ptr(&flag, me == 0 ? last : 0); /* NULL for both, on two nodes */

    if (me == 0 && there) {
        shmem_long_put(data, own, 10, last);
        shmem_fence();
        __atomic_store_n(there, 1, __ATOMIC_RELEASE);
    }
    if (me == last && there) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_put(copy, data, 10, last);
    }
}

/* Nor is it if it is fetched. */
static void polled_flag(void)
{
    long *there = shmem_ptr(&flag, me == 0 ? last : 0); /* NULL for both, on two nodes */

    if (me == 0 && there) {
        shmem_long_put(data, own, 10, last);
        shmem_quiet();
        __atomic_store_n(there, 1, __ATOMIC_RELEASE);
    }
    if (me == last && there) {
        while (shmem_long_atomic_fetch(&flag, last) == 0)
            ;
        shmem_long_put(copy, data, 10, last);
    }
}

int main(int argc, char **argv)
{
    static const struct mistake_case cases[] = {
        CASE(put_put),
        CASE(put_get),
        CASE(get_put),
        CASE(local_source),
        CASE(local_dest),
        CASE(large),
        CASE(large_behind),
        CASE(strides),
        CASE(blocks),
        CASE(sync_for_barrier),
        CASE(no_fence),
        CASE(put_flag),
        CASE(signalled),
        CASE(no_reply),
        CASE(passed_on),
        CASE(counter),
        CASE(any_flag),
        CASE(other_ctx),
        CASE(other_team),
        CASE(forgotten_lock),
        CASE(own_lock),
        CASE(lock_in_crowd),
        CASE(flag_by_quiet),
        CASE(histogram),
        CASE(mixed),
        CASE(mixed_fetch),
        CASE(read_back),
        CASE(put_twice),
        CASE(source_used_again),
        CASE(private_source),
        CASE(read_early),
        CASE(private_dest),
        CASE(fetched_early),
        CASE(broadcast_dest),
        CASE(reduce_source),
        CASE(before_reduce),
        CASE(exchanged),
        CASE(reduce_orders),
        CASE(barriers),
        CASE(stored_flag),
        CASE(polled_flag),
        CASE(mailboxes),
        CASE(tasks),
        CASE(crowd),
    };

    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
