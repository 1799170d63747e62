/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers of all PEs. They synchronize ISHMEM_TEAM_WORLD, which OpenSHMEM's do not. */
#include "ishmem/convert.h"
#include "ishmem/kernel.h"

static void sync_world(void *unused)
{
    (void)unused;
    shmem_team_sync(tern_ishmem_world);
}

static void barrier_world(void *unused)
{
    shmem_quiet();
    sync_world(unused);
}

void ishmem_barrier_all(void)
{
    if (tern_ishmem_needs_thread())
        tern_ishmem_run_aside(barrier_world, NULL, __builtin_return_address(0));
    else
        barrier_world(NULL);
}

void ishmem_sync_all(void)
{
    if (tern_ishmem_needs_thread())
        tern_ishmem_run_aside(sync_world, NULL, __builtin_return_address(0));
    else
        sync_world(NULL);
}
