/* SPDX-License-Identifier: BSD-3-Clause */
/* A PE that computes after small operations, and makes no more calls: they leave all the same. */
#include "harness/check.h"

#include <time.h>

enum { ROUNDS = 12, ADDS = 50, WORDS = 20 };

/* Nobody answers for so long if the operations do not leave. */
#define COMPUTE_S 6.0

/* The fastest round. Operations leave within a millisecond; other processes may need the cores. */
#define FASTEST_S 0.05

static long counter, words[WORDS], reply;
static uint64_t signal;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The seconds until the reply. No calls of the library. */
static double compute(long round)
{
    double from = now();

    while (__atomic_load_n(&reply, __ATOMIC_ACQUIRE) < round && now() < from + COMPUTE_S)
        for (volatile int i = 0; i < 1000; i++)
            ;
    return now() - from;
}

static void operate(int target, long round)
{
    for (int i = 0; i < ADDS; i++)
        shmem_long_atomic_add(&counter, 1, target);
    for (int i = 0; i < WORDS; i++)
        shmem_long_p(&words[i], round, target);
    shmem_fence();
    shmem_long_put_signal(&words[0], &round, 1, &signal, (uint64_t)round, SHMEM_SIGNAL_SET, target);
}

static void answer(int sender, long round)
{
    shmem_signal_wait_until(&signal, SHMEM_CMP_GE, (uint64_t)round);
    check_equal(shmem_long_atomic_fetch(&counter, check_pe()), round * ADDS,
                "operations-leave-while-the-PE-computes");
    for (int i = 0; i < WORDS; i++)
        check_equal(words[i], round, "operations-leave-while-the-PE-computes");
    shmem_long_p(&reply, round, sender);
    shmem_quiet();
}

static void check_rounds(long first)
{
    int target = check_n_pes() - 1;
    double fastest = COMPUTE_S;

    for (long round = first; round < first + ROUNDS; round++) {
        shmem_barrier_all();
        if (check_pe() == 0 && target != 0) {
            double seconds;

            operate(target, round);
            seconds = compute(round);
            fastest = seconds < fastest ? seconds : fastest;
        } else if (check_pe() == target && target != 0) {
            answer(0, round);
        }
    }
    if (check_pe() == 0 && target != 0)
        check_equal((int)(fastest < FASTEST_S), 1, "operations-leave-while-the-PE-computes");
    shmem_barrier_all();
    check_reached("operations-leave-while-the-PE-computes");
}

int main(void)
{
    check_init("remote/leaves");
    check_rounds(1);
    check_case("in a session");
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    check_rounds(1 + ROUNDS);
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    return check_finish();
}
