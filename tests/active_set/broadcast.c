/* SPDX-License-Identifier: BSD-3-Clause */
/* broadcast32 and broadcast64 on active sets: every root, the root's dest, disjoint sets at once.
 */
#include "active_set/set.h"
#include "harness/oracle.h"

#define MAX_ELEMS 2000
#define GUARD 4
#define UNTOUCHED 0x77

static struct sync static_sync, disjoint_sync;
static uint32_t source32[MAX_ELEMS], dest32[MAX_ELEMS + GUARD];
static uint64_t source64[MAX_ELEMS], dest64[MAX_ELEMS + GUARD];

static void check_result(const struct set *set, size_t nelems, int root, unsigned salt)
{
    int root_pe = set_pe(set, root);
    size_t right32 = 0, right64 = 0;

    /* The root's dest is not written. */
    for (size_t i = 0; i < MAX_ELEMS + GUARD; i++) {
        bool written = i < nelems && set->me != root;

        right32 += dest32[i] == (written ? ORACLE(uint32_t, root_pe, i, salt) : UNTOUCHED);
        right64 += dest64[i] == (written ? ORACLE(uint64_t, root_pe, i, salt) : UNTOUCHED);
    }
    check(right32 == MAX_ELEMS + GUARD, set->me == root ? "root-dest-untouched" : "broadcast32",
          "%zu elements are wrong", MAX_ELEMS + GUARD - right32);
    check(right64 == MAX_ELEMS + GUARD, set->me == root ? "root-dest-untouched" : "broadcast64",
          "%zu elements are wrong", MAX_ELEMS + GUARD - right64);
}

static void prepare(unsigned salt)
{
    ORACLE_FILL(uint32_t, source32, MAX_ELEMS, check_pe(), salt);
    ORACLE_FILL(uint64_t, source64, MAX_ELEMS, check_pe(), salt);
    for (size_t i = 0; i < MAX_ELEMS + GUARD; i++) {
        dest32[i] = UNTOUCHED;
        dest64[i] = UNTOUCHED;
    }
}

static void test_set(const struct set *set, struct sync *sync, size_t nelems, int root,
                     unsigned salt)
{
    check_case("%d PEs from %d by %d, root %d, %zu elements", set->size, set->start,
               1 << set->log_stride, root, nelems);
    prepare(salt);
    sync_prepare(sync, SHMEM_BCAST_SYNC_SIZE);
    shmem_barrier_all();
    if (set->me >= 0)
        shmem_broadcast32(dest32, source32, nelems, root, set->start, set->log_stride, set->size,
                          sync->array);
    shmem_barrier_all();
    if (set->me >= 0) {
        sync_check(sync, SHMEM_BCAST_SYNC_SIZE);
        shmem_broadcast64(dest64, source64, nelems, root, set->start, set->log_stride, set->size,
                          sync->array);
        sync_check(sync, SHMEM_BCAST_SYNC_SIZE);
        check_result(set, nelems, root, salt);
    }
    shmem_barrier_all();
}

/* The even PEs and the odd ones broadcast at the same time with one pSync. */
static void test_disjoint(void)
{
    int n = check_n_pes(), odd = check_pe() % 2;
    struct set mine = {odd, 1, odd ? n / 2 : (n + 1) / 2, check_pe() / 2};

    for (unsigned round = 0; round < 20; round++) {
        int root = (int)round % mine.size;

        check_case("disjoint sets, round %u", round);
        prepare(500 + round);
        sync_prepare(&disjoint_sync, SHMEM_BCAST_SYNC_SIZE);
        shmem_barrier_all();
        shmem_broadcast64(dest64, source64, 50, root, mine.start, 1, mine.size,
                          disjoint_sync.array);
        for (size_t i = 0; i < 50; i++)
            if (mine.me != root)
                check_equal(dest64[i], ORACLE(uint64_t, set_pe(&mine, root), i, 500 + round),
                            "disjoint-sets-one-psync");
        sync_check(&disjoint_sync, SHMEM_BCAST_SYNC_SIZE);
        shmem_barrier_all();
    }
}

int main(void)
{
    static const size_t sizes[] = {0, 1, 7, 100, MAX_ELEMS};
    struct set sets[MAX_SETS];
    struct sync *heap_sync;
    unsigned salt = 1;
    int n_sets;

    check_init("active_set/broadcast");
    n_sets = sets_list(sets);
    heap_sync = shmem_malloc(sizeof *heap_sync);
    for (int s = 0; s < n_sets; s++)
        for (int root = 0; root < sets[s].size; root += 1 + sets[s].size / 8, salt++)
            test_set(&sets[s], salt % 2 ? &static_sync : heap_sync, sizes[salt % 5], root, salt);
    test_disjoint();
    shmem_free(heap_sync);
    return check_finish();
}
