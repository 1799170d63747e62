/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program in which tests cause faults. Prints "ready" to standard error when all PEs run, then
 * does one of these for ever:
 *
 *     wait      in shmem_wait_until
 *     barrier   in shmem_barrier_all, which the last PE does not reach
 *     compute   without any call
 *     traffic   with puts, gets and atomics to all PEs
 *     gathered  with small operations on all PEs, many of which travel together
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 4096

static int never;
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

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "wait";
    char *heap;

    shmem_init();
    heap = shmem_malloc(2 * BLOCK);
    shmem_barrier_all();
    fprintf(stderr, "ready\n");
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
