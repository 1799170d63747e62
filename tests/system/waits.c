/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Long waits.
 *
 *     waits store    how many milliseconds after a plain store through shmem_ptr a sleeper goes on
 *     waits cpu      how many milliseconds of processor time a wait of half a second takes
 *
 * PE 0 waits, the last PE ends the wait; all others wait in a barrier. PE 0 prints a line for each
 * kind of wait.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "system/objects.h"

#define ROUNDS 5

static uint64_t word, signal_word, unused[3];
static long lock;
static double stored_at;
static int me, n;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double processor_time(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-3;
}

static void pause_for(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

static int compare(const void *a, const void *b)
{
    return *(const double *)a < *(const double *)b ? -1 : 1;
}

/* The median delay of several rounds, without a call of the library at the store. */
static void store_to(uint64_t *target, const char *name)
{
    double delays[ROUNDS];

    *target = 0;
    for (int i = 0; i < ROUNDS; i++) {
        shmem_barrier_all();
        if (me == n - 1) {
            uint64_t *there = (uint64_t *)shmem_ptr(target, 0);
            double *when = (double *)shmem_ptr(&stored_at, 0);

            pause_for(60 + 3 * i); /* until it sleeps, at no particular moment of its sleep */
            *when = now();
            __atomic_store_n(there, i + 1, __ATOMIC_RELEASE);
            pause_for(50); /* or the barrier would ring */
        } else if (me == 0) {
            shmem_uint64_wait_until(target, SHMEM_CMP_EQ, (uint64_t)i + 1);
            delays[i] = now() - stored_at;
        }
    }
    qsort(delays, ROUNDS, sizeof delays[0], compare);
    if (me == 0)
        printf("%s %.2f\n", name, delays[ROUNDS / 2]);
    shmem_barrier_all();
}

static void for_word(void)
{
    if (me == 0)
        shmem_uint64_wait_until(&word, SHMEM_CMP_EQ, 1);
    else
        shmem_uint64_atomic_set(&word, 1, 0);
}

static void for_signal(void)
{
    if (me == 0)
        shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1);
    else
        shmem_signal_set(&signal_word, 1, 0);
}

static void for_some(void)
{
    size_t indices[3];

    if (me == 0)
        shmem_uint64_wait_until_some(unused, 3, indices, NULL, SHMEM_CMP_EQ, 1);
    else
        shmem_uint64_p(&unused[2], 1, 0);
}

static void for_lock(void)
{
    if (me == 0)
        shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
}

static void for_reduction(void)
{
    static long from, to;

    shmem_long_max_reduce(SHMEM_TEAM_WORLD, &to, &from, 1);
}

/* Between two barriers, PE 0 waits at once and the last PE after half a second. */
static void measure(const char *name, void (*wait)(void))
{
    double before;

    shmem_barrier_all();
    if (me == n - 1)
        pause_for(500);
    before = processor_time();
    if (me == 0 || me == n - 1)
        wait();
    if (me == 0)
        printf("%s %.2f\n", name, processor_time() - before);
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    uint64_t *heap;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    heap = shmem_calloc(1, sizeof *heap);
    if (argc > 1 && strcmp(argv[1], "store") == 0) {
        store_to(&word, "static");
        store_to(heap, "heap");
    } else {
        measure("wait_until", for_word);
        measure("signal_wait_until", for_signal);
        measure("wait_until_some", for_some);
        if (n == 2) { /* who else would take part */
            measure("barrier_all", shmem_barrier_all);
            measure("reduce", for_reduction);
        }
        if (me == n - 1)
            shmem_set_lock(&lock);
        measure("set_lock", for_lock);
    }
    shmem_free(heap);
    shmem_finalize();
    return 0;
}
