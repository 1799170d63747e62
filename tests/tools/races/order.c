/* SPDX-License-Identifier: BSD-3-Clause */
/* Fences, quiets, syncs and barriers: which of them are enough. */
#include "collection.h"

static long a[N], b[N];

WRONG(fence_for_another_pe)
{
    static long flag;
    long own[N] = {0};

    if (me == 0) {
        shmem_long_put(a, own, N, 1);
        shmem_fence();
        shmem_long_atomic_set(&flag, 1, 2);
    }
    if (me == 2) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_get(own, a, N, 1);
    }
}

RIGHT(quiet_for_another_pe)
{
    static long flag;
    long own[N] = {0};

    if (me == 0) {
        shmem_long_put(a, own, N, 1);
        shmem_quiet();
        shmem_long_atomic_set(&flag, 1, 2);
    }
    if (me == 2) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_get(own, a, N, 1);
    }
}

WRONG(sync_completes_nothing)
{
    shmem_long_p(&a[1], 1, next);
    shmem_sync_all();
    use(a[1]);
}

RIGHT(quiet_and_sync)
{
    shmem_long_p(&a[1], 1, next);
    shmem_quiet();
    shmem_sync_all();
    use(a[1]);
}

WRONG(fence_and_sync)
{
    long own[N] = {0};

    shmem_long_put_nbi(b, own, N, next);
    shmem_fence();
    shmem_sync_all();
    use(b[4]);
    meet();
}

RIGHT(stores_and_sync)
{
    a[2] = me;
    shmem_sync_all();
    use(shmem_long_g(&a[2], next));
}

WRONG(team_of_two)
{
    shmem_team_t pair;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &pair);
    a[3] = me;
    if (me < 2)
        shmem_team_sync(pair);
    use(shmem_long_g(&a[3], 2));
    if (me < 2)
        shmem_team_destroy(pair);
}

RIGHT(team_of_two)
{
    shmem_team_t pair;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &pair);
    a[3] = me;
    if (me < 2) {
        shmem_team_sync(pair);
        use(shmem_long_g(&a[3], 1 - me));
        shmem_team_destroy(pair);
    }
}

WRONG(nbi_get_and_fence)
{
    shmem_long_get_nbi(b, a, N, next);
    shmem_fence();
    b[2] = 1;
}

RIGHT(nbi_get_and_quiet)
{
    shmem_long_get_nbi(b, a, N, next);
    shmem_quiet();
    b[2] = 1;
}

WRONG(quiet_before_the_put)
{
    shmem_quiet();
    shmem_long_p(&a[5], 1, next);
    use(shmem_long_g(&a[5], next));
}

RIGHT(fence_between_puts)
{
    shmem_long_p(&a[5], 1, next);
    shmem_fence();
    shmem_long_p(&a[5], 2, next);
    shmem_fence();
    shmem_long_p(&a[5], 3, next);
}

RIGHT(active_set)
{
    static long psync[SHMEM_BARRIER_SYNC_SIZE];

    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++)
        psync[i] = SHMEM_SYNC_VALUE;
    meet();
    shmem_long_p(&a[6], 1, next);
    shmem_barrier(0, 0, n, psync);
    use(a[6]);
}

WRONG(atomic_needs_quiet)
{
    shmem_long_atomic_add(&a[7], 1, next);
    shmem_sync_all();
    use(a[7]);
}
