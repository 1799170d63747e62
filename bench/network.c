/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times operations between two PEs that share no memory: the same rows as bench/raw_ofi.c, and
 * more. Plain OpenSHMEM 1.4 but for put_signal, so that other libraries can run it as well.
 * Usage: network [ROW ...] | network sizes.
 *
 * One PE measures. The other is inside a call meanwhile, or computes where the row's name says so.
 */
#define _GNU_SOURCE
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cores.h"
#include "row.h"

#define CONTEXTS 16 /* that have resources of their own in Tern */

static unsigned char *remote, *local;
static long *word, *stop;
static uint64_t *signal_word, *words;
static long lock;
static int me, peer;

static void put_8B(void)
{
    shmem_putmem(remote, local, 8, peer);
    shmem_quiet();
}

static void get_8B(void)
{
    shmem_getmem(local, remote, 8, peer);
}

static void put_1MiB(void)
{
    for (size_t i = 0; i < WINDOW; i++)
        shmem_putmem_nbi(remote + i * MIB, local + i * MIB, MIB, peer);
    shmem_quiet();
}

static void get_1MiB(void)
{
    for (size_t i = 0; i < WINDOW; i++)
        shmem_getmem_nbi(local + i * MIB, remote + i * MIB, MIB, peer);
    shmem_quiet();
}

static void put_nbi_8B(void)
{
    for (size_t i = 0; i < RATE; i++)
        shmem_putmem_nbi(remote + i * 8, local + i * 8, 8, peer);
    shmem_quiet();
}

/* ---- small operations that may travel together, each row SMALL of them, to random words ---- */

static uint64_t draw(void)
{
    static uint64_t x = 88172645463325252u;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x % RANDOM_WORDS;
}

static void atomic_add(void)
{
    for (size_t i = 0; i < SMALL; i++)
        shmem_ulong_atomic_add((unsigned long *)words + draw(), 1, peer);
    shmem_quiet();
}

static void p_8B(void)
{
    for (size_t i = 0; i < SMALL; i++)
        shmem_ulong_p((unsigned long *)words + draw(), i, peer);
    shmem_quiet();
}

static void put_nbi_64B(void)
{
    for (size_t i = 0; i < SMALL; i++)
        shmem_putmem_nbi(words + draw(), local, 64, peer);
    shmem_quiet();
}

static void get_nbi_8B(void)
{
    for (size_t i = 0; i < SMALL; i++)
        shmem_getmem_nbi(local + i * 8, words + draw(), 8, peer);
    shmem_quiet();
}

static void fetch_add_nbi(void)
{
#if SHMEM_MINOR_VERSION >= 5
    for (size_t i = 0; i < SMALL; i++)
        shmem_uint64_atomic_fetch_add_nbi((uint64_t *)local + i, words + draw(), 1, peer);
    shmem_quiet();
#endif
}

static void many_signals(void)
{
#if SHMEM_MINOR_VERSION >= 5
    for (size_t i = 0; i < SMALL; i++)
        shmem_putmem_signal(words + draw(), local, 8, signal_word, 1, SHMEM_SIGNAL_SET, peer);
    shmem_quiet();
#endif
}

static size_t sized; /* bytes of the transfers of one row */

static void put_nbi_sized(void)
{
    for (size_t i = 0; i < SMALL; i++)
        shmem_putmem_nbi(words + draw(), local, sized, peer);
    shmem_quiet();
}

static void fetch_add(void)
{
    shmem_long_atomic_fetch_add(word, 1, peer);
}

static void barrier(void)
{
    shmem_barrier_all();
}

static void lock_and_clear(void)
{
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
}

/* As to a peer that was never spoken to: a new context has connections of its own. It is kept. */
static void first_put(void)
{
    shmem_ctx_t ctx;

    if (shmem_ctx_create(0, &ctx))
        return;
    shmem_ctx_putmem(ctx, remote, local, 8, peer);
    shmem_ctx_quiet(ctx);
}

static void put_signal(void)
{
#if SHMEM_MINOR_VERSION >= 5
    shmem_putmem_signal(remote, local, 8, signal_word, 1, SHMEM_SIGNAL_SET, peer);
    shmem_quiet();
#endif
}

