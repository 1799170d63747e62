/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing, the hand-written barrier, and rows of results. */
#define _GNU_SOURCE
#include "bench.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "cores.h"

/* A batch is long beside the clock, and short enough that many fall between interruptions. */
#define BATCH_NS 200e3
#define BATCH_THREADS_NS 2e6 /* long beside waking a thread */
#define LONG_NS 50e6
#define WARM_TIMES 100
#define WARM_BATCHES 200
#define WARM_NS 100e6
#define PROBES 3
#define LEAST_ROUNDS 9
#define MOST_ROUNDS 200

int bench_me, bench_n, bench_threads = 1;
size_t bench_max_bytes = 64 * MIB;
bool bench_unaligned, bench_team, bench_crowded;
_Thread_local int bench_thread;

static const char *group;
static const char *only_operation; /* rows of others are left out */
static size_t only_bytes = SIZE_MAX;
static bool without_limits;
static double row_ns = 60e6;
static long *agreed;
static double *starts; /* twice one for each PE: those of a batch, and of the batch before */

void *bench_alloc(size_t bytes)
{
    void *p = shmem_malloc(bytes);

    if (!p) {
        fprintf(stderr, "%s: no symmetric memory for %zu bytes: raise SHMEM_SYMMETRIC_SIZE\n",
                group, bytes);
        shmem_global_exit(1);
    }
    memset(p, 0, bytes);
    return p;
}

void *bench_peer(const void *symmetric, int pe)
{
    return shmem_ptr((void *)symmetric, pe);
}

/* ---- the hand-written barrier ---- */

/* Each in a cache line of its own. */
struct meeting {
    _Alignas(128) long flag;
    _Alignas(128) long arrived;
    _Alignas(128) long round;
};

static struct meeting *own_meeting[BENCH_THREADS], *peer_meeting[BENCH_THREADS];
static long meetings[BENCH_THREADS];

/* Whether all PEs share memory: if PE 0 does with each, say. */
static bool is_one_node(const void *symmetric)
{
    long shared = true;

    for (int pe = 0; pe < bench_n; pe++)
        shared &= bench_peer(symmetric, pe) != NULL;
    return bench_agree(shared);
}

static void open_meetings(void)
{
    int peer = bench_n == 2 ? 1 - bench_me : 0;
    struct meeting *all = bench_alloc(sizeof(struct meeting) * (BENCH_THREADS + 1));

    all = (struct meeting *)(((uintptr_t)all + 127) & ~(uintptr_t)127);
    if (!is_one_node(all))
        return;
    for (int i = 0; i < BENCH_THREADS; i++) {
        own_meeting[i] = &all[i];
        peer_meeting[i] = bench_peer(&all[i], peer);
    }
}

bool bench_shared(void)
{
    return peer_meeting[0];
}

bool bench_has_limits(void)
{
    return bench_shared() && !without_limits;
}

static void exchange_flags(struct meeting *own, struct meeting *peer, long round)
{
    __atomic_store_n(&peer->flag, round, __ATOMIC_RELEASE);
    while (__atomic_load_n(&own->flag, __ATOMIC_ACQUIRE) < round)
        ;
}

static void count_in(struct meeting *m, long round)
{
    if (__atomic_add_fetch(&m->arrived, 1, __ATOMIC_ACQ_REL) == round * bench_n) {
        __atomic_store_n(&m->round, round, __ATOMIC_RELEASE);
        return;
    }
    while (__atomic_load_n(&m->round, __ATOMIC_ACQUIRE) < round)
        sched_yield();
}

BENCH_BY_HAND void bench_meet(void)
{
    struct meeting *peer = peer_meeting[bench_thread];
    long round = ++meetings[bench_thread];

    if (!peer)
        shmem_barrier_all();
    else if (bench_n == 2)
        exchange_flags(own_meeting[bench_thread], peer, round);
    else
        count_in(peer, round);
}

/* ---- threads ---- */

