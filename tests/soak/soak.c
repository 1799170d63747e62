/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs random programs and compares their results with those of plain C.
 *
 *     soak [--seed N] [--seconds S | --rounds N] [--round N [--repeat N]] [--hang S] [--threads N]
 *
 * A failure prints the command that repeats the round. --round N begins with that round, and
 * --repeat runs it that often. A round that takes longer than --hang seconds is a failure.
 * Each phase draws its number of threads; --threads is the least.
 */
#include "soak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crew.h"
#include "lane.h"
#include "report.h"

int soak_me, soak_n_pes;

static struct options {
    uint64_t seed;
    double seconds; /* 0: rounds count */
    unsigned rounds, first, repeat, hang, threads;
} options = {.rounds = 10, .hang = 100, .threads = 1};

static uint64_t operations;
static uint64_t *total; /* of all PEs, at PE 0 */
static int *goes_on;    /* PE 0's decision */

void soak_count(uint64_t n)
{
    __atomic_fetch_add(&operations, n, __ATOMIC_RELAXED);
}

void *soak_alloc(size_t bytes)
{
    void *memory = shmem_calloc(1, bytes);

    expect(memory != NULL, "no symmetric memory for %zu bytes", bytes);
    return memory;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void usage(void)
{
    fprintf(stderr, "usage: soak [--seed N] [--seconds S | --rounds N] [--round N [--repeat N]] "
                    "[--hang S] [--threads N]\n");
    exit(2);
}

static void read_options(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        char *end;
        unsigned long long number;

        if (i + 1 == argc)
            usage();
        number = strtoull(argv[i + 1], &end, 10);
        if (*end || end == argv[i + 1])
            usage();
        if (!strcmp(argv[i], "--seed"))
            options.seed = number;
        else if (!strcmp(argv[i], "--seconds"))
            options.seconds = (double)number;
        else if (!strcmp(argv[i], "--rounds"))
            options.rounds = (unsigned)number;
        else if (!strcmp(argv[i], "--round"))
            options.first = (unsigned)number;
        else if (!strcmp(argv[i], "--repeat"))
            options.repeat = (unsigned)number;
        else if (!strcmp(argv[i], "--hang"))
            options.hang = (unsigned)number;
        else if (!strcmp(argv[i], "--threads"))
            options.threads = (unsigned)number;
        else
            usage();
    }
}

/* Each with the probability that its share of the time is right; in any order. */
static void run_round(const struct round *round)
{
    static const struct {
        void (*run)(const struct round *round);
        unsigned percent;
    } phases[] = {{soak_storm, 90}, {soak_messages, 60}, {soak_locks, 40}, {soak_meetings, 60}};
    struct draw draw = draw_from(round->seed, DRAW_ROUND, 0);
    unsigned first = draw_below(&draw, 4);

    report_round(round, options.seed, options.hang);
    for (unsigned i = 0; i < 4; i++)
        if (draw_chance(&draw, phases[(first + i) % 4].percent))
            phases[(first + i) % 4].run(round);
}

static bool is_over(unsigned done, double start)
{
    if (options.repeat)
        return done >= options.repeat;
    return options.seconds > 0 ? now() - start >= options.seconds : done >= options.rounds;
}

/* PE 0 decides, since the PEs' clocks differ. */
static bool agree(bool more)
{
    if (soak_me == 0)
        for (int pe = 0; pe < soak_n_pes; pe++)
            shmem_int_p(goes_on, more, pe);
    shmem_barrier_all();
    more = *(volatile int *)goes_on;
    shmem_sync_all();
    return more;
}

static void show_progress(unsigned done, double start, const char *whose, uint64_t n)
{
    printf("soak: %.0f s, %u rounds, %llu operations of %s, seed %llu\n", now() - start, done,
           (unsigned long long)n, whose, (unsigned long long)options.seed);
    fflush(stdout);
}

static void show_total(unsigned done, double start)
{
    shmem_uint64_atomic_add(total, operations, 0);
    shmem_barrier_all();
    if (soak_me == 0)
        show_progress(done, start, "all PEs", *total);
}

static void run_rounds(double start)
{
    double shown = start;
    unsigned done = 0;

    do {
        struct round round = {.number = options.first + (options.repeat ? 0 : done)};

        round.seed = draw_mix(options.seed ^ draw_mix(round.number + 1));
        run_round(&round);
        done++;
        if (soak_me == 0 && now() - shown >= 10) {
            shown = now();
            show_progress(done, start, "PE 0", operations);
        }
    } while (agree(!is_over(done, start)));
    show_total(done, start);
}

int main(int argc, char **argv)
{
    int provided;
    double start = now();

    read_options(argc, argv);
    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) || provided != SHMEM_THREAD_MULTIPLE)
        return 77; /* the library has no threads */
    soak_me = shmem_my_pe();
    soak_n_pes = shmem_n_pes();
    if (soak_n_pes > MAX_PES) {
        fprintf(stderr, "soak: at most %d PEs\n", MAX_PES);
        shmem_global_exit(2);
    }
    goes_on = soak_alloc(sizeof *goes_on);
    total = soak_alloc(sizeof *total);
    crew_at_least((int)options.threads);
    report_start(argv, options.threads, getenv("SHMEM_CHAOS"));
    /* Chaos delays puts, but cannot see a later store, which a fence orders after them. */
    plan_stores = !getenv("SHMEM_CHAOS");
    run_rounds(start);
    shmem_free(total);
    shmem_free(goes_on);
    shmem_finalize();
    return 0;
}