enum other { WAITS, TAKES_PART, COMPUTES };

/* Each operation by itself: the longest counts. */
#define COMPUTING(body, name, measurer)                                                            \
    {                                                                                              \
        {name "_computing", body, 300, 1, 0, "us"}, COMPUTES, measurer                             \
    }

static const struct task {
    struct row row;
    enum other other; /* what the other PE does */
    int measurer;
} tasks[] = {
    {LATENCY(put_8B), WAITS, 0},
    {LATENCY(get_8B), WAITS, 0},
    {BANDWIDTH(put_1MiB), WAITS, 0},
    {BANDWIDTH(get_1MiB), WAITS, 0},
    {MESSAGE_RATE(put_nbi_8B), WAITS, 0},
    {LATENCY(fetch_add), WAITS, 0},
    {LATENCY(barrier), TAKES_PART, 0},
    {SMALL_RATE(atomic_add), WAITS, 0},
    {SMALL_RATE(p_8B), WAITS, 0},
    {SMALL_RATE(put_nbi_64B), WAITS, 0},
    {SMALL_RATE(get_nbi_8B), WAITS, 0},
    {SMALL_RATE(fetch_add_nbi), WAITS, 0},
    {SMALL_RATE(many_signals), WAITS, 0},
    COMPUTING(put_8B, "put_8B", 0),
    COMPUTING(get_8B, "get_8B", 0),
    COMPUTING(fetch_add, "fetch_add", 0),
    COMPUTING(put_signal, "put_signal", 0),
    COMPUTING(lock_and_clear, "lock_on_0", 0),
    COMPUTING(lock_and_clear, "lock_on_1", 1),
    {{"first_put_computing", first_put, CONTEXTS - 1, 1, 0, "us"}, COMPUTES, 0},
};

/* The measurer says when it is done by a put, which needs no call here to arrive. */
static void compute(void)
{
    while (!*(volatile long *)stop)
        ;
}

static void release(void)
{
    shmem_long_p(stop, 1, peer);
    shmem_quiet();
}

static void run(const struct task *task)
{
    const struct row *row = &task->row;

    *stop = 0;
    shmem_barrier_all();
    if (me == task->measurer) {
        row_measure(row);
        if (task->other == COMPUTES)
            release();
    } else if (task->other == COMPUTES) {
        compute();
    } else if (task->other == TAKES_PART) {
        for (int i = 0; i < row->batches * row->times + 1; i++)
            row->body();
    }
    shmem_barrier_all();
}

/* The rate against the size. */
static void run_sizes(void)
{
    for (sized = 1; sized <= LARGEST_SIZED; sized *= 2) {
        char name[32];
        struct task task = {{name, put_nbi_sized, SIZED_BATCHES, 1, SMALL, "op/s"}, WAITS, 0};

        snprintf(name, sizeof name, "size_%zu", sized);
        run(&task);
    }
}

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    peer = 1 - me;
    take_core(me, 2);
    if (shmem_n_pes() != 2) {
        fprintf(stderr, "network: run it on two PEs\n");
        shmem_global_exit(2);
    }
    remote = shmem_malloc(WINDOW * MIB);
    words = (uint64_t *)remote;
    word = shmem_calloc(8, sizeof *word);
    stop = shmem_calloc(8, sizeof *stop);
    signal_word = shmem_calloc(8, sizeof *signal_word);
    local = malloc(WINDOW * MIB);
    if (!remote || !word || !stop || !signal_word || !local) {
        fprintf(stderr, "network: no memory: raise SHMEM_SYMMETRIC_SIZE to 64M\n");
        shmem_global_exit(2);
    }
    memset(local, me, WINDOW * MIB);
    memset(remote, me, WINDOW * MIB);
    if (argc > 1 && !strcmp(argv[1], "sizes"))
        run_sizes();
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        if (row_wanted(tasks[i].row.name, argv + (argc > 0)))
            run(&tasks[i]);
    shmem_finalize();
    return 0;
}
