/* SPDX-License-Identifier: BSD-3-Clause */
/* Team reductions max and min of every type they have, on teams of every form. */
#include "coll/call.h"
#include "harness/oracle.h"
#include "harness/types.h"

#define TEMPLATE "coll/order.inc"
#include "harness/each_rma_type.inc"

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    struct call call;
    int n_shapes;

    check_init("coll/order_types");
    n_shapes = shapes_open(shapes);
    call_open(&call, (33 + GUARD) * sizeof(long double));
    for (int s = 0; s < n_shapes; s++) {
        int turn = s;

        if (!call_shape(&call, &shapes[s], s))
            continue;
#define X(name, type) test_order_##name(&call, turn++ % 2 ? 33 : 3);
        ORDER_REDUCE_TYPES(X)
#undef X
    }
    call_close(&call);
    shapes_close(shapes, n_shapes);
    return check_finish();
}
