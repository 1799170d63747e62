/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times operations between two PEs beside the same work done by hand through shmem_ptr, in turn and
 * several times, and prints the median of each and their ratio. Plain OpenSHMEM 1.4.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REPEATS 15
#define MIB ((size_t)1 << 20)
#define BIG (8 * MIB)

/* Calls must not be seen through: the limit is work done out of line, as a library does it. */
#define OUT_OF_LINE __attribute__((noinline, noclone))

static long static_word[16];
static long *heap_word;
static char *heap_bytes;
static char *private_bytes;
static int me, peer;

/* The same objects at the peer. */
static long *peer_word;
static char *peer_bytes;

static volatile long sink;

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- by hand ---- */

OUT_OF_LINE static void hand_store(long *to, long value)
{
    *(volatile long *)to = value;
}

OUT_OF_LINE static long hand_load(const long *from)
{
    return *(const volatile long *)from;
}

OUT_OF_LINE static long hand_fetch_add(long *at, long value)
{
    return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}

OUT_OF_LINE static void hand_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    __asm__ volatile("" ::: "memory");
}

/* One flag a PE, each in a cache line of its own; the arrays are symmetric. */
static long *flags;
static long *peer_flags;
static long flag_round;

OUT_OF_LINE static void hand_exchange(void)
{
    flag_round++;
    __atomic_store_n(peer_flags, flag_round, __ATOMIC_RELEASE);
    while (__atomic_load_n(flags, __ATOMIC_ACQUIRE) < flag_round)
        ;
}

/* ---- the rows: `times` repetitions each ---- */

static size_t size;

static void hand_p(long times)
{
    for (long i = 0; i < times; i++)
        hand_store(peer_word, i);
}

static void hand_g(long times)
{
    long sum = 0;

    for (long i = 0; i < times; i++)
        sum += hand_load(peer_word);
    sink = sum;
}

static void hand_amo(long times)
{
    for (long i = 0; i < times; i++)
        sink = hand_fetch_add(peer_word, 1);
}

static void hand_put(long times)
{
    for (long i = 0; i < times; i++)
        hand_copy(peer_bytes, private_bytes, size);
}

static void hand_get(long times)
{
    for (long i = 0; i < times; i++)
        hand_copy(private_bytes, peer_bytes, size);
}

static void hand_barrier(long times)
{
    for (long i = 0; i < times; i++)
        hand_exchange();
}

static void heap_p(long times)
{
    for (long i = 0; i < times; i++)
        shmem_long_p(heap_word, i, peer);
}

static void heap_g(long times)
{
    long sum = 0;

    for (long i = 0; i < times; i++)
        sum += shmem_long_g(heap_word, peer);
    sink = sum;
}

static void heap_amo(long times)
{
    for (long i = 0; i < times; i++)
        sink = shmem_long_atomic_fetch_add(heap_word, 1, peer);
}

static void static_p(long times)
{
    for (long i = 0; i < times; i++)
        shmem_long_p(static_word, i, peer);
}

static void static_g(long times)
{
    long sum = 0;

    for (long i = 0; i < times; i++)
        sum += shmem_long_g(static_word, peer);
    sink = sum;
}

static void static_amo(long times)
{
    for (long i = 0; i < times; i++)
        sink = shmem_long_atomic_fetch_add(static_word, 1, peer);
}

static void put(long times)
{
    for (long i = 0; i < times; i++)
        shmem_putmem(heap_bytes, private_bytes, size, peer);
}

static void get(long times)
{
    for (long i = 0; i < times; i++)
        shmem_getmem(private_bytes, heap_bytes, size, peer);
}

static void barrier(long times)
{
    for (long i = 0; i < times; i++)
        shmem_barrier_all();
}

struct row {
    const char *name;
    void (*ours)(long);
    void (*limit)(long);
    size_t size;
    long times;
    int both; /* both PEs take part, else PE 0 alone while the other waits in a barrier */
};

