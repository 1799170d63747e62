/* SPDX-License-Identifier: BSD-3-Clause */
/* differ FIRST END: the PEs from FIRST to before END request a different size than the others. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 0, end = argc > 2 ? atoi(argv[2]) : 0, me;

    shmem_init();
    me = shmem_my_pe();
    shmem_free(shmem_malloc(100));
    shmem_malloc(me >= first && me < end ? 200 : 300);
    puts("went on");
    shmem_finalize();
    return 0;
}
