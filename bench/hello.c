/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest whole program: starts, meets the others, ends. `hello memory` tells its own memory.
 */
#include <shmem.h>
#include <stdio.h>

#include "memory_use.h"

#define MOST_PES 4096

static long kib[MOST_PES];

static void tell_memory(void)
{
    int me = shmem_my_pe(), n = shmem_n_pes();
    long sum = 0;

    if (n > MOST_PES)
        return;
    shmem_long_p(&kib[me], memory_use_kib(), 0);
    shmem_barrier_all();
    for (int i = 0; i < n; i++)
        sum += kib[i];
    if (me == 0)
        printf("%ld\n", sum / n);
}

int main(int argc, char **argv)
{
    shmem_init();
    shmem_barrier_all();
    if (argc > 1)
        tell_memory();
    shmem_finalize();
    return 0;
}
