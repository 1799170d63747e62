/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists active sets that fit the job; prepares and checks pSync arrays. */
#include "active_set/set.h"

static void add(struct set *sets, int *n_sets, int start, int log_stride, int size)
{
    struct set *set = &sets[*n_sets];

    if (size < 1)
        return;
    *set = (struct set){start, log_stride, size, -1};
    for (int i = 0; i < size; i++)
        if (set_pe(set, i) == check_pe())
            set->me = i;
    ++*n_sets;
}

int sets_list(struct set sets[MAX_SETS])
{
    int n = check_n_pes(), n_sets = 0;

    add(sets, &n_sets, 0, 0, n);
    add(sets, &n_sets, 0, 1, (n + 1) / 2);
    add(sets, &n_sets, 1, 1, n / 2);
    add(sets, &n_sets, n / 2, 0, n - n / 2);
    add(sets, &n_sets, 0, 0, n - 1);
    add(sets, &n_sets, 0, 2, (n + 3) / 4);
    add(sets, &n_sets, n - 1, 3, 1);
    return n_sets;
}

void sync_prepare(struct sync *sync, size_t n_longs)
{
    for (size_t i = 0; i < SYNC_GUARD; i++)
        sync->before[i] = sync->array[n_longs + i] = SYNC_GUARD_VALUE;
    for (size_t i = 0; i < n_longs; i++)
        sync->array[i] = SHMEM_SYNC_VALUE;
}

void sync_check(const struct sync *sync, size_t n_longs)
{
    size_t changed = 0, overrun = 0;

    for (size_t i = 0; i < n_longs; i++)
        changed += sync->array[i] != SHMEM_SYNC_VALUE;
    for (size_t i = 0; i < SYNC_GUARD; i++)
        overrun +=
            (sync->before[i] != SYNC_GUARD_VALUE) + (sync->array[n_longs + i] != SYNC_GUARD_VALUE);
    check(changed == 0, "psync-restored", "%zu of %zu elements are not SHMEM_SYNC_VALUE", changed,
          n_longs);
    check(overrun == 0, "psync-not-overrun", "%zu words beside it changed", overrun);
}
