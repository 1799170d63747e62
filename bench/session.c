/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a session saves a program that works between small operations. PE 0 adds to random words of
 * PE 1 on another node, without and with a session, while PE 1 sleeps between looks at its memory.
 * Prints additions a second, and the processors' time of each PE; the best of several runs.
 * Usage: SHMEM_NODES=2 oshrun -n 2 session [STEPS of work before each addition]
 */
#define _GNU_SOURCE
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "plain.h"

enum { ADDITIONS = 100000, WORDS = 1 << 20, RUNS = 8 };

static long stop;
static uint64_t *words;

static double processor_ms(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-3;
}

static void add(int work)
{
    uint64_t x = 88172645463325252u;

    for (int i = 0; i < ADDITIONS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        for (volatile int step = 0; step < work; step++)
            ;
        shmem_uint64_atomic_add(words + x % WORDS, 1, 1);
    }
    shmem_quiet();
}

/* The seconds that PE 0 takes. */
static double run(int work, int session)
{
    shmem_ctx_session_config_t config = {.total_ops = ADDITIONS};
    double from = now_ns();

    if (session)
        shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, &config,
                                SHMEM_CTX_SESSION_TOTAL_OPS);
    add(work);
    if (session)
        shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    from = (now_ns() - from) * 1e-9;
    shmem_long_p(&stop, 1, 1);
    shmem_quiet();
    return from;
}

static void wait_asleep(void)
{
    while (!*(volatile long *)&stop)
        usleep(1000);
}

static void measure(int work, int session)
{
    double seconds = 1e9, processor = 1e9;

    for (int i = 0; i < RUNS; i++) {
        double ms, took = 0;

        stop = 0;
        shmem_barrier_all();
        ms = processor_ms();
        if (shmem_my_pe() == 0)
            took = run(work, session);
        else
            wait_asleep();
        ms = processor_ms() - ms;
        seconds = took < seconds ? took : seconds;
        processor = ms < processor ? ms : processor;
        shmem_barrier_all();
    }
    if (shmem_my_pe() == 0)
        printf("%-10s %.2f million additions a second\n", session ? "session" : "no session",
               ADDITIONS / seconds / 1e6);
    printf("%-10s PE %d: %.0f ms of processor\n", session ? "session" : "no session", shmem_my_pe(),
           processor);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int work = argc > 1 ? atoi(argv[1]) : 1000;

    shmem_init();
    words = shmem_calloc(WORDS, sizeof *words);
    if (!words || shmem_n_pes() != 2) {
        fprintf(stderr, "session: run it on two PEs\n");
        shmem_global_exit(2);
    }
    measure(work, 0);
    measure(work, 1);
    shmem_finalize();
    return 0;
}
