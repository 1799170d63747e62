/* SPDX-License-Identifier: BSD-3-Clause */
/* Each PE accesses every PE, however PEs are placed on nodes: no access ends at a wrong PE. */
#include "harness/board.h"

/* One element for each PE: origin * 1000 + target. */
struct cells {
    long *p, *put, *added;
};

static long value_of(int origin, int target)
{
    return 1000L * origin + target;
}

static void store_to_all(struct cells cells)
{
    int me = check_pe();

    for (int pe = 0; pe < check_n_pes(); pe++) {
        long value = value_of(me, pe);

        shmem_long_p(&cells.p[me], value, pe);
        shmem_long_put(&cells.put[me], &value, 1, pe);
        shmem_long_atomic_add(&cells.added[me], value, pe);
    }
}

static void check_own(struct cells cells)
{
    int me = check_pe();

    for (int pe = 0; pe < check_n_pes(); pe++) {
        check_equal(cells.p[pe], value_of(pe, me), "p-lands");
        check_equal(cells.put[pe], value_of(pe, me), "put-lands");
        check_equal(cells.added[pe], value_of(pe, me), "add-lands");
    }
}

static void check_others(struct cells cells)
{
    for (int pe = 0; pe < check_n_pes(); pe++) {
        const long *mapped = shmem_ptr(cells.p, pe);
        long block = 0;

        shmem_long_get(&block, &cells.put[check_pe()], 1, pe);
        check_equal(block, value_of(check_pe(), pe), "get-from-each-peer");
        check_equal(shmem_long_g(&cells.p[check_pe()], pe), value_of(check_pe(), pe),
                    "get-from-each-peer");
        check_equal(shmem_long_atomic_fetch(&cells.added[check_pe()], pe), value_of(check_pe(), pe),
                    "fetch-from-each-peer");
        if (mapped)
            check_equal(mapped[check_pe()], value_of(check_pe(), pe), "ptr-of-each-peer");
    }
}

static void check_cells(const char *memory, struct cells cells)
{
    check_case("%s", memory);
    store_to_all(cells);
    shmem_barrier_all();
    check_own(cells);
    check_others(cells);
    shmem_barrier_all();
}

#define MOST_PES 64

static long static_p[MOST_PES], static_put[MOST_PES], static_added[MOST_PES];

int main(void)
{
    check_init("rma/each_peer");
    size_t n = (size_t)check_n_pes();
    struct cells heap = {.p = shmem_calloc(n, sizeof(long)),
                         .put = shmem_calloc(n, sizeof(long)),
                         .added = shmem_calloc(n, sizeof(long))};

    check_cells("heap", heap);
    if (n <= MOST_PES)
        check_cells("static data", (struct cells){static_p, static_put, static_added});
    return check_finish();
}
