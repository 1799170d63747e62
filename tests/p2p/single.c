/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_until and test on one variable, of every type, by every comparison. */
#include "harness/board.h"
#include "harness/types.h"
#include "p2p/comparisons.h"

/* How a peer changes the variable. */
#define UPDATE ROUTINE(atomic_set)

#define TEMPLATE "p2p/single.inc"
#include "harness/each_amo_type.inc"

int main(void)
{
    check_init("p2p/single");
#define X(name, type)                                                                              \
    check_test_##name();                                                                           \
    check_satisfied_wait_##name();                                                                 \
    check_remote_##name();
    AMO_TYPES(X)
#undef X
    return check_finish();
}
