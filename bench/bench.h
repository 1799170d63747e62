/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the benchmark programs: timing, in turn with hand-written code, and rows of results. */
#ifndef BENCH_H
#define BENCH_H

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "plain.h"

/* Plain OpenSHMEM: what an older version of the standard lacks is left out there. */
#define BENCH_API (SHMEM_MAJOR_VERSION * 100 + SHMEM_MINOR_VERSION)

/* Hand-written work is called as a library is: the compiler may not inline or merge it. */
#define BENCH_BY_HAND __attribute__((noinline, noclone))

/* Static, so that the call is direct, whatever options the program is built with. */
BENCH_BY_HAND __attribute__((unused)) static void bench_copy(void *to, const void *from,
                                                             size_t bytes)
{
    memcpy(to, from, bytes);
    __asm__ volatile("" ::: "memory");
}

/* From bench_start(). */
extern int bench_me, bench_n;
extern bool bench_crowded;     /* more PEs than cores */
extern size_t bench_max_bytes; /* rows with more are left out */
extern bool bench_unaligned;   /* buffers start in the middle of a cache line */
extern bool bench_team;        /* collectives work on a team that was split off */

#define BENCH_THREADS 2
extern int bench_threads;              /* 1, or BENCH_THREADS at THREAD_MULTIPLE */
extern _Thread_local int bench_thread; /* which of them this is */

struct bench_row {
    const char *operation, *variant;
    size_t bytes;
    bool all;                 /* all PEs do it; else PE 0, while the others wait in a barrier */
    bool serial;              /* by one thread only */
    int per;                  /* operations in one repetition, 0 for 1 */
    void (*work)(long times); /* repeats the operation */
    const char *limit;        /* the name of the same work, hand-written, or NULL */
    void (*by_hand)(long times);
};

/*
 * Arguments: --max-bytes N, --row-ms N, --unaligned, --team, --threads; --operation NAME and
 * --bytes N select rows; with --no-limits, hand-written work is not measured. Starts OpenSHMEM.
 * Ends the program with status 77 if the library can't do what is asked for.
 */
void bench_start(int argc, char **argv, const char *group);
void bench_end(void);

/* Measures both, in turn and several times; PE 0 prints a line of JSON. */
void bench_measure(const struct bench_row *row);

/* For what is measured otherwise: nanoseconds of several runs. The limit may be missing: NULL. */
void bench_print(const struct bench_row *row, const double *ours, const double *by_hand, int n);
/* `value` is PE 0's; returns it on all PEs. */
long bench_agree(long value);

/* Symmetric memory or the end of the program; bench_peer() is where it lies at that PE, or NULL. */
void *bench_alloc(size_t bytes);
void *bench_peer(const void *symmetric, int pe);

/*
 * A hand-written barrier, one for each thread: between two PEs an exchange of flags, among more a
 * shared counter whose waiters yield. If the PEs share no memory, the library's barrier.
 */
void bench_meet(void);
bool bench_shared(void);     /* whether they share memory */
bool bench_has_limits(void); /* and hand-written work is measured on it */

#endif
