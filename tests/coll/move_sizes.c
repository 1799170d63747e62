/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives that move data: from no elements to 100,000, every root, mem forms at odd addresses.
 */
#include "coll/call.h"
#include "harness/oracle.h"
#include "harness/types.h"

#define NAME int
#define TYPE int
#include "coll/move.inc"
#undef NAME
#undef TYPE

/* The mem forms are those of a one-byte type under another name. */
#undef ROUTINE
#define ROUTINE(verb) HARNESS_JOIN3(shmem_, verb, mem)
#define NAME mem
#define TYPE unsigned char
#include "coll/move.inc"
#undef NAME
#undef TYPE

static const size_t sizes[] = {0, 1, 7, 8, 9, 100, 1000};
#define N_SIZES (sizeof sizes / sizeof sizes[0])
#define LARGE ((size_t)100000)

static void test_roots(struct call *call, size_t nelems)
{
    int step = call->shape->n_pes > 8 ? call->shape->n_pes / 8 : 1;

    check_case("every root, %s, %zu elements", call->shape->name, nelems);
    for (int root = 0; root < call->shape->n_pes; root += step) {
        test_broadcast_int(call, nelems, root);
        test_broadcast_mem(call, nelems, root);
    }
}

static void test_large(struct call *call)
{
    check_case("%s, %zu elements", call->shape->name, LARGE);
    test_broadcast_int(call, LARGE, call->shape->n_pes - 1);
    test_collect_int(call, LARGE / 3);
    test_fcollect_int(call, LARGE);
    test_alltoall_mem(call, LARGE);
}

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    struct call call;
    size_t per_pe = 1000 * 9, n;
    int n_shapes;

    check_init("coll/move_sizes");
    n = (size_t)check_n_pes();
    /* More PEs would want more memory than a test should take. */
    if (n <= 16)
        per_pe = LARGE;
    n_shapes = shapes_open(shapes);
    call_open(&call, (n * per_pe + GUARD) * sizeof(int));
    for (int s = 0; s < n_shapes; s++) {
        if (!call_shape(&call, &shapes[s], s))
            continue;
        for (size_t i = 0; i < N_SIZES; i++) {
            call.source_offset = call.dest_offset = 0;
            test_moves_int(&call, sizes[i]);
            call.source_offset = i & 7;
            call.dest_offset = (3 * i + 1) & 7;
            test_moves_mem(&call, sizes[i]);
        }
        call.source_offset = call.dest_offset = 0;
        test_roots(&call, 1);
        test_roots(&call, 1000);
        if (n <= 16 && s % 5 == 0)
            test_large(&call);
    }
    call_close(&call);
    shapes_close(shapes, n_shapes);
    return check_finish();
}
