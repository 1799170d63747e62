/* SPDX-License-Identifier: BSD-3-Clause */
/* Team reductions and, or, xor of every type they have, on teams of every form. */
#include "coll/call.h"
#include "harness/oracle.h"
#include "harness/types.h"

#define TEMPLATE "coll/logic.inc"
#include "coll/each_logic_type.inc"

static void test_types(struct call *call, int turn)
{
#define X(name, type) test_logic_##name(call, call_elements(turn++));
    LOGIC_REDUCE_TYPES(X)
#undef X
}

int main(void)
{
    return call_types("coll/logic_types", test_types);
}