static const struct row rows[] = {
    {"p heap / store", heap_p, hand_p, 8, 300000, 0},
    {"g heap / load", heap_g, hand_g, 8, 300000, 0},
    {"fetch_add heap / CPU", heap_amo, hand_amo, 8, 300000, 0},
    {"p static / p heap", static_p, heap_p, 8, 300000, 0},
    {"g static / g heap", static_g, heap_g, 8, 300000, 0},
    {"fetch_add static / heap", static_amo, heap_amo, 8, 300000, 0},
    {"put 8 B / memcpy", put, hand_put, 8, 200000, 0},
    {"get 8 B / memcpy", get, hand_get, 8, 200000, 0},
    {"put 4 KiB / memcpy", put, hand_put, 4096, 20000, 0},
    {"get 4 KiB / memcpy", get, hand_get, 4096, 20000, 0},
    {"put 64 KiB / memcpy", put, hand_put, 65536, 1000, 0},
    {"get 64 KiB / memcpy", get, hand_get, 65536, 1000, 0},
    {"put 1 MiB / memcpy", put, hand_put, MIB, 60, 0},
    {"get 1 MiB / memcpy", get, hand_get, MIB, 60, 0},
    {"put 8 MiB / memcpy", put, hand_put, BIG, 4, 0},
    {"get 8 MiB / memcpy", get, hand_get, BIG, 4, 0},
    {"barrier_all / flag exchange", barrier, hand_barrier, 0, 50000, 1},
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double timed(const struct row *r, void (*work)(long))
{
    double start;

    shmem_barrier_all();
    start = now_ns();
    if (r->both || me == 0)
        work(r->times);
    return (now_ns() - start) / (double)r->times;
}

static void run(const struct row *r)
{
    double ours[REPEATS], limit[REPEATS], ratio[REPEATS];

    size = r->size;
    timed(r, r->ours);
    timed(r, r->limit);
    for (int i = 0; i < REPEATS; i++) {
        ours[i] = timed(r, r->ours);
        limit[i] = timed(r, r->limit);
        ratio[i] = ours[i] / limit[i];
    }
    if (me != 0)
        return;
    qsort(ours, REPEATS, sizeof ours[0], by_value);
    qsort(limit, REPEATS, sizeof limit[0], by_value);
    qsort(ratio, REPEATS, sizeof ratio[0], by_value);
    printf("%-30s %12.2f %12.2f %8.2f\n", r->name, ours[REPEATS / 2], limit[REPEATS / 2],
           ratio[REPEATS / 2]);
    fflush(stdout);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    if (shmem_n_pes() != 2) {
        fprintf(stderr, "ratios: run it on two PEs: oshrun -n 2 ratios\n");
        shmem_global_exit(2);
    }
    peer = 1 - me;
    heap_word = shmem_malloc(128);
    heap_bytes = shmem_malloc(BIG);
    flags = shmem_malloc(128);
    private_bytes = malloc(BIG);
    if (!heap_word || !heap_bytes || !flags || !private_bytes) {
        fprintf(stderr, "ratios: no memory: raise SHMEM_SYMMETRIC_SIZE to 32M\n");
        shmem_global_exit(2);
    }
    memset(private_bytes, 1, BIG);
    memset(heap_bytes, 2, BIG);
    *flags = 0;
    peer_word = shmem_ptr(heap_word, peer);
    peer_bytes = shmem_ptr(heap_bytes, peer);
    peer_flags = shmem_ptr(flags, peer);
    if (!peer_word || !peer_bytes || !peer_flags) {
        fprintf(stderr, "ratios: the PEs do not share memory\n");
        shmem_global_exit(2);
    }
    if (me == 0)
        printf("%-30s %12s %12s %8s\n", "median of 15, ns each", "this", "limit", "ratio");
    shmem_barrier_all();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        run(&rows[i]);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
