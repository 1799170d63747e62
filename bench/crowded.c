/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work within nodes by more PEs than there are cores: what an open network costs those who do not
 * use it. The first half of the PEs and the second each work among themselves; run it with
 * SHMEM_NODES=1 and SHMEM_NODES=2 and compare. Prints the processors' time in bench/row.h's form.
 */
#include <shmem.h>
#include <stdint.h>

#include "row.h"

static shmem_team_t half;
static long *flag;
static int me, next;

static void sync_half(void)
{
    shmem_team_sync(half);
}

static void compute(void)
{
    volatile unsigned long x = 1;

    for (int i = 0; i < 100000; i++)
        x = x * 3 + 1;
    shmem_team_sync(half);
}

/* A token goes round the half. */
static void ring(void)
{
    static long round;

    round++;
    if (shmem_team_my_pe(half) == 0)
        shmem_long_atomic_set(flag, round, next);
    shmem_long_wait_until(flag, SHMEM_CMP_GE, round);
    if (shmem_team_my_pe(half) != 0)
        shmem_long_atomic_set(flag, round, next);
}

static const struct row rows[] = {
    {"sync", sync_half, 20, 200, 0, "us"},
    {"compute_and_sync", compute, 20, 10, 0, "us"},
    {"ring", ring, 20, 200, 0, "us"},
};

/* The processors' time for one run on all PEs: unlike the clock's, others hardly disturb it. */
static void measure(const struct row *row)
{
    static double used, total, seconds[ROW_BATCHES];

    for (int b = 0; b < row->batches; b++) {
        shmem_barrier_all();
        used = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < row->times; i++)
            row->body();
        used = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - used;
        shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &total, &used, 1);
        seconds[b] = total * 1e-9 / row->times;
    }
    if (me == 0)
        row_print(row, seconds);
}

int main(void)
{
    int n, size;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    size = n / 2;
    flag = shmem_calloc(1, sizeof *flag);
    if (n % 2 || n < 4 || !flag)
        shmem_global_exit(2);
    for (int i = 0; i < 2; i++) {
        shmem_team_t team;

        shmem_team_split_strided(SHMEM_TEAM_WORLD, i * size, 1, size, NULL, 0, &team);
        if (me / size == i)
            half = team;
    }
    next = shmem_team_translate_pe(half, (shmem_team_my_pe(half) + 1) % size, SHMEM_TEAM_WORLD);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        measure(&rows[r]);
    shmem_finalize();
    return 0;
}
