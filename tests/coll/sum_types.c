/* SPDX-License-Identifier: BSD-3-Clause */
/* Team reductions sum and prod of every type, complex ones too, on teams of every form. */
#include "coll/call.h"
#include "coll/values.h"
#include "harness/types.h"

#define TEMPLATE "coll/sum.inc"
#include "coll/each_sum_type.inc"

static void test_types(struct call *call, int turn)
{
#define X(name, type) test_sum_##name(call, call_elements(turn++));
    SUM_REDUCE_TYPES(X)
#undef X
}

int main(void)
{
    return call_types("coll/sum_types", test_types);
}
