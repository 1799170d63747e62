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

/* Any routine with a pointer and a count. */
static void check_null(void)
{
#if SHMEM_AT_LEAST(1, 5)
    static uint64_t signal;
    int last = check_n_pes() - 1;

    check_case("NULL and no elements");
    shmem_putmem(NULL, NULL, 0, last);
    shmem_getmem(NULL, NULL, 0, last);
    shmem_put128(NULL, NULL, 0, last);
    shmem_get8(NULL, NULL, 0, last);
    shmem_double_put(NULL, NULL, 0, last);
    shmem_double_get(NULL, NULL, 0, last);
    shmem_long_iput(NULL, NULL, 1, 1, 0, last);
    shmem_long_iget(NULL, NULL, 2, 3, 0, last);
    shmem_int_put_nbi(NULL, NULL, 0, last);
    shmem_int_get_nbi(NULL, NULL, 0, last);
    shmem_short_put_signal(NULL, NULL, 0, &signal, 0, SHMEM_SIGNAL_ADD, last);
    shmem_short_put_signal_nbi(NULL, NULL, 0, &signal, 0, SHMEM_SIGNAL_ADD, last);
    shmem_long_wait_until_all(NULL, 0, NULL, SHMEM_CMP_EQ, 0);
#if SHMEM_AT_LEAST(1, 6)
    shmem_char_ibput(NULL, NULL, 4, 5, 2, 0, last);
    shmem_char_ibget(NULL, NULL, 4, 5, 2, 0, last);
    shmem_pe_quiet(NULL, 0);
#endif
    shmem_quiet();
    check_reached("null-is-legal-with-no-elements");
#endif
}

int main(void)
{
    check_init("rma/block");
    check_null();
    n_routes = routes_open(routes);
#define X(name, type) check_all_##name();
    RMA_TYPES(X)
#undef X
    routes_close(routes, n_routes);
    return check_finish();
}
