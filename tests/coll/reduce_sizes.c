/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions and scans of no elements up to 100,000 on teams of every form. */
#include "coll/call.h"
#include "coll/values.h"
#include "harness/types.h"

#define IMAGINARY 0
#define PARTS 1

#define NAME short
#define TYPE short
#include "coll/sum.inc"
#undef NAME
#undef TYPE

#define NAME uint64
#define TYPE uint64_t
#include "coll/logic.inc"
#undef NAME
#undef TYPE

#define NAME double
#define TYPE double
#include "coll/scan.inc"
#undef NAME
#undef TYPE

static const size_t sizes[] = {0, 1, 7, 8, 9, 100, 1000};
#define N_SIZES (sizeof sizes / sizeof sizes[0])
#define LARGE ((size_t)100000)

/* On the world and on one shape that is no simple range. */
static void test_large(struct call *call)
{
    int last = call->shape->n_pes - 1;

    check_case("large, %s", call->shape->name);
    test_fold_uint64(call, "xor", shmem_uint64_xor_reduce, any_uint64, differ_uint64, last, LARGE,
                     false);
    test_fold_short(call, "reduce-in-place", shmem_short_sum_reduce, summand_short, sum_short, last,
                    LARGE, true);
    test_fold_double(call, "scan-in-place", shmem_double_sum_inscan, summand_double, sum_double,
                     call->shape->my_pe, LARGE, true);
}

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    struct call call;
    int n_shapes;

    check_init("coll/reduce_sizes");
    n_shapes = shapes_open(shapes);
    call_open(&call, (LARGE + GUARD) * sizeof(double));
    for (int s = 0; s < n_shapes; s++) {
        if (!call_shape(&call, &shapes[s], s))
            continue;
        for (size_t i = 0; i < N_SIZES; i++) {
            test_sum_short(&call, sizes[i]);
            test_logic_uint64(&call, sizes[i]);
            test_scan_double(&call, sizes[i]);
        }
        if (s % 5 == 0 && check_n_pes() <= 16)
            test_large(&call);
    }
    call_close(&call);
    shapes_close(shapes, n_shapes);
    return check_finish();
}
