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

/* What the program's calls that are not in line come to. */
#undef shmem_long_p
void shmem_long_p(long *dest, long value, int pe)
{
    n_calls++;
    pshmem_long_p(dest, value, pe);
}
