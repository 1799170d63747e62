/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_wait and its typed forms, the long shmem_wait_until, and wait_until and test of shorts. */
#include "harness/board.h"
#include "harness/types.h"
#include "p2p/comparisons.h"

/* There is no AMO on shorts: programs use put or p. */
#define UPDATE ROUTINE(p)

#define NAME short
#define TYPE short
#include "p2p/old_wait.inc"
#include "p2p/single.inc"
#undef NAME
#undef TYPE

#define NAME ushort
#define TYPE unsigned short
#include "p2p/single.inc"
#undef NAME
#undef TYPE

#define NAME int
#define TYPE int
#include "p2p/old_wait.inc"
#undef NAME
#undef TYPE

#define NAME long
#define TYPE long
#include "p2p/old_wait.inc"
#undef NAME
#undef TYPE

#define NAME longlong
#define TYPE long long
#include "p2p/old_wait.inc"
#undef NAME
#undef TYPE

/* The names in parentheses are the functions, where the header has macros of these names too. */
static void check_long_functions(void)
{
    static long waited, until[N_COMPARISONS];
    int me = check_pe(), next = (me + 1) % check_n_pes();

    check_case("shmem_wait and shmem_wait_until");
    waited = -1;
    for (int c = 0; c < N_COMPARISONS; c++)
        until[c] = VALUE_BEFORE(long, comparisons[c].cmp);
    shmem_barrier_all();
    for (int c = 0; c < N_COMPARISONS; c++)
        shmem_long_p(&until[c], VALUE_AFTER(long, comparisons[c].cmp), next);
    shmem_long_p(&waited, 5, next);
    for (int c = 0; c < N_COMPARISONS; c++) {
        (shmem_wait_until)(&until[c], comparisons[c].cmp, THRESHOLD(long, comparisons[c].cmp));
        check_equal(until[c], VALUE_AFTER(long, comparisons[c].cmp), "old-wait-until-is-for-long");
    }
    (shmem_wait)(&waited, -1);
    check_equal(waited, 5, "wait-ends-when-value-differs");
    (shmem_wait)(&waited, 4);
    shmem_barrier_all();
}

int main(void)
{
    check_init("p2p/deprecated");
    check_test_short();
    check_satisfied_wait_short();
    check_remote_short();
    check_test_ushort();
    check_satisfied_wait_ushort();
    check_remote_ushort();
#define X(name, type) check_old_wait_##name();
    OLD_WAIT_TYPES(X)
#undef X
    check_long_functions();
    return check_finish();
}
