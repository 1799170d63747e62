/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small applications that verify their results, in two editions from one source: with OpenSHMEM,
 * and hand-written on the memory that the PEs share, with loads, stores, memcpy and the processor's
 * atomics.
 */
#include "apps/arena.h"

#ifndef RUNS
#define RUNS 40 /* short ones, so that many fall between interruptions */
#endif

static ptrdiff_t distance[MOST_PES];

static inline void *at(const void *symmetric, int pe)
{
    return (char *)symmetric + distance[pe];
}

#define EDITION(name) name##_shmem
#define PUT(dest, source, bytes, pe) shmem_putmem(dest, source, bytes, pe)
#define GET(dest, source, bytes, pe) shmem_getmem(dest, source, bytes, pe)
#define GET_ONE(source, pe) shmem_long_g(source, pe)
#define GET_LATER(dest, source, pe) (*(dest) = shmem_long_g(source, pe))
#define GET_STRIDED(dest, source, sst, n, pe) shmem_long_iget(dest, source, 1, sst, n, pe)
#define ADD(dest, value, pe) shmem_long_atomic_add(dest, value, pe)
#define FETCH_ADD(dest, value, pe) shmem_long_atomic_fetch_add(dest, value, pe)
#define XOR(dest, value, pe) shmem_ulong_atomic_xor(dest, value, pe)
#define CLAIM(dest, value, pe) shmem_long_atomic_compare_swap(dest, -1, value, pe)
#define MEET() shmem_barrier_all()
#include "apps/all.inc"

static long claim(long *word, long value)
{
    long seen = -1;

    __atomic_compare_exchange_n(word, &seen, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return seen;
}

static void gather_strided(long *to, const long *from, ptrdiff_t sst, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[(ptrdiff_t)i * sst];
}

#define EDITION(name) name##_by_hand
#define PUT(dest, source, bytes, pe) memcpy(at(dest, pe), source, bytes)
#define GET(dest, source, bytes, pe) memcpy(dest, at(source, pe), bytes)
#define GET_ONE(source, pe) (*(volatile long *)at(source, pe))
#define GET_LATER(dest, source, pe) (*(dest) = *(volatile long *)at(source, pe))
#define GET_STRIDED(dest, source, sst, n, pe) gather_strided(dest, at(source, pe), sst, n)
#define ADD(dest, value, pe) __atomic_fetch_add((long *)at(dest, pe), value, __ATOMIC_SEQ_CST)
#define FETCH_ADD(dest, value, pe) __atomic_fetch_add((long *)at(dest, pe), value, __ATOMIC_SEQ_CST)
#define XOR(dest, value, pe)                                                                       \
    __atomic_fetch_xor((unsigned long *)at(dest, pe), value, __ATOMIC_SEQ_CST)
#define CLAIM(dest, value, pe) claim(at(dest, pe), value)
#define MEET() bench_meet()
#include "apps/all.inc"

struct application {
    const char *name;
    void (*prepare)(void); /* takes and fills memory */
    void (*work)(void);    /* is timed */
    void (*by_hand)(void);
    void (*verify)(void);
};

#define APPLICATION(name, fn)                                                                      \
    {                                                                                              \
        name, fn##_prepare, fn##_shmem, fn##_by_hand, fn##_verify                                  \
    }

static const struct application applications[] = {
    APPLICATION("integer sort", sort),
    APPLICATION("random access", gups),
    APPLICATION("histogram", histogram),
    APPLICATION("index gather", gather),
    APPLICATION("stencil", stencil),
    APPLICATION("transpose", transpose),
    APPLICATION("bfs", bfs),
};

static double timed(const struct application *a, void (*work)(void))
{
    double start, ns;

    clear_arena();
    a->prepare();
    shmem_barrier_all();
    start = now_ns();
    work();
    shmem_barrier_all();
    ns = now_ns() - start;
    a->verify();
    shmem_barrier_all();
    return ns;
}

static void measure(const struct application *a)
{
    struct bench_row row = {
        .operation = a->name, .variant = "", .limit = "hand-written shared memory"};
    double ours[RUNS], by_hand[RUNS];

    for (int i = 0; i < RUNS; i++) {
        ours[i] = timed(a, a->work);
        if (bench_has_limits())
            by_hand[i] = timed(a, a->by_hand);
    }
    bench_print(&row, ours, bench_has_limits() ? by_hand : NULL, RUNS);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "apps");
    arena = bench_alloc(ARENA);
    for (int pe = 0; pe < bench_n && pe < MOST_PES; pe++) {
        char *there = bench_peer(arena, pe);

        distance[pe] = there ? there - arena : 0;
    }
    for (size_t i = 0; bench_n <= MOST_PES && i < sizeof applications / sizeof *applications; i++)
        measure(&applications[i]);
    bench_end();
    return 0;
}
