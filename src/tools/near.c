/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Disables accesses that the program compiles in line (shmem-inline.h), which no tool would see.
 * These functions replace the library's and never publish a route, so the program calls the
 * routines.
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
