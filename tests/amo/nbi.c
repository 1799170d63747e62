/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every nonblocking AMO of every type: after quiet the old value is fetched and the update is
 * visible.
 */
#include "amo/wrap.h"
#include "harness/board.h"
#include "harness/types.h"

#include <stdlib.h>

#if SHMEM_AT_LEAST(1, 5)

static struct route routes[MAX_ROUTES];
static int n_routes;

/* Operation number k works on this word of a slot and fetches to the same place in a local board.
 */
#define WORD(k) (2 * (k) + 1)
enum { MAX_WORDS = 4 };

#define TEMPLATE "amo/nbi_set.inc"
#include "harness/each_set_type.inc"
#undef TEMPLATE
#define TEMPLATE "amo/nbi_integer.inc"
#include "harness/each_amo_type.inc"
#undef TEMPLATE
#define TEMPLATE "amo/nbi_bitwise.inc"
#include "harness/each_bitwise_type.inc"

int main(void)
{
    check_init("amo/nbi");
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

#else

int main(void)
{
    return 0;
}

#endif
