/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program in which tests cause faults. Prints "ready" to standard error when all PEs run, then
 * does one of these, for ever:
 *
 *     wait      in shmem_wait_until
 *     barrier   in shmem_barrier_all, which the last PE does not reach
 *     compute   without any call
 *     traffic   with puts, gets and atomics to all PEs
 *     gathered  with small operations on all PEs, many of which travel together
 *
 * or for some seconds, with a check of each result:
 *
 *     paced     puts, gets and barriers in turns
 *
 * or until SIGUSR1 to the last PE, which then ends the job while the others wait:
 *
 *     exit         by exit(3), without shmem_finalize
 *     global_exit  by shmem_global_exit(7)
 *     return       by a flag: all call shmem_finalize and return 5 from main()
 */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 4096
#define PACED_SECONDS 6

static int never;
static volatile sig_atomic_t asked;
static long counter;

static void traffic(char *heap)
{
    int n = shmem_n_pes(), me = shmem_my_pe();

    for (int round = 1;; round++) {
        int pe = (me + round) % n;

        shmem_putmem(heap, heap + BLOCK, BLOCK, pe);
        shmem_long_atomic_inc(&counter, pe);
        shmem_getmem(heap + BLOCK, heap, BLOCK, pe);
        shmem_quiet();
        usleep(200); /* it is about connections that break, not about speed */
    }
}

static void gathered(long *words)
{
    static long fetched[BLOCK];
    int n = shmem_n_pes();

    for (;;) {
        for (int i = 0; i < BLOCK; i++) {
            shmem_long_atomic_add(&counter, 1, i % n);
            shmem_long_p(&words[i / 16], i, i % n);
            shmem_long_atomic_fetch_add_nbi(&fetched[i], &counter, 1, (i + 1) % n);
        }
        shmem_quiet();
    }
}

/* PE 0's clock decides when it is over. */
static int paced(int *words)
{
    static int goes_on = 1;
    int n = shmem_n_pes(), me = shmem_my_pe(), seen;
    time_t end = time(NULL) + PACED_SECONDS;

    for (int round = 1; goes_on; round++) {
        shmem_int_p(&words[me], round, (me + 1) % n);
        shmem_barrier_all();
        shmem_int_get(&seen, &words[(me + n - 1) % n], 1, me);
        if (seen != round) {
            fprintf(stderr, "PE %d: %d in round %d\n", me, seen, round);
            return 1;
        }
        for (int pe = 0; me == 0 && pe < n && time(NULL) >= end; pe++)
            shmem_int_p(&goes_on, 0, pe);
        shmem_barrier_all();
    }
    shmem_finalize();
    return 0;
}

static void note_request(int number)
{
    asked = number;
}

static void await_request(void)
{
    if (shmem_my_pe() < shmem_n_pes() - 1) {
        shmem_int_wait_until(&never, SHMEM_CMP_NE, 0);
        return;
    }
    while (!asked)
        usleep(1000);
}

/* Whether `what` is an end that a signal starts; its status. */
static int end_on_request(const char *what, int *status)
{
    if (strcmp(what, "exit") != 0 && strcmp(what, "global_exit") != 0 &&
        strcmp(what, "return") != 0)
        return 0;
    await_request();
    if (strcmp(what, "exit") == 0)
        exit(3);
    if (strcmp(what, "global_exit") == 0)
        shmem_global_exit(7);
    for (int pe = 0; shmem_my_pe() == shmem_n_pes() - 1 && pe < shmem_n_pes(); pe++)
        shmem_int_p(&never, 1, pe);
    shmem_finalize();
    *status = 5;
    return 1;
}

int main(int argc, char **argv)
{
    int status;
    const char *what = argc > 1 ? argv[1] : "wait";
    char *heap;

    shmem_init();
    heap = shmem_calloc(2, BLOCK);
    signal(SIGUSR1, note_request);
    shmem_barrier_all();
    fprintf(stderr, "ready\n");
    if (end_on_request(what, &status))
        return status;
    if (strcmp(what, "paced") == 0)
        return paced((int *)heap);
    if (strcmp(what, "traffic") == 0)
        traffic(heap);
    if (strcmp(what, "gathered") == 0)
        gathered((long *)heap);
    if (strcmp(what, "wait") == 0)
        shmem_int_wait_until(&never, SHMEM_CMP_NE, 0);
    if (strcmp(what, "barrier") == 0 && shmem_my_pe() < shmem_n_pes() - 1)
        shmem_barrier_all();
    for (;;)
        usleep(1000);
}
