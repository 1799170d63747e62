/* SPDX-License-Identifier: BSD-3-Clause */
/* iput, iget, ibput and ibget of every type: strides, blocks, and the gaps between them. */
#include "harness/board.h"
#include "harness/types.h"
#include "rma/shape.h"

#include <stdlib.h>

static struct route routes[MAX_ROUTES];
static int n_routes;

#define TEMPLATE "rma/strided.inc"
#include "harness/each_rma_type.inc"

int main(void)
{
    check_init("rma/strided");
    n_routes = routes_open(routes);
#define X(name, type) check_all_##name();
    RMA_TYPES(X)
#undef X
    routes_close(routes, n_routes);
    return check_finish();
}
