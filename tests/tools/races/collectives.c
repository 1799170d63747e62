/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls, their arguments, and what they order. */
#include "collection.h"

static long a[N], b[N], big[3 * N];

WRONG(dest_of_broadcast)
{
    if (me == 0)
        shmem_long_p(&b[1], 1, 1);
    shmem_long_broadcast(SHMEM_TEAM_WORLD, b, a, N, 2);
}

RIGHT(dest_of_broadcast)
{
    if (me == 0)
        shmem_long_p(&b[1], 1, 1);
    meet();
    shmem_long_broadcast(SHMEM_TEAM_WORLD, b, a, N, 2);
}

WRONG(source_of_reduction)
{
    if (me == 0)
        shmem_long_p(&a[1], 1, 1);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, b, a, N);
}

RIGHT(source_of_reduction)
{
    if (me == 0)
        shmem_long_p(&a[1], 1, 1);
    meet();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, b, a, N);
}

WRONG(broadcast_orders_the_root_only)
{
    a[2] = me;
    shmem_long_broadcast(SHMEM_TEAM_WORLD, b, a + 4, 4, 0);
    use(shmem_long_g(&a[2], me == 1 ? 2 : 1));
}

RIGHT(broadcast_orders_the_root)
{
    if (me == 0)
        a[2] = 1;
    shmem_long_broadcast(SHMEM_TEAM_WORLD, b, a + 4, 4, 0);
    if (me != 0)
        use(shmem_long_g(&a[2], 0));
}

RIGHT(reduction_orders_all)
{
    a[3] = me;
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, b, a + 4, 4);
    use(shmem_long_g(&a[3], next));
}

WRONG(reduction_completes_nothing)
{
    shmem_long_p(&a[3], 1, next);
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, b, a + 4, 4);
    use(a[3]);
}

WRONG(result_is_read_early)
{
    long copy[N];

    shmem_long_get(copy, big, N, next);
    shmem_long_fcollect(SHMEM_TEAM_WORLD, big, a, N);
}

RIGHT(result_is_read)
{
    shmem_long_fcollect(SHMEM_TEAM_WORLD, big, a, N);
    use(big[5] + shmem_long_g(&big[6], me));
}

WRONG(source_changed_by_another)
{
    shmem_long_alltoall(SHMEM_TEAM_WORLD, big, a, 4);
    shmem_long_p(&big[2], 1, next);
    use(big[2]);
}

RIGHT(source_reused)
{
    shmem_long_alltoall(SHMEM_TEAM_WORLD, big, a, 4);
    a[2] = 1;
    shmem_long_alltoall(SHMEM_TEAM_WORLD, big, a, 4);
    use(big[2]);
}

WRONG(scan_orders_lower_members)
{
    a[7] = me;
    shmem_long_sum_inscan(SHMEM_TEAM_WORLD, b, a + 8, 4);
    if (me == 0)
        use(shmem_long_g(&a[7], 2));
}

RIGHT(scan_orders_lower_members)
{
    a[7] = me;
    shmem_long_sum_inscan(SHMEM_TEAM_WORLD, b, a + 8, 4);
    if (me == 2)
        use(shmem_long_g(&a[7], 0));
}
