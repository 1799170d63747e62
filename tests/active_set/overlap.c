/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A random sequence of collectives on overlapping active sets: the pSync and the members identify a
 * set, and each PE enters its sets in the order of its own calls.
 */
#include "active_set/set.h"
#include "harness/oracle.h"

#include <stdlib.h>

#define STEPS 3000
/* As many calls stand between two barriers of all PEs, each with its own pSync and results. */
#define SLOTS 12
#define MAX_ELEMS 60

static struct sync static_syncs[SLOTS];
static long work[SLOTS][MAX_ELEMS + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long source[SLOTS][MAX_ELEMS];

/* Small, so that no sum overflows. */
static long value(int pe, size_t i, unsigned salt)
{
    return (long)(oracle_bits(pe, i, salt) & 0xffffff) - 0x800000;
}

static void test_broadcast(const struct set *set, long *dest, long *from, size_t nelems, int root,
                           struct sync *sync, unsigned salt)
{
    shmem_broadcast64(dest, from, nelems, root, set->start, set->log_stride, set->size,
                      sync->array);
    for (size_t i = 0; set->me != root && i < nelems; i++)
        check_equal(dest[i], value(set_pe(set, root), i, salt), "overlapping-broadcast");
}

static void test_fcollect(const struct set *set, long *dest, long *from, size_t nelems,
                          struct sync *sync, unsigned salt)
{
    shmem_fcollect64(dest, from, nelems, set->start, set->log_stride, set->size, sync->array);
    for (int m = 0; m < set->size; m++)
        for (size_t i = 0; i < nelems; i++)
            check_equal(dest[(size_t)m * nelems + i], value(set_pe(set, m), i, salt),
                        "overlapping-fcollect");
}

static void test_sum(const struct set *set, long *dest, long *from, size_t nelems, long *pwrk,
                     struct sync *sync, unsigned salt)
{
    shmem_long_sum_to_all(dest, from, (int)nelems, set->start, set->log_stride, set->size, pwrk,
                          sync->array);
    for (size_t i = 0; i < nelems; i++) {
        long expected = 0;

        for (int m = 0; m < set->size; m++)
            expected += value(set_pe(set, m), i, salt);
        check_equal(dest[i], expected, "overlapping-sum");
    }
}

int main(void)
{
    struct set sets[MAX_SETS];
    struct sync *heap_syncs;
    size_t room;
    long *dests;
    int n_sets;

    check_init("active_set/overlap");
    n_sets = sets_list(sets);
    room = (size_t)check_n_pes() * MAX_ELEMS;
    heap_syncs = shmem_malloc(SLOTS * sizeof *heap_syncs);
    dests = shmem_malloc(SLOTS * room * sizeof(long));
    for (unsigned s = 0; s < STEPS; s++) {
        uint64_t bits = oracle_bits(0, s, 1);
        const struct set *set = &sets[(bits >> 8) % (unsigned)n_sets];
        size_t nelems = (bits >> 16) % (MAX_ELEMS + 1);
        unsigned kind = (bits >> 24) % 4, slot = s % SLOTS;
        int root = (int)((bits >> 32) % (unsigned)set->size);
        struct sync *sync = bits & 1 ? &static_syncs[slot] : &heap_syncs[slot];

        if (slot == 0) {
            shmem_barrier_all();
            for (unsigned i = 0; i < SLOTS; i++) {
                sync_prepare(&static_syncs[i], SHMEM_SYNC_SIZE);
                sync_prepare(&heap_syncs[i], SHMEM_SYNC_SIZE);
            }
            shmem_barrier_all();
        }
        if (set->me < 0)
            continue;
        check_case("step %u: kind %u, %d PEs from %d by %d, %zu elements", s, kind, set->size,
                   set->start, 1 << set->log_stride, nelems);
        for (size_t i = 0; i < nelems; i++)
            source[slot][i] = value(check_pe(), i, s);
        if (kind == 0)
            test_broadcast(set, dests + slot * room, source[slot], nelems, root, sync, s);
        else if (kind == 1)
            test_fcollect(set, dests + slot * room, source[slot], nelems, sync, s);
        else if (kind == 2)
            test_sum(set, dests + slot * room, source[slot], nelems, work[slot], sync, s);
        else
            shmem_barrier(set->start, set->log_stride, set->size, sync->array);
        sync_check(sync, SHMEM_SYNC_SIZE);
    }
    shmem_barrier_all();
    shmem_free(dests);
    shmem_free(heap_syncs);
    return check_finish();
}
