/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Irregular applications across nodes, in two editions: with a call of OpenSHMEM for each word, and
 * by hand, which means that the program gathers the words for each PE in a buffer, exchanges the
 * buffers, and carries the operations out at their owners. Each run is verified.
 * Usage: irregular [--plain] [--by-hand] [--runs N].
 *
 * Prints rows as bench/row.h says, in elements of a PE in a second.
 */
#define _GNU_SOURCE
#include "apps/arena.h"
#include "cores.h"
#include "row.h"

#define MOST_RUNS 100
#define HISTOGRAM_VALUES (1 << 16)
#define GUPS_UPDATES (1 << 16)
#define GATHER_READS (1 << 16)

#include "irregular/exchange.h"

/* The words of bench/apps. Only what its three files need here. */
#define EDITION(name) name##_plain
#define ADD(dest, value, pe) shmem_long_atomic_add(dest, value, pe)
#define XOR(dest, value, pe) shmem_ulong_atomic_xor(dest, value, pe)
#define GET_LATER(dest, source, pe) shmem_long_get_nbi(dest, source, 1, pe)
#define MEET() shmem_barrier_all()
#include "irregular/gather.inc"
#include "irregular/histogram.inc"
#include "irregular/random_access.inc"

#include "irregular/graph.inc"

#include "irregular/bfs.inc"
#include "irregular/toposort.inc"
#include "irregular/transpose.inc"

struct application {
    const char *name;
    double elements; /* of a PE */
    void (*prepare)(void);
    void (*plain)(void);
    void (*by_hand)(void);
    void (*verify)(void);
};

#define APPLICATION(name, elements)                                                                \
    {                                                                                              \
#name, elements, name##_prepare, name##_plain, name##_by_hand, name##_verify               \
    }

static const struct application applications[] = {
    APPLICATION(histogram, HISTOGRAM_VALUES), APPLICATION(gups, GUPS_UPDATES),
    APPLICATION(gather, GATHER_READS),        APPLICATION(bfs, GRAPH_VERTICES *GRAPH_DEGREE),
    APPLICATION(sparse, SPARSE_ELEMENTS),     APPLICATION(toposort, GRAPH_VERTICES *GRAPH_DEGREE),
};

static int runs = 10;
static bool wants_plain, wants_by_hand;

static double timed(const struct application *a, void (*work)(void))
{
    double start, seconds;

    clear_arena();
    a->prepare();
    shmem_barrier_all();
    start = now_ns();
    work();
    shmem_barrier_all();
    seconds = (now_ns() - start) * 1e-9;
    a->verify();
    shmem_barrier_all();
    return seconds;
}

static void print(const struct application *a, const char *edition, double *seconds)
{
    char name[64];
    struct row row = {.name = name, .batches = runs, .work = a->elements, .unit = "op/s"};

    snprintf(name, sizeof name, "%s_%s", a->name, edition);
    if (bench_me == 0)
        row_print(&row, seconds);
}

/* In turn, so that both have the same noise. */
static void measure(const struct application *a)
{
    double plain[MOST_RUNS], by_hand[MOST_RUNS];

    for (int i = 0; i < runs; i++) {
        if (wants_plain)
            plain[i] = timed(a, a->plain);
        if (wants_by_hand)
            by_hand[i] = timed(a, a->by_hand);
    }
    if (wants_plain)
        print(a, "plain", plain);
    if (wants_by_hand)
        print(a, "by_hand", by_hand);
}

static void read_options(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--plain"))
            wants_plain = true;
        else if (!strcmp(argv[i], "--by-hand"))
            wants_by_hand = true;
        else if (!strcmp(argv[i], "--runs") && i + 1 < argc)
            runs = atoi(argv[++i]);
    }
    if (!wants_plain && !wants_by_hand)
        wants_plain = wants_by_hand = true;
    if (runs < 1 || runs > MOST_RUNS)
        runs = MOST_RUNS;
}

int bench_me, bench_n;

int main(int argc, char **argv)
{
    read_options(argc, argv);
    shmem_init();
    bench_me = shmem_my_pe();
    bench_n = shmem_n_pes();
    take_core(bench_me, bench_n);
    if (bench_n > MOST_PES)
        fail("too many PEs");
    arena = shmem_calloc(1, ARENA);
    if (!arena)
        fail("no symmetric memory: raise SHMEM_SYMMETRIC_SIZE to 64M");
    for (size_t i = 0; i < sizeof applications / sizeof *applications; i++)
        measure(&applications[i]);
    shmem_finalize();
    return 0;
}
