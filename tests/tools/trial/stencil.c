/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stencil [right]: heat in a bar that is divided among PEs. Each PE has cells with a ghost cell at
 * both ends, which its neighbours fill in each step; at the end PE 0 gathers the whole bar.
 *
 * Bug 1: the ghost cells of the next step may arrive before this step has read those of the last
 * one; there is no barrier behind the step.
 * Bug 2: the last PE has fewer cells, but puts as many as the others have into the gathered bar.
 */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 100, SHARE = 34, STEPS = 60 };

struct bar {
    double *now, *next; /* with ghost cells at 0 and mine + 1 */
    int mine;
};

static int me, n, right;

static int share_of(int pe)
{
    int first = pe * SHARE;

    return first + SHARE <= CELLS ? SHARE : CELLS - first;
}

static void make(struct bar *bar)
{
    bar->mine = share_of(me);
    bar->now = shmem_calloc(SHARE + 2, sizeof *bar->now);
    bar->next = shmem_calloc(SHARE + 2, sizeof *bar->next);
    for (int i = 1; i <= bar->mine; i++)
        bar->now[i] = me == 0 && i < 10 ? 100.0 : 0.0;
    shmem_barrier_all();
}

static void drop(struct bar *bar)
{
    shmem_free(bar->next);
    shmem_free(bar->now);
}

static void send_edges(const struct bar *bar)
{
    if (me > 0)
        shmem_double_put(&bar->now[share_of(me - 1) + 1], &bar->now[1], 1, me - 1);
    if (me + 1 < n)
        shmem_double_put(&bar->now[0], &bar->now[bar->mine], 1, me + 1);
}

static void compute(struct bar *bar)
{
    for (int i = 1; i <= bar->mine; i++)
        bar->next[i] = bar->now[i] + 0.2 * (bar->now[i - 1] - 2.0 * bar->now[i] + bar->now[i + 1]);
}

static void advance(struct bar *bar)
{
    memcpy(&bar->now[1], &bar->next[1], (size_t)bar->mine * sizeof *bar->now);
}

static void step(struct bar *bar)
{
    send_edges(bar);
    if (right)
        shmem_barrier_all();
    else
        shmem_sync_all(); /* bug 1: a sync does not complete the puts */
    compute(bar);
    shmem_sync_all();
    advance(bar);
}

/* Returns the gathered bar, which is complete on PE 0. */
static double *gather(const struct bar *bar)
{
    double *whole = shmem_calloc(CELLS, sizeof *whole);
    int count = right ? bar->mine : SHARE;

    shmem_double_put(&whole[me * SHARE], &bar->now[1], (size_t)count, 0); /* bug 2 */
    shmem_barrier_all();
    return whole;
}

static double sum(const double *cells, int count)
{
    double total = 0.0;

    for (int i = 0; i < count; i++)
        total += cells[i];
    return total;
}

int main(int argc, char **argv)
{
    struct bar bar;
    double *whole;

    right = argc > 1 && strcmp(argv[1], "right") == 0;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    make(&bar);
    for (int i = 0; i < STEPS; i++)
        step(&bar);
    whole = gather(&bar);
    if (me == 0)
        printf("stencil %.3f\n", sum(whole, CELLS));
    shmem_barrier_all();
    shmem_free(whole);
    drop(&bar);
    shmem_finalize();
    return 0;
}
