/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that were compiled in line (shmem-inline.h) go to the library as long as that has not told
 * the program where memory is. It shall not, or the tool would not see them.
 */
#pragma GCC visibility push(default)
#include <shmem-near.h>
#pragma GCC visibility pop

void shmemi_near_open(void *near, unsigned number)
{
}

void shmemi_near_close(void *near, unsigned number)
{
}

void shmemi_near_wake(int pe)
{
}
