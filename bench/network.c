/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times operations between two PEs that share no memory: the same rows as bench/raw_ofi.c, and
 * more. Prints "row value unit" lines. Plain OpenSHMEM 1.4, so that other libraries can run it as
 * well.
 *
 * One PE measures. The other is inside a call meanwhile, or computes where the row's name says so.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MIB ((size_t)1 << 20)
#define WINDOW 16 /* large transfers under way at once */
#define RATE 1000 /* small ones */
#define BATCHES 15

static unsigned char *remote, *local;
static long *word, *stop;
static long lock;
static int me, peer;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void put_latency(void)
{
    shmem_putmem(remote, local, 8, peer);
    shmem_quiet();
}

static void get_latency(void)
{
    shmem_getmem(local, remote, 8, peer);
}

static void put_bandwidth(void)
{
    for (size_t i = 0; i < WINDOW; i++)
        shmem_putmem_nbi(remote + i * MIB, local + i * MIB, MIB, peer);
    shmem_quiet();
}

static void get_bandwidth(void)
{
    for (size_t i = 0; i < WINDOW; i++)
        shmem_getmem_nbi(local + i * MIB, remote + i * MIB, MIB, peer);
    shmem_quiet();
}

static void put_rate(void)
{
    for (size_t i = 0; i < RATE; i++)
        shmem_putmem_nbi(remote + i * 8, local + i * 8, 8, peer);
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

enum other { WAITS, TAKES_PART, COMPUTES };

static const struct row {
    const char *name;
    void (*body)(void);
    int times;   /* in a batch */
    double work; /* units in one call: 1 for a latency */
    const char *unit;
    enum other other; /* what the other PE does */
    int measurer;
} rows[] = {
    {"put_8B", put_latency, 1000, 1, "us", WAITS, 0},
    {"get_8B", get_latency, 1000, 1, "us", WAITS, 0},
    {"put_1MiB", put_bandwidth, 8, WINDOW, "MiB/s", WAITS, 0},
    {"get_1MiB", get_bandwidth, 8, WINDOW, "MiB/s", WAITS, 0},
    {"put_nbi_8B", put_rate, 10, RATE, "op/s", WAITS, 0},
    {"fetch_add", fetch_add, 1000, 1, "us", WAITS, 0},
    {"barrier", barrier, 1000, 1, "us", TAKES_PART, 0},
    {"put_8B_computing", put_latency, 20, 1, "us", COMPUTES, 0},
    {"get_8B_computing", get_latency, 20, 1, "us", COMPUTES, 0},
    {"fetch_add_computing", fetch_add, 20, 1, "us", COMPUTES, 0},
    {"lock_computing", lock_and_clear, 20, 1, "us", COMPUTES, 0},
    {"lock_computing", lock_and_clear, 20, 1, "us", COMPUTES, 1}, /* one of them is local */
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(const struct row *row)
{
    double seconds[BATCHES];

    row->body();
    for (int b = 0; b < BATCHES; b++) {
        double from = now();

        for (int i = 0; i < row->times; i++)
            row->body();
        seconds[b] = (now() - from) / row->times;
    }
    qsort(seconds, BATCHES, sizeof *seconds, by_value);
    printf("%s %.3f %s\n", row->name,
           row->work == 1 ? seconds[BATCHES / 2] * 1e6 : row->work / seconds[BATCHES / 2],
           row->unit);
    fflush(stdout);
}

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

static void run(const struct row *row)
{
    *stop = 0;
    shmem_barrier_all();
    if (me == row->measurer) {
        measure(row);
        if (row->other == COMPUTES)
            release();
    } else if (row->other == COMPUTES) {
        compute();
    } else if (row->other == TAKES_PART) {
        for (int i = 0; i < BATCHES * row->times + 1; i++)
            row->body();
    }
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;

    shmem_init();
    me = shmem_my_pe();
    peer = 1 - me;
    if (shmem_n_pes() != 2) {
        fprintf(stderr, "network: run it on two PEs\n");
        shmem_global_exit(2);
    }
    remote = shmem_malloc(WINDOW * MIB);
    word = shmem_calloc(8, sizeof *word);
    stop = shmem_calloc(8, sizeof *stop);
    local = malloc(WINDOW * MIB);
    if (!remote || !word || !stop || !local) {
        fprintf(stderr, "network: no memory: raise SHMEM_SYMMETRIC_SIZE to 64M\n");
        shmem_global_exit(2);
    }
    memset(local, me, WINDOW * MIB);
    memset(remote, me, WINDOW * MIB);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (only && strcmp(only, rows[r].name))
            continue;
        run(&rows[r]);
    }
    shmem_finalize();
    return 0;
}