static sem_t go, done;
static void (*others_work)(long);
static long others_times;

static void *serve(void *arg)
{
    bench_thread = 1;
    for (;;) {
        sem_wait(&go);
        others_work(others_times);
        sem_post(&done);
    }
    return arg;
}

static void start_thread(void)
{
    pthread_t thread;

    sem_init(&go, 0, 0);
    sem_init(&done, 0, 0);
    if (pthread_create(&thread, NULL, serve, NULL)) {
        fprintf(stderr, "%s: can't start a thread\n", group);
        shmem_global_exit(1);
    }
    pthread_detach(thread);
}

static void by_all_threads(void (*work)(long), long times)
{
    others_work = work;
    others_times = times;
    sem_post(&go);
    work(times);
    sem_wait(&done);
}

/* ---- start and end ---- */

static void parse(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--unaligned")) {
            bench_unaligned = true;
        } else if (!strcmp(argv[i], "--team")) {
            bench_team = true;
        } else if (!strcmp(argv[i], "--threads")) {
            bench_threads = BENCH_THREADS;
        } else if (!strcmp(argv[i], "--no-limits")) {
            without_limits = true;
        } else if (!strcmp(argv[i], "--max-bytes") && i + 1 < argc) {
            bench_max_bytes = strtoul(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--operation") && i + 1 < argc) {
            only_operation = argv[++i];
        } else if (!strcmp(argv[i], "--bytes") && i + 1 < argc) {
            only_bytes = strtoul(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--row-ms") && i + 1 < argc) {
            row_ns = strtod(argv[++i], NULL) * 1e6;
        } else {
            fprintf(stderr, "%s: what is '%s'?\n", group, argv[i]);
            exit(2);
        }
    }
}

void bench_start(int argc, char **argv, const char *name)
{
    int provided = SHMEM_THREAD_SINGLE;

    group = name;
    parse(argc, argv);
    if (bench_threads > 1)
        shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    else
        shmem_init();
    bench_me = shmem_my_pe();
    bench_n = shmem_n_pes();
    if ((bench_threads > 1 && provided != SHMEM_THREAD_MULTIPLE) ||
        (bench_team && BENCH_API < 105)) {
        shmem_barrier_all();
        shmem_finalize();
        exit(77);
    }
    bench_crowded = !has_cores(bench_n);
    if (bench_threads == 1)
        take_core(bench_me, bench_n);
    agreed = bench_alloc(2 * sizeof *agreed);
    starts = bench_alloc(2 * sizeof *starts * (size_t)bench_n);
    open_meetings();
    if (bench_threads > 1)
        start_thread();
    shmem_barrier_all();
}

void bench_end(void)
{
    shmem_barrier_all();
    shmem_finalize();
}

/* ---- measuring ---- */

long bench_agree(long value)
{
    static int turn;
    volatile long *word = &agreed[turn ^= 1]; /* two, since a PE may still read the one before */

    if (bench_me == 0)
        for (int pe = 0; pe < bench_n; pe++)
            shmem_long_p((long *)word, value, pe);
    shmem_barrier_all();
    return *word;
}

static bool by_threads(const struct bench_row *row)
{
    return bench_threads > 1 && !row->serial;
}

/*
 * On PE 0, when the first of all PEs started. PE 0 may get a core later than the others, which may
 * then have done some of the work already.
 */
static double first_start(double start)
{
    static int turn;
    double *all = starts + (turn ^= 1) * bench_n;

    shmem_double_p(&all[bench_me], start, 0);
    shmem_barrier_all();
    for (int pe = 0; pe < bench_n; pe++)
        start = bench_me == 0 && all[pe] < start ? all[pe] : start;
    return start;
}

/* Nanoseconds of `times` repetitions, from the first PE's start to the end of PE 0. */
static double batch(const struct bench_row *row, void (*work)(long), long times)
{
    double start = now_ns(), end;

    if (row->all || bench_me == 0) {
        if (by_threads(row))
            by_all_threads(work, times);
        else
            work(times);
    }
    if (row->all)
        bench_meet(); /* a root must not leave its readers behind */
    end = now_ns();
    return end - (row->all ? first_start(start) : start);
}

