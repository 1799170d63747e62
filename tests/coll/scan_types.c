/* SPDX-License-Identifier: BSD-3-Clause */
/* The scans of every type, complex ones too, on teams of every form. */
#include "coll/call.h"
#include "coll/values.h"
#include "harness/types.h"

#define TEMPLATE "coll/scan.inc"
#include "coll/each_sum_type.inc"

static void test_types(struct call *call, int turn)
{
#define X(name, type) test_scan_##name(call, call_elements(turn++));
    SUM_REDUCE_TYPES(X)
#undef X
}

int main(void)
{
    return call_types("coll/scan_types", test_types);
}
