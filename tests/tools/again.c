/* SPDX-License-Identifier: BSD-3-Clause */
/* Initializes OpenSHMEM twice, the second time without room for a tool. */
#include <shmem.h>

#include "scarce.h"

static void exchange(void)
{
    long *block = shmem_calloc(4, sizeof *block), values[4] = {1, 2, 3, 4};
    int other = (shmem_my_pe() + 1) % shmem_n_pes();

    for (int i = 0; i < 10; i++) {
        shmem_long_put(block, values, 4, other);
        shmem_barrier_all();
        shmem_long_get(values, block, 4, other);
        shmem_barrier_all();
    }
    shmem_free(block);
}

int main(void)
{
    shmem_init();
    exchange();
    shmem_finalize();
    scarce_begin();
    shmem_init();
    exchange();
    shmem_finalize();
    return 0;
}
