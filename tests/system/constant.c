/* SPDX-License-Identifier: BSD-3-Clause */
/* Each PE gets a constant from the next one. */
#include <shmem.h>
#include <stdio.h>

#ifndef VALUE
#define VALUE 42
#endif

static const int constant = VALUE;
static const int *volatile the_constant = &constant;

int main(void)
{
    shmem_init();
    printf("%d\n", shmem_int_g(the_constant, (shmem_my_pe() + 1) % shmem_n_pes()));
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
