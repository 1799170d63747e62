/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast, collect, fcollect, alltoall and alltoalls of every type on teams of every form. */
#include "coll/call.h"
#include "harness/oracle.h"
#include "harness/types.h"

#define TEMPLATE "coll/move.inc"
#include "harness/each_rma_type.inc"

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    struct call call;
    int n_shapes;

    check_init("coll/move_types");
    n_shapes = shapes_open(shapes);
    call_open(&call, ((size_t)check_n_pes() * 27 + GUARD) * sizeof(long double));
    for (int s = 0; s < n_shapes; s++) {
        int turn = s;

        if (!call_shape(&call, &shapes[s], s))
            continue;
#define X(name, type) test_moves_##name(&call, turn++ % 3 ? 9 : 1);
        RMA_TYPES(X)
#undef X
    }
    call_close(&call);
    shapes_close(shapes, n_shapes);
    return check_finish();
}