/* The least of a few, or an interruption passes for the operation. */
static double shortest_batch(const struct bench_row *row, void (*work)(long), long times)
{
    double least = batch(row, work, times);

    for (int i = 1; i < PROBES && bench_agree(least < LONG_NS); i++) {
        double ns = batch(row, work, times);

        least = ns < least ? ns : least;
    }
    return least;
}

/* Repetitions that fill a batch. */
static long calibrate(const struct bench_row *row, void (*work)(long))
{
    double wanted = by_threads(row) ? BATCH_THREADS_NS : BATCH_NS;
    long times = 1, next = bench_agree(1);

    do {
        double factor = wanted / (shortest_batch(row, work, times = next) + 1);

        next = bench_agree(factor > 10  ? times * 10
                           : factor > 2 ? (long)((double)times * factor)
                                        : times);
    } while (next != times);
    return times;
}

/* The first calls of a process take longer, and tools record them all: they are no part of a row.
 */
static void warm_up(const struct bench_row *row)
{
    static bool is_warm;

    double start = now_ns();

    for (int i = 0; !is_warm && i < WARM_BATCHES && bench_agree(now_ns() - start < WARM_NS); i++)
        batch(row, row->work, WARM_TIMES);
    is_warm = true;
}

/* "name_min": ..., "name": (the median) */
static void print_times(const char *name, const double *ns, int n)
{
    double sorted[MOST_ROUNDS];

    memcpy(sorted, ns, sizeof *sorted * (size_t)n);
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    printf(", \"%s_min\": %.2f, \"%s\": %.2f", name, sorted[0], name, sorted[n / 2]);
}

static const char *mode(void)
{
    return bench_threads > 1 ? "threads"
           : bench_unaligned ? "unaligned"
           : bench_team      ? "team"
                             : "plain";
}

void bench_print(const struct bench_row *row, const double *ours, const double *by_hand, int n)
{
    if (bench_me != 0)
        return;
    printf("{\"group\": \"%s\", \"operation\": \"%s\", \"variant\": \"%s\", \"mode\": \"%s\", "
           "\"bytes\": %zu, \"pes\": %d, \"runs\": %d",
           group, row->operation, row->variant, mode(), row->bytes, bench_n, n);
    print_times("ns", ours, n);
    if (by_hand) {
        printf(", \"limit\": \"%s\"", row->limit);
        print_times("limit_ns", by_hand, n);
    }
    printf("}\n");
    fflush(stdout);
}

static bool is_wanted(const struct bench_row *row)
{
    return row->bytes <= bench_max_bytes && (only_bytes == SIZE_MAX || row->bytes == only_bytes) &&
           (!only_operation || !strcmp(row->operation, only_operation));
}

void bench_measure(const struct bench_row *row)
{
    double ours[MOST_ROUNDS], by_hand[MOST_ROUNDS], start;
    bool compare = row->limit && bench_has_limits();
    long per = row->per ? row->per : 1, times, times_by_hand = 0, more = 1;
    int n = 0;

    if (!is_wanted(row))
        return;
    warm_up(row);
    times = calibrate(row, row->work);
    if (compare)
        times_by_hand = calibrate(row, row->by_hand);
    for (start = now_ns(); more; n++) {
        ours[n] = batch(row, row->work, times) / (double)(times * per);
        shmem_barrier_all();
        if (compare)
            by_hand[n] = batch(row, row->by_hand, times_by_hand) / (double)(times_by_hand * per);
        more =
            bench_agree(n + 1 < LEAST_ROUNDS || (n + 1 < MOST_ROUNDS && now_ns() - start < row_ns));
    }
    bench_print(row, ours, compare ? by_hand : NULL, n);
}
