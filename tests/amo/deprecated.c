/* SPDX-License-Identifier: BSD-3-Clause */
/* The old names of the AMOs. */
#include "amo/wrap.h"
#include "harness/board.h"
#include "harness/types.h"

#define TEMPLATE "amo/deprecated_set.inc"

#define NAME float
#define TYPE float
#include TEMPLATE
#undef NAME
#undef TYPE

#define NAME double
#define TYPE double
#include TEMPLATE
#undef NAME
#undef TYPE

#define NAME int
#define TYPE int
#include TEMPLATE
#include "amo/deprecated_integer.inc"
#undef NAME
#undef TYPE

#define NAME long
#define TYPE long
#include TEMPLATE
#include "amo/deprecated_integer.inc"
#undef NAME
#undef TYPE

#define NAME longlong
#define TYPE long long
#include TEMPLATE
#include "amo/deprecated_integer.inc"
#undef NAME
#undef TYPE

int main(void)
{
    check_init("amo/deprecated");
    for (int steps = 0; steps < check_n_pes(); steps++) {
#define X(name, type) check_set_##name(steps);
        OLD_SET_TYPES(X)
#undef X
#define X(name, type) check_integer_##name(steps);
        OLD_AMO_TYPES(X)
#undef X
    }
    return check_finish();
}
