/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeated initialization: only the finalize that matches the first init ends OpenSHMEM. */
#include "harness/check.h"
#include "harness/oracle.h"

static long letter, arrived;

static int initialized(void)
{
    int answer = -1;

    shmem_query_initialized(&answer);
    return answer;
}

/* A user's library that initializes, uses and finalizes for itself, and forgets to clean up. */
static void use_library(shmem_team_t *team, shmem_ctx_t *ctx, long **block)
{
    int n = check_n_pes();

    shmem_init();
    check_equal(shmem_my_pe(), check_pe(), "nested-numbers");
    check_equal(shmem_n_pes(), n, "nested-numbers");
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n, NULL, 0, team);
    check_equal(shmem_team_create_ctx(*team, 0, ctx), 0, "inner-finalize-keeps");
    *block = shmem_malloc(3 * sizeof(long));
    (*block)[1] = 10 + check_pe();
    shmem_finalize();
    check(initialized(), "initialized-until-last", "not after an inner finalize");
}

/* What the library leaked is still there after its finalize. */
static void test_leaks_survive(void)
{
    int n = check_n_pes(), me = n - 1 - check_pe(), next = (me + 1) % n;
    shmem_team_t team;
    shmem_ctx_t ctx;
    long *block;

    check_case("leaks");
    use_library(&team, &ctx, &block);
    check_equal(block[1], 10 + check_pe(), "inner-finalize-keeps");
    check_equal(shmem_team_my_pe(team), me, "inner-finalize-keeps");
    shmem_ctx_long_p(ctx, &block[2], 20 + me, next);
    shmem_ctx_quiet(ctx);
    check_equal(shmem_team_sync(team), 0, "inner-finalize-keeps");
    check_equal(block[2], 20 + (me + n - 1) % n, "inner-finalize-keeps");
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(team);
    shmem_free(block);
}

/* An inner finalize is a barrier_all: it waits for all, and quiets. */
static void test_inner_finalize_is_barrier(void)
{
    int n = check_n_pes(), next = (check_pe() + 1) % n;

    check_case("an inner finalize");
    for (long round = 1; round <= 20; round++) {
        long value = round * 100 + check_pe();

        shmem_init();
        shmem_long_put_nbi(&letter, &value, 1, next);
        shmem_long_atomic_inc(&arrived, 0);
        shmem_finalize();
        check_equal(letter, round * 100 + (check_pe() + n - 1) % n, "inner-finalize-quiets");
        if (check_pe() == 0)
            check(arrived >= round * n, "inner-finalize-waits", "%ld of %ld arrivals", arrived,
                  round * n);
        shmem_barrier_all();
    }
}

int main(void)
{
    int provided = -1, level = -1;

    shmem_init();
    check_attach("setup/nested");
    check(initialized(), "initialized-after-init", "not after init");
    /* A later init_thread tells the level in force, whatever it asked for. */
    shmem_query_thread(&level);
    for (int requested = SHMEM_THREAD_SINGLE; requested <= SHMEM_THREAD_MULTIPLE; requested++) {
        check_case("level %d asked for later", requested);
        check_equal(shmem_init_thread(requested, &provided), 0, "nested-init-thread");
        shmem_query_thread(&level);
        check_equal(provided, level, "nested-init-thread");
        check(provided >= SHMEM_THREAD_SINGLE && provided <= SHMEM_THREAD_MULTIPLE,
              "nested-init-thread", "level %d", provided);
    }
    test_leaks_survive();
    test_inner_finalize_is_barrier();
    for (int i = SHMEM_THREAD_SINGLE; i <= SHMEM_THREAD_MULTIPLE; i++) {
        check(initialized(), "initialized-until-last", "not before the last finalize");
        shmem_finalize();
    }
    check(initialized(), "initialized-until-last", "not before the last finalize");
    check_report();
    shmem_finalize();
    check_case("after the last finalize");
    check_equal(initialized(), 0, "not-initialized-after-last");
    return check_status();
}
