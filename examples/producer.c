/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PE 0 produces blocks of numbers, the others consume them in turn. Puts with handles let it
 * prepare a block while earlier ones are still on their way: a handle says when its buffer may be
 * used again, a fence that the flag comes after the data.
 */
#include <mpp/shmem.h>
#include <stdio.h>

enum { BLOCKS = 40, LENGTH = 20000, SLOTS = 2 };

/* At each consumer: room for two blocks, and which block is there. */
static double slots[SLOTS][LENGTH];
static long full[SLOTS];

/* At the producer, for each slot of each consumer: the last block that was taken from it. */
static long *emptied;

static void produce(int consumers)
{
    static double buffers[SLOTS][LENGTH];
    void *handles[SLOTS] = {NULL};

    for (long block = 1; block <= BLOCKS; block++) {
        long turn = (block - 1) / consumers; /* how many this consumer has had before */
        int consumer = 1 + (int)((block - 1) % consumers), slot = (int)(turn % SLOTS);
        int b = (int)(block % SLOTS);

        shmem_wait_nb(handles[b]); /* the put of two blocks ago no longer needs its buffer */
        for (int i = 0; i < LENGTH; i++)
            buffers[b][i] = (double)((block - 1) * LENGTH + i);
        if (turn >= SLOTS)
            shmem_long_wait_until(&emptied[consumer * SLOTS + slot], SHMEM_CMP_EQ,
                                  block - (long)SLOTS * consumers);
        shmem_double_put_nb(slots[slot], buffers[b], LENGTH, consumer, &handles[b]);
        shmem_fence();
        shmem_long_p(&full[slot], block, consumer);
    }
    shmem_quiet(); /* what has a handle as well */
}

static double consume(int me, int consumers)
{
    double sum = 0;

    for (long block = me; block <= BLOCKS; block += consumers) {
        int slot = (int)((block - 1) / consumers % SLOTS);

        shmem_long_wait_until(&full[slot], SHMEM_CMP_EQ, block);
        for (int i = 0; i < LENGTH; i++)
            sum += slots[slot][i];
        shmem_long_p(&emptied[me * SLOTS + slot], block, 0);
    }
    return sum;
}

int main(void)
{
    static double sum, total;
    int me, n_pes;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    if (n_pes < 2) {
        fprintf(stderr, "usage: oshrun -n PES producer, with two PEs at least\n");
        shmem_global_exit(1);
    }
    emptied = shmem_calloc((size_t)n_pes * SLOTS, sizeof *emptied);
    if (me == 0)
        produce(n_pes - 1);
    else
        sum = consume(me, n_pes - 1);
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &total, &sum, 1);
    if (me == 0)
        printf("%d consumers took %d blocks: the sum is %.0f\n", n_pes - 1, BLOCKS, total);
    shmem_finalize();
    return 0;
}
