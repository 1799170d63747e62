/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mistake: the root of a broadcast sends more than the other PEs expect. lengths scan: PE 0 scans
 * fewer elements than the other PEs.
 */
#include <shmem.h>

#include "system/objects.h"

int main(int argc, char **argv)
{
    static long source[1000], dest[1000];
    size_t nelems;

    shmem_init();
    if (argc > 1)
        shmem_long_sum_inscan(SHMEM_TEAM_WORLD, dest, source, shmem_my_pe() == 0 ? 1 : 1000);
    nelems = shmem_my_pe() == 0 ? 1000 : 1;
    dest[1] = 7;
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, nelems, 0);
    require(shmem_my_pe() == 0 || dest[1] == 7, "memory beyond the elements");
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
