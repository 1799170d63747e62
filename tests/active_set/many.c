/* SPDX-License-Identifier: BSD-3-Clause */
/* Thousands of pSync arrays in one run, in reused heap memory and at the same time. */
#include "active_set/set.h"

#define ROUNDS 300
#define SIDE_BY_SIDE 200

static long value, sum, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];

static void add_up(const struct set *set, long *psync, unsigned round)
{
    long expected = 0;

    value = check_pe() + (long)round;
    for (int m = 0; m < set->size; m++)
        expected += set_pe(set, m) + (long)round;
    shmem_long_sum_to_all(&sum, &value, 1, set->start, set->log_stride, set->size, work, psync);
    check_equal(sum, expected, "many-psyncs");
}

static long *new_psync(size_t n_longs)
{
    long *psync = shmem_malloc(n_longs * sizeof(long));

    for (size_t i = 0; i < n_longs; i++)
        psync[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    return psync;
}

/* Memory of a pSync serves another purpose in between, and another set afterwards. */
static void test_used_again(const struct set *sets, int n_sets)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct set *set = &sets[round % (unsigned)n_sets];
        long *other = shmem_malloc(8 * (1 + round % 5)), *psync = new_psync(SHMEM_REDUCE_SYNC_SIZE);

        check_case("round %u", round);
        if (set->me >= 0)
            add_up(set, psync, round);
        shmem_barrier_all();
        for (size_t i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
            psync[i] = check_pe();
        shmem_free(psync);
        shmem_free(other);
    }
}

static void test_side_by_side(const struct set *sets, int n_sets)
{
    long *psyncs = new_psync(SIDE_BY_SIDE * SHMEM_REDUCE_SYNC_SIZE);

    for (int s = 0; s < n_sets; s++)
        for (unsigned i = 0; i < SIDE_BY_SIDE; i++) {
            check_case("set %d, pSync %u", s, i);
            if (sets[s].me >= 0)
                add_up(&sets[s], psyncs + i * SHMEM_REDUCE_SYNC_SIZE, i);
            shmem_barrier_all();
        }
    shmem_free(psyncs);
}

int main(void)
{
    struct set sets[MAX_SETS];
    int n_sets;

    check_init("active_set/many");
    n_sets = sets_list(sets);
    test_used_again(sets, n_sets);
    test_side_by_side(sets, n_sets);
    return check_finish();
}
