/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shmem_barrier and shmem_sync on active sets: which PEs wait, what is complete, and reuse of
 * pSync.
 */
#include "active_set/set.h"
#include "harness/oracle.h"

#define ROUNDS 40

static struct sync static_sync, quiet_sync;
static long arrivals[2][MAX_SETS], letters[2], mailbox;

/* The same pSync in every round: barrier and sync alone allow that. */
static void test_waits(const struct set *set, int index, struct sync *sync, bool barrier)
{
    check_case("%s of %d PEs from %d by %d", barrier ? "barrier" : "sync", set->size, set->start,
               1 << set->log_stride);
    for (int round = 1; round <= ROUNDS; round++) {
        long expected = (long)round * set->size, seen;

        shmem_long_atomic_fetch_inc(&arrivals[barrier][index], set->start);
        if (barrier)
            shmem_barrier(set->start, set->log_stride, set->size, sync->array);
        else
            shmem_sync(set->start, set->log_stride, set->size, sync->array);
        seen = shmem_long_atomic_fetch(&arrivals[barrier][index], set->start);
        check(seen >= expected, barrier ? "barrier-waits" : "sync-waits",
              "%ld of %ld arrivals in round %d", seen, expected, round);
    }
    sync_check(sync, SHMEM_BARRIER_SYNC_SIZE);
}

static void test_barrier_quiets(const struct set *set)
{
    int next = set_pe(set, (set->me + 1) % set->size);
    int before = set_pe(set, (set->me + set->size - 1) % set->size);

    check_case("barrier of %d PEs from %d by %d", set->size, set->start, 1 << set->log_stride);
    /* Sets overlap: the neighbour may still be looking at what it got in the one before. */
    shmem_barrier(set->start, set->log_stride, set->size, quiet_sync.array);
    for (int round = 0; round < ROUNDS; round++) {
        long value = ORACLE(long, check_pe(), round, 1);

        shmem_long_put_nbi(&letters[round & 1], &value, 1, next);
        shmem_barrier(set->start, set->log_stride, set->size, quiet_sync.array);
        check_equal(letters[round & 1], ORACLE(long, before, round, 1), "barrier-quiets");
    }
    shmem_barrier(set->start, set->log_stride, set->size, quiet_sync.array);
}

static void test_sync_shows_stores(const struct set *set)
{
    int next = set_pe(set, (set->me + 1) % set->size);

    check_case("sync of %d PEs from %d by %d", set->size, set->start, 1 << set->log_stride);
    for (int round = 0; round < ROUNDS; round++) {
        mailbox = ORACLE(long, check_pe(), round, 2);
        shmem_sync(set->start, set->log_stride, set->size, quiet_sync.array);
        check_equal(shmem_long_g(&mailbox, next), ORACLE(long, next, round, 2),
                    "sync-shows-stores");
        shmem_sync(set->start, set->log_stride, set->size, quiet_sync.array);
    }
}

int main(void)
{
    struct set sets[MAX_SETS];
    struct sync *heap_sync;
    int n_sets;

    check_init("active_set/barrier");
    n_sets = sets_list(sets);
    heap_sync = shmem_malloc(sizeof *heap_sync);
    for (int s = 0; s < n_sets; s++) {
        sync_prepare(&static_sync, SHMEM_BARRIER_SYNC_SIZE);
        sync_prepare(&quiet_sync, SHMEM_BARRIER_SYNC_SIZE);
        sync_prepare(heap_sync, SHMEM_BARRIER_SYNC_SIZE);
        shmem_barrier_all();
        if (sets[s].me >= 0) {
            test_waits(&sets[s], s, &static_sync, true);
            test_waits(&sets[s], s, heap_sync, false);
            test_barrier_quiets(&sets[s]);
            test_sync_shows_stores(&sets[s]);
            sync_check(&quiet_sync, SHMEM_BARRIER_SYNC_SIZE);
        }
        shmem_barrier_all();
    }
    for (int s = 0; s < n_sets; s++)
        if (sets[s].me == 0)
            check_equal(arrivals[0][s] + arrivals[1][s], 2L * ROUNDS * sets[s].size,
                        "barrier-waits");
    shmem_free(heap_sync);
    return check_finish();
}
