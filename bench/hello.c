/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest whole program: starts, meets the others, ends. */
#include <shmem.h>

int main(void)
{
    shmem_init();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
