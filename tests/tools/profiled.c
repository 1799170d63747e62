/* SPDX-License-Identifier: BSD-3-Clause */
/* profiled CASE: programs whose profile is known, for profile.py. */
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 20

static long flag, words[64];
static double result[1000];
static volatile double sink;

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Computes for so many seconds of processor time, whatever else the machine does. */
static __attribute__((noinline)) void compute(double seconds)
{
    double until = cpu_seconds() + seconds;

    while (cpu_seconds() < until)
        for (int i = 1; i < 20000; i++)
            sink += 1.0 / i; /* here: compute */
}

/* By a pointer, so that the compiler can't put its own code in the place of libc's. */
static void *(*volatile fill)(void *, int, size_t) = memset;

/* Its time is spent in libc. */
static __attribute__((noinline)) void fill_again(void)
{
    double until = cpu_seconds() + 0.2;

    while (cpu_seconds() < until)
        for (int i = 0; i < 1000; i++)
            fill(result, i, sizeof result); /* here: fill */
}

static void *compute_in_thread(void *unused)
{
    compute(0.2);
    return NULL;
}

static void computing(void)
{
    pthread_t thread;

    if (shmem_my_pe() == 1)
        compute(0.4);
    fill_again();
    pthread_create(&thread, NULL, compute_in_thread, NULL);
    pthread_join(thread, NULL);
    shmem_barrier_all();
}

/* PE 0 is late; each PE passes the flag on to the next one, at once. */
static void chain(void)
{
    int me = shmem_my_pe();

    for (long round = 1; round <= ROUNDS; round++) {
        if (me == 0)
            usleep(20000);
        else
            shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
        if (me + 1 < shmem_n_pes())
            shmem_long_p(&flag, round, me + 1); /* here: put */
    }
    shmem_barrier_all();
}

static void phases(void)
{
    for (int i = 0; i < 3; i++) {
        shmem_pcontrol(3, "sleep");
        usleep(50000);
        shmem_pcontrol(3, "exchange");
        shmem_long_p(&words[0], i, (shmem_my_pe() + 1) % shmem_n_pes());
        shmem_barrier_all();
        shmem_pcontrol(3, NULL);
        usleep(10000);
    }
    shmem_pcontrol(7);
    shmem_barrier_all();
    shmem_pcontrol(3, "");
    shmem_pcontrol(0);
    shmem_long_p(&words[0], 1, 0);
    usleep(100000);
    shmem_pcontrol(1);
}

static void burst(void)
{
    long sum = 0;
    int after = (shmem_my_pe() + 1) % shmem_n_pes();

    for (int i = 0; i < 1000000; i++) {
        shmem_long_p(&words[i % 64], i, after);
        if (i % 4 == 0)
            sum += shmem_long_g(&words[i % 64], after);
    }
    words[0] = sum;
    shmem_barrier_all();
}

static void killed(void)
{
    shmem_barrier_all(); /* all have a profile now */
    if (shmem_my_pe() == 1) {
        usleep(50000); /* so that another PE is in the next barrier */
        raise(SIGKILL);
    }
    shmem_barrier_all();
}

static void hung(void)
{
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        compute(1e9);
    shmem_barrier_all(); /* here: hung */
}

static void own_handler(int number)
{
}

/* The program's handler of SIGPROF stays, and nothing is sampled. */
static void handled(void)
{
    compute(0.1);
}

static void crowded(void)
{
    compute(0.3);
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"computing", computing}, {"chain", chain},    {"phases", phases},
                 {"burst", burst},         {"killed", killed},  {"hung", hung},
                 {"handled", handled},     {"crowded", crowded}};

    if (strcmp(argv[1], "handled") == 0)
        signal(SIGPROF, own_handler);
    shmem_init();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    shmem_finalize();
    return 0;
}
