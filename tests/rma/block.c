/* SPDX-License-Identifier: BSD-3-Clause */
/* put, get, p and g of every type, between all kinds of memory, through every route. */
#include "harness/board.h"
#include "harness/types.h"
#include "rma/shape.h"

#include <stdlib.h>

static struct route routes[MAX_ROUTES];
static int n_routes;

/* Half of the sources are overwritten as soon as put returns. */
static bool slot_is_reused(int route, int steps)
{
    return (route + steps) % 2;
}

#define TEMPLATE "rma/block.inc"
#include "harness/each_rma_type.inc"

int main(void)
{
    check_init("rma/block");
    n_routes = routes_open(routes);
#define X(name, type) check_all_##name();
    RMA_TYPES(X)
#undef X
    routes_close(routes, n_routes);
    return check_finish();
}
