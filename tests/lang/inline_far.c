/* SPDX-License-Identifier: BSD-3-Clause */
#define SHMEM_INLINE
#include "lang/inline_far.h"

#include <pshmem.h>
#include <shmem.h>

int n_calls;

void put_elsewhere(long *dest, long value, int pe)
{
    shmem_long_p(dest, value, pe);
}

/* The routine that the program's calls reach if they are not inlined. */
#undef shmem_long_p
void shmem_long_p(long *dest, long value, int pe)
{
    n_calls++;
    pshmem_long_p(dest, value, pe);
}
