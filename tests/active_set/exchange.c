/* SPDX-License-Identifier: BSD-3-Clause */
/* collect, fcollect, alltoall and alltoalls on active sets, in both widths. */
#include "active_set/set.h"
#include "harness/oracle.h"
#include "harness/types.h"

#include <stdlib.h>

#define NAME 32
#define TYPE uint32_t
#include "active_set/exchange.inc"
#undef NAME
#undef TYPE

#define NAME 64
#define TYPE uint64_t
#include "active_set/exchange.inc"
#undef NAME
#undef TYPE

#define MAX_ELEMS 300

static struct sync static_syncs[5];
static uint64_t static_source[2048], static_dest[4 * 2048];

int main(void)
{
    static const size_t sizes[] = {0, 1, 9, MAX_ELEMS};
    struct set sets[MAX_SETS];
    struct sync *heap_syncs;
    uint64_t *source, *dest;
    size_t n, room;
    unsigned salt = 0;
    int n_sets;

    check_init("active_set/exchange");
    n_sets = sets_list(sets);
    n = (size_t)check_n_pes();
    heap_syncs = shmem_malloc(5 * sizeof *heap_syncs);
    source = shmem_malloc((n * MAX_ELEMS * 3 + 5) * sizeof *source);
    dest = shmem_malloc(4 * (n * MAX_ELEMS * 3 + 5) * sizeof *dest);
    for (int s = 0; s < n_sets; s++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            room = n * sizes[i] * 3 + 5;
            test_exchange_32(&sets[s], static_syncs, (uint32_t *)source, (uint32_t *)dest, room,
                             sizes[i], ++salt);
            test_exchange_64(&sets[s], heap_syncs, source, dest, room, sizes[i], ++salt);
            if (room <= 2048)
                test_exchange_64(&sets[s], heap_syncs, static_source, static_dest, room, sizes[i],
                                 ++salt);
        }
    shmem_free(dest);
    shmem_free(source);
    shmem_free(heap_syncs);
    return check_finish();
}
