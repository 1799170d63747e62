/* SPDX-License-Identifier: BSD-3-Clause */
/* Team reductions max and min of every type they have, on teams of every form. */
#include "coll/call.h"
#include "harness/oracle.h"
#include "harness/types.h"

#define TEMPLATE "coll/order.inc"
#include "harness/each_rma_type.inc"

static void test_types(struct call *call, int turn)
{
#define X(name, type) test_order_##name(call, call_elements(turn++));
    ORDER_REDUCE_TYPES(X)
#undef X
}

int main(void)
{
    return call_types("coll/order_types", test_types);
}
