/* SPDX-License-Identifier: BSD-3-Clause */
/* Point-to-point synchronization (9.11). */
#include "api/p2p.h"

#include "api/form_plain.h"

/*
 * A call that searches for any one of several variables begins at a random index. So a series of
 * calls returns every index sooner or later, whatever other calls the program makes in between.
 * Counting calls would not achieve that: if two series alternate, each gets every second number
 * only. Threads may draw the same number.
 *
 * The generator is linear congruential, with D. E. Knuth's constants for 64 bits; its highest bits
 * are used. Every n-th draw is a generator of the same kind, so alternating series still get all
 * numbers. A call uses the number that the call before has computed, so it need not wait for the
 * multiplication.
 */
static TERN_PE_LOCAL uint64_t draws;

/* An index below nelems, or 0. */
static size_t draw_first(size_t nelems)
{
    uint64_t drawn = tern_load_relaxed(&draws);

    tern_store_relaxed(&draws,
                       drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407));
    return (size_t)(((unsigned __int128)drawn * nelems) >> 64);
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
    require_own_word(ivar, sizeof *ivar, "ivar", TERN_ROUTINE);
    long_wait(ivar, cmp, cmp_value, TERN_ROUTINE);
}

TERN_API(void, shmem_wait)(long *ivar, long cmp_value)
{
    require_own_word(ivar, sizeof *ivar, "ivar", TERN_ROUTINE);
    long_wait(ivar, SHMEM_CMP_NE, cmp_value, TERN_ROUTINE);
}

TERN_API(uint64_t, shmem_signal_wait_until)(uint64_t *sig_addr, int cmp, uint64_t cmp_value)
{
    struct tern_wait w;
    uint64_t value;

    check_cmp(cmp, TERN_ROUTINE);
    require_own_word(sig_addr, sizeof *sig_addr, "sig_addr", TERN_ROUTINE);
    w = tern_wait_begin(own_bell(), TERN_ROUTINE);
    /* Partner: the update's release, or the fence between it and its data. */
    while (!uint64_compares(value = tern_load_flag(sig_addr), cmp, cmp_value))
        tern_wait_step(&w);
    tern_wait_end(&w);
    return value;
}
