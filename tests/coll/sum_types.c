/* SPDX-License-Identifier: BSD-3-Clause */
/* Team reductions sum and prod of every type, complex ones too, on teams of every form. */
#include "coll/call.h"
#include "coll/values.h"
#include "harness/types.h"

#define TEMPLATE "coll/sum.inc"
#include "coll/each_sum_type.inc"

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    struct call call;
    int n_shapes;

    check_init("coll/sum_types");
    n_shapes = shapes_open(shapes);
    call_open(&call, (33 + GUARD) * sizeof(long double));
    for (int s = 0; s < n_shapes; s++) {
        int turn = s;

        if (!call_shape(&call, &shapes[s], s))
            continue;
#define X(name, type) test_sum_##name(&call, turn++ % 2 ? 33 : 3);
        SUM_REDUCE_TYPES(X)
#undef X
    }
    call_close(&call);
    shapes_close(shapes, n_shapes);
    return check_finish();
}
