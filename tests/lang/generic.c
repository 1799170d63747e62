/* SPDX-License-Identifier: BSD-3-Clause */
/* The C11 generics, run for every type in every form: each must reach the routine of its type. */
#include "harness/board.h"
#include "harness/types.h"

static int me, n, next, before;
static shmem_ctx_t ctx;
#if SHMEM_AT_LEAST(1, 5)
static shmem_team_t alone; /* this PE's team of its own */
#endif

#define TEMPLATE "lang/generic_rma.inc"
#include "harness/each_rma_type.inc"
#undef TEMPLATE
#define TEMPLATE "lang/generic_set.inc"
#include "harness/each_set_type.inc"
#undef TEMPLATE
#define TEMPLATE "lang/generic_integer.inc"
#include "harness/each_amo_type.inc"
#undef TEMPLATE
#define TEMPLATE "lang/generic_bitwise.inc"
#include "harness/each_bitwise_type.inc"

#if SHMEM_AT_LEAST(1, 5)
static void check_signals(void)
{
    static uint64_t words[4];

    check_case("signals");
    memset(words, 0, sizeof words);
    shmem_barrier_all();
#if SHMEM_AT_LEAST(1, 6)
    shmem_signal_set(&words[0], 3, next);
    shmem_signal_add(&words[1], 4, next);
    shmem_signal_set(ctx, &words[2], 5, next);
    shmem_signal_add(ctx, &words[3], 6, next);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();

    const uint64_t expected[] = {3, 4, 5, 6};

    check_array(words, expected, 4, "signal-generics-with-three-and-four-arguments");
    shmem_barrier_all();
#endif
}

static void check_syncs(void)
{
    static long psync[SHMEM_SYNC_SIZE];

    check_case("shmem_sync");
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        psync[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    check_equal(shmem_sync(SHMEM_TEAM_WORLD), 0, "sync-generic-with-one-and-four-arguments");
    shmem_sync(0, 0, n, psync);
    shmem_barrier_all();
    check_reached("sync-generic-with-one-and-four-arguments");
}
#endif

/* Not only typed pointers in the second argument: whatever a plain call may have there. */
static void check_second_arguments(void)
{
    static long words[2];
    const long constant = 17;
    static const short const_source[2] = {3, 4};
    static short shorts[2];

    check_case("second arguments");
    shmem_barrier_all();
    shmem_p(&words[0], constant, next);
    shmem_p(&words[1], 'a', next);
    shmem_put(shorts, const_source, 2, next);
    shmem_barrier_all();
    check_equal(words[0], 17, "generic-value-arguments-convert");
    check_equal(words[1], 'a', "generic-value-arguments-convert");
    check_array(shorts, const_source, 2, "generic-takes-const-source");
    shmem_barrier_all();
}

int main(void)
{
    check_init("lang/generic");
    me = check_pe();
    n = check_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    check_equal(shmem_ctx_create(0, &ctx), 0, "ctx-is-created");
#if SHMEM_AT_LEAST(1, 5)
    for (int pe = 0; pe < n; pe++) {
        shmem_team_t team;

        check_equal(shmem_team_split_strided(SHMEM_TEAM_WORLD, pe, 1, 1, NULL, 0, &team), 0,
                    "team-is-split");
        if (pe == me)
            alone = team;
    }
#endif
#define X(name, type) check_rma_##name();
    RMA_TYPES(X)
#undef X
#define X(name, type) check_set_##name();
    SET_TYPES(X)
#undef X
#define X(name, type) check_integer_##name();
    AMO_TYPES(X)
#undef X
#define X(name, type) check_bitwise_##name();
    BITWISE_TYPES(X)
#undef X
#if SHMEM_AT_LEAST(1, 5)
    check_signals();
    check_syncs();
    shmem_team_destroy(alone);
#endif
    check_second_arguments();
    shmem_barrier_all();
    shmem_ctx_destroy(ctx);
    return check_finish();
}
