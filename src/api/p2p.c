/* SPDX-License-Identifier: BSD-3-Clause */
/* Point-to-point synchronization (9.11). */
#include "api/p2p.h"

#include "api/form_plain.h"

/*
 * Counts the calls that look for any one of several variables: each begins at another place, so
 * that none is passed over for ever. Threads may lose counts to each other.
 */
static TERN_PE_LOCAL size_t turns;

static size_t first_look(size_t nelems)
{
    size_t turn = tern_load_relaxed(&turns);

    tern_store_relaxed(&turns, turn + 1);
    return nelems ? turn % nelems : 0;
}

#define TEMPLATE "api/p2p_one.inc"
#include "api/types/amo.inc"
#include "api/types/old_wait.inc"
#undef TEMPLATE

#define TEMPLATE "api/p2p_many.inc"
#include "api/types/amo.inc"
#include "api/types/old_wait.inc"
#undef TEMPLATE

#define TEMPLATE "api/old_wait.inc"
#include "api/types/old_bits.inc"
#undef TEMPLATE

TERN_API(void, shmem_wait_until)(long *ivar, int cmp, long cmp_value)
{
    check_cmp(cmp, TERN_ROUTINE);
    require_own_scalar(ivar, sizeof *ivar, "ivar", TERN_ROUTINE);
    long_wait(ivar, cmp, cmp_value, TERN_ROUTINE);
}

TERN_API(void, shmem_wait)(long *ivar, long cmp_value)
{
    require_own_scalar(ivar, sizeof *ivar, "ivar", TERN_ROUTINE);
    long_wait(ivar, SHMEM_CMP_NE, cmp_value, TERN_ROUTINE);
}

TERN_API(uint64_t, shmem_signal_wait_until)(uint64_t *sig_addr, int cmp, uint64_t cmp_value)
{
    struct tern_wait w;
    uint64_t value;

    check_cmp(cmp, TERN_ROUTINE);
    require_own_scalar(sig_addr, sizeof *sig_addr, "sig_addr", TERN_ROUTINE);
    w = tern_wait_begin(own_bell(), TERN_ROUTINE);
    /* Partner: the update's release, or the fence between it and its data. */
    while (!uint64_compares(value = tern_load_flag(sig_addr), cmp, cmp_value))
        tern_wait_step(&w);
    tern_wait_end(&w);
    return value;
}
