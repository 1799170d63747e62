/* SPDX-License-Identifier: BSD-3-Clause */
/* Every operation completes while its target computes without calls. */
#include "harness/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* So long a PE computes if nobody tells it to stop: then somebody waits for it, in vain. */
#define COMPUTE_S 6.0

enum { TARGET = 0, BLOCK = 100000 };

static long word, counter, block[BLOCK], stop;
static uint64_t signal;
static long locks[9];

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* No calls of the library. */
static void compute(const char *name)
{
    double until = now() + COMPUTE_S;

    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE) && now() < until)
        for (volatile int i = 0; i < 1000; i++)
            ;
    check_equal(stop, 1L, name);
    stop = 0;
}

static void tell(const char *what, double since)
{
    if (getenv("FAR_PROGRESS_FIGURES"))
        printf("%-12s %9.1f us\n", what, (now() - since) * 1e6);
}

static void operate(long *private)
{
    double t = now();

    shmem_long_p(&word, 5, TARGET);
    shmem_quiet();
    tell("p, quiet", t);
    t = now();
    shmem_long_put(block, private, BLOCK, TARGET);
    shmem_quiet();
    tell("put, quiet", t);
    t = now();
    check_equal(shmem_long_g(&word, TARGET), 5L, "target-needs-no-calls");
    tell("g", t);
    t = now();
    shmem_long_get(private, block, BLOCK, TARGET);
    tell("get", t);
    t = now();
    shmem_long_iget(private, block, 1, 1000, BLOCK / 1000, TARGET);
    tell("iget", t);
    t = now();
    shmem_long_atomic_fetch_add(&counter, 1, TARGET);
    tell("fetch_add", t);
    t = now();
    shmem_long_put_signal(block, private, BLOCK, &signal, 1, SHMEM_SIGNAL_ADD, TARGET);
    shmem_quiet();
    tell("put_signal", t);
    t = now();
    for (int i = 0; i < 8; i++) { /* some have their home at the target */
        shmem_set_lock(&locks[i]);
        shmem_clear_lock(&locks[i]);
    }
    tell("8 locks", t);
    shmem_long_p(&stop, 1, TARGET);
}

static void check_operations(int operator, long * private)
{
    check_case("PE %d computes", TARGET);
    if (check_pe() == operator) /* connections are not what this is about */
        shmem_long_atomic_fetch(&counter, TARGET);
    shmem_barrier_all();
    if (check_pe() == operator)
        operate(private);
    if (check_pe() == TARGET)
        compute("target-needs-no-calls");
    shmem_barrier_all();
}

/* The lock goes from a PE that makes no more calls to one that has waited for it. */
static void check_hand_over(int heir)
{
    check_case("a lock from a computing PE");
    if (check_pe() == TARGET)
        shmem_set_lock(&locks[8]);
    shmem_barrier_all();
    if (check_pe() == heir) {
        shmem_set_lock(&locks[8]);
        shmem_clear_lock(&locks[8]);
        shmem_long_p(&stop, 1, TARGET);
    } else if (check_pe() == TARGET) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* for the heir to wait */
        shmem_clear_lock(&locks[8]);
        compute("lock-needs-no-more-calls");
    }
    shmem_barrier_all();
}

/* A PE that looks at its own memory, by whatever means, sees what comes. */
static void check_looks(int sender)
{
    static long looked[4];

    check_case("looks at memory of one's own");
    shmem_barrier_all();
    if (check_pe() == sender) {
        for (int i = 0; i < 4; i++) {
            shmem_long_p(&looked[i], 1, TARGET);
            shmem_quiet();
        }
    } else if (check_pe() == TARGET) {
        while (!shmem_long_g(&looked[0], TARGET))
            ;
        while (!shmem_long_atomic_fetch(&looked[1], TARGET))
            ;
        while (!shmem_long_test(&looked[2], SHMEM_CMP_NE, 0))
            ;
        while (!__atomic_load_n((long *)shmem_ptr(&looked[3], TARGET), __ATOMIC_ACQUIRE))
            ;
        check_passed();
    }
    shmem_barrier_all();
}

int main(void)
{
    long *private = calloc(BLOCK, sizeof *private);
    int last;

    check_init("remote/progress");
    last = check_n_pes() - 1;
    if (last != TARGET) {
        check_operations(last, private);
        check_hand_over(last);
        check_looks(last);
    }
    check_equal(shmem_long_atomic_fetch(&counter, TARGET), last != TARGET ? 1L : 0L,
                "target-needs-no-calls");
    shmem_barrier_all();
    free(private);
    return check_finish();
}
