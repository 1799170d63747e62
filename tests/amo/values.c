/* SPDX-License-Identifier: BSD-3-Clause */
/* Every blocking AMO of every type: old value, new value, wrap-around, and the words beside. */
#include "amo/wrap.h"
#include "harness/board.h"
#include "harness/types.h"

static struct route routes[MAX_ROUTES];
static int n_routes;

/* The word of a slot that operation number k works on; words between them must not change. */
#define WORD(k) (2 * (k) + 1)

#define TEMPLATE "amo/values_set.inc"
#include "harness/each_set_type.inc"
#undef TEMPLATE
#define TEMPLATE "amo/values_integer.inc"
#include "harness/each_amo_type.inc"
#undef TEMPLATE
#define TEMPLATE "amo/values_bitwise.inc"
#include "harness/each_bitwise_type.inc"

int main(void)
{
    check_init("amo/values");
    n_routes = routes_open(routes);
#define X(name, type) check_set_##name();
    SET_TYPES(X)
#undef X
#define X(name, type) check_integer_##name();
    AMO_TYPES(X)
#undef X
#define X(name, type) check_bitwise_##name();
    BITWISE_TYPES(X)
#undef X
    routes_close(routes, n_routes);
    return check_finish();
}
