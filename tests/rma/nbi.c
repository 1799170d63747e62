/* SPDX-License-Identifier: BSD-3-Clause */
/* put_nbi and get_nbi of every type: quiet of their own route completes them. */
#include "harness/board.h"
#include "harness/types.h"
#include "rma/shape.h"

#include <stdlib.h>

static struct route routes[MAX_ROUTES];
static int n_routes;

#define TEMPLATE "rma/nbi.inc"
#include "harness/each_rma_type.inc"

int main(void)
{
    check_init("rma/nbi");
    n_routes = routes_open(routes);
#define X(name, type) check_all_##name();
    RMA_TYPES(X)
#undef X
    routes_close(routes, n_routes);
    return check_finish();
}
