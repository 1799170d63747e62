/* SPDX-License-Identifier: BSD-3-Clause */
/* Every *_to_all reduction on active sets, also in place; nothing beside pWrk and pSync changes. */
#include "active_set/set.h"
#include "coll/values.h"
#include "harness/types.h"

#include <complex.h>
#include <stdlib.h>

/* What the reductions of all types are tried with. */
struct test {
    const struct set *set;
    int nreduce;
    unsigned *salt; /* the same on all members */
    struct sync *syncs, *barrier_sync;
    void *source, *dests[2], *works[2]; /* symmetric */
    void *expected;
};

#define IMAGINARY 0
#define PARTS 1
#define HAS_ORDER
#define HAS_LOGIC

#define NAME short
#define TYPE short
#include "active_set/reduce.inc"
#undef NAME
#undef TYPE

#define NAME int
#define TYPE int
#include "active_set/reduce.inc"
#undef NAME
#undef TYPE

#define NAME long
#define TYPE long
#include "active_set/reduce.inc"
#undef NAME
#undef TYPE

#define NAME longlong
#define TYPE long long
#include "active_set/reduce.inc"
#undef NAME
#undef TYPE

#undef HAS_LOGIC

#define NAME float
#define TYPE float
#include "active_set/reduce.inc"
#undef NAME
#undef TYPE

#define NAME double
#define TYPE double
#include "active_set/reduce.inc"
#undef NAME
#undef TYPE

#define NAME longdouble
#define TYPE long double
#include "active_set/reduce.inc"
#undef NAME
#undef TYPE

#undef HAS_ORDER
#undef IMAGINARY
#undef PARTS
#define IMAGINARY _Complex_I
#define PARTS 2

#define NAME complexf
#define TYPE float _Complex
#include "active_set/reduce.inc"
#undef NAME
#undef TYPE

#define NAME complexd
#define TYPE double _Complex
#include "active_set/reduce.inc"
#undef NAME
#undef TYPE

#define MAX_NREDUCE 1000
/* Of the largest type; pWrk is never longer than SHMEM_REDUCE_MIN_WRKDATA_SIZE plus this. */
#define ROOM                                                                                       \
    ((size_t)(MAX_NREDUCE + SHMEM_REDUCE_MIN_WRKDATA_SIZE + WORK_GUARD) * sizeof(long double))

static struct sync static_syncs[2], barrier_sync;
static _Alignas(16) unsigned char static_source[ROOM], static_dests[2][ROOM], static_works[2][ROOM];

static void test_all(const struct test *test)
{
    test_logic_short(test);
    test_logic_int(test);
    test_logic_long(test);
    test_logic_longlong(test);
    test_order_short(test);
    test_order_int(test);
    test_order_long(test);
    test_order_longlong(test);
    test_order_float(test);
    test_order_double(test);
    test_order_longdouble(test);
    test_arithmetic_short(test);
    test_arithmetic_int(test);
    test_arithmetic_long(test);
    test_arithmetic_longlong(test);
    test_arithmetic_float(test);
    test_arithmetic_double(test);
    test_arithmetic_longdouble(test);
    test_arithmetic_complexf(test);
    test_arithmetic_complexd(test);
}

int main(void)
{
    static const int counts[] = {1, 8, 0, 100, MAX_NREDUCE};
    struct set sets[MAX_SETS];
    struct sync *heap_syncs;
    char *heap;
    void *expected = malloc(ROOM);
    int n_sets;

    check_init("active_set/reduce");
    n_sets = sets_list(sets);
    heap_syncs = shmem_malloc(2 * sizeof *heap_syncs);
    heap = shmem_align(16, 5 * ROOM);
    for (int s = 0; s < n_sets; s++) {
        unsigned salt = (unsigned)s << 12;
        struct test test = {&sets[s],
                            counts[s % 5],
                            &salt,
                            static_syncs,
                            &barrier_sync,
                            static_source,
                            {static_dests[0], static_dests[1]},
                            {static_works[0], static_works[1]},
                            expected};

        for (int i = 0; i < 2; i++) {
            sync_prepare(&static_syncs[i], SHMEM_REDUCE_SYNC_SIZE);
            sync_prepare(&heap_syncs[i], SHMEM_REDUCE_SYNC_SIZE);
        }
        sync_prepare(&barrier_sync, SHMEM_BARRIER_SYNC_SIZE);
        shmem_barrier_all();
        if (sets[s].me >= 0) {
            test_all(&test);
            test.nreduce = counts[(s + 1) % 5];
            test.syncs = heap_syncs;
            test.source = heap;
            for (int i = 0; i < 2; i++) {
                test.dests[i] = heap + (size_t)(1 + i) * ROOM;
                test.works[i] = heap + (size_t)(3 + i) * ROOM;
            }
            test_all(&test);
        }
        shmem_barrier_all();
    }
    shmem_free(heap);
    shmem_free(heap_syncs);
    free(expected);
    return check_finish();
}
