/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's program in C and C++: each PE puts its number to its neighbour. */
#include <shmem.h>
#include <stdio.h>

static int from_left = -1;

int main(void)
{
    int me, n_pes;

    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    shmem_int_p(&from_left, me, (me + 1) % n_pes);
    shmem_barrier_all();
    printf("PE %d of %d heard from %d\n", me, n_pes, from_left);
    shmem_finalize();
    return 0;
}
