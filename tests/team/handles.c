/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles as values: the predefined ones, the invalid one, and what every routine makes of it. */
#include "harness/check.h"
#include "harness/oracle.h"

/* Initializers must be constant; here for all five handles. */
static shmem_team_t static_teams[] = {SHMEM_TEAM_INVALID, SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED};
static shmem_ctx_t static_ctxs[] = {SHMEM_CTX_INVALID, SHMEM_CTX_DEFAULT};
static _Thread_local shmem_team_t thread_team = SHMEM_TEAM_INVALID;
static _Thread_local shmem_ctx_t thread_ctx = SHMEM_CTX_INVALID;

static long symmetric;

static void test_values(void)
{
    shmem_team_t copy = SHMEM_TEAM_WORLD;

    check_case("values");
    check(static_teams[0] == SHMEM_TEAM_INVALID && thread_team == SHMEM_TEAM_INVALID,
          "static-initializers", "the invalid team");
    check(static_teams[1] == SHMEM_TEAM_WORLD, "static-initializers", "the world");
    check(static_teams[2] == SHMEM_TEAM_SHARED, "static-initializers", "the shared team");
    check(static_ctxs[0] == SHMEM_CTX_INVALID && thread_ctx == SHMEM_CTX_INVALID,
          "static-initializers", "the invalid context");
    check(static_ctxs[1] == SHMEM_CTX_DEFAULT, "static-initializers", "the default context");
    check(copy == SHMEM_TEAM_WORLD, "handles-compare", "a copy differs");
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            check(static_teams[i] != static_teams[j], "handles-compare", "%d equals %d", i, j);
    check(static_ctxs[0] != static_ctxs[1], "handles-compare", "the default context is invalid");
}

static void test_world(void)
{
    shmem_team_t team = SHMEM_TEAM_INVALID;

    check_case("the world");
    check_equal(shmem_team_my_pe(SHMEM_TEAM_WORLD), shmem_my_pe(), "world-numbers");
    check_equal(shmem_team_n_pes(SHMEM_TEAM_WORLD), shmem_n_pes(), "world-numbers");
    check(shmem_my_pe() >= 0 && shmem_my_pe() < shmem_n_pes(), "world-numbers", "PE %d",
          shmem_my_pe());
    check_equal(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team), 0, "default-ctx-team");
    check(team == SHMEM_TEAM_WORLD, "default-ctx-team", "not the world");
    for (int pe = -1; pe <= check_n_pes(); pe++)
        check_equal(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_WORLD),
                    pe < check_n_pes() ? pe : -1, "translate-world");
}

/* Every member can be reached by load and store; the caller is one. */
static void test_shared(void)
{
    int n = shmem_team_n_pes(SHMEM_TEAM_SHARED), me = shmem_team_my_pe(SHMEM_TEAM_SHARED);
    long *heap = shmem_malloc(sizeof(long)), *pointer;

    check_case("the shared team");
    check(n >= 1 && n <= check_n_pes(), "shared-not-empty", "%d PEs", n);
    check(me >= 0 && me < n, "shared-not-empty", "member %d", me);
    check_equal(shmem_team_translate_pe(SHMEM_TEAM_SHARED, me, SHMEM_TEAM_WORLD), check_pe(),
                "shared-not-empty");
    *heap = 5 + check_pe();
    shmem_team_sync(SHMEM_TEAM_SHARED);
    for (int i = 0; i < n; i++) {
        int pe = shmem_team_translate_pe(SHMEM_TEAM_SHARED, i, SHMEM_TEAM_WORLD);

        check_equal(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED), i,
                    "translate-shared");
        pointer = shmem_ptr(heap, pe);
        check(pointer && *pointer == 5 + pe, "ptr-agrees-with-shared", "PE %d by shmem_ptr", pe);
        pointer = shmem_team_ptr(SHMEM_TEAM_SHARED, heap, i);
        check(pointer && *pointer == 5 + pe, "team-ptr", "member %d by shmem_team_ptr", i);
        check(shmem_team_ptr(SHMEM_TEAM_WORLD, heap, pe) == shmem_ptr(heap, pe), "team-ptr-world",
              "PE %d by the two routines", pe);
        check(shmem_team_ptr(SHMEM_TEAM_INVALID, heap, i) == NULL, "team-ptr-invalid", "not NULL");
    }
    shmem_free(heap);
}

/* A child of the shared team, and its numbers against those of a child of the world. */
static void test_translate(void)
{
    int n = check_n_pes(), half = (n + 1) / 2;
    shmem_team_t reversed, lower, shared_child;

    check_case("translation between siblings");
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n, NULL, 0, &reversed);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, half, NULL, 0, &lower);
    for (int i = 0; i < n; i++)
        if (lower != SHMEM_TEAM_INVALID)
            check_equal(shmem_team_translate_pe(reversed, i, lower),
                        n - 1 - i < half ? n - 1 - i : -1, "translate-siblings");
        else
            check_equal(shmem_team_translate_pe(reversed, i, lower), -1, "translate-invalid");
    check_equal(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, reversed), -1, "translate-invalid");
    check_equal(shmem_team_split_strided(SHMEM_TEAM_SHARED, 0, 1,
                                         shmem_team_n_pes(SHMEM_TEAM_SHARED), NULL, 0,
                                         &shared_child),
                0, "split-of-shared");
    check_equal(shmem_team_my_pe(shared_child), shmem_team_my_pe(SHMEM_TEAM_SHARED),
                "split-of-shared");
    check_equal(shmem_team_sync(shared_child), 0, "split-of-shared");
    shmem_team_destroy(shared_child);
    shmem_team_destroy(lower);
    shmem_team_destroy(reversed);
}

static void test_invalid(void)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;

    check_case("the invalid team");
    check_equal(shmem_team_my_pe(SHMEM_TEAM_INVALID), -1, "invalid-has-no-pes");
    check_equal(shmem_team_n_pes(SHMEM_TEAM_INVALID), -1, "invalid-has-no-pes");
    /* One PE alone: nothing is communicated. */
    if (check_pe() == 0) {
        check(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team) != 0,
              "split-of-invalid", "returned 0");
        check(team == SHMEM_TEAM_INVALID, "split-of-invalid", "a valid handle");
        shmem_team_destroy(SHMEM_TEAM_INVALID);
    }
    team = SHMEM_TEAM_WORLD;
    check(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID,
          "invalid-ctx-team", "a team of no context");
    shmem_barrier_all();
}

/* Through the team's numbers, static data too. */
static void test_team_ptr(void)
{
    int n = check_n_pes();
    shmem_team_t reversed;

    check_case("team_ptr on a reversed team");
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n, NULL, 0, &reversed);
    symmetric = 400 + check_pe();
    shmem_barrier_all();
    for (int i = 0; i < n; i++) {
        long *pointer = shmem_team_ptr(reversed, &symmetric, i);

        check(pointer == shmem_ptr(&symmetric, n - 1 - i), "team-ptr", "member %d", i);
        check(!pointer || *pointer == 400 + n - 1 - i, "team-ptr", "member %d has %ld", i,
              pointer ? *pointer : 0);
    }
    shmem_team_destroy(reversed);
    shmem_barrier_all();
}

int main(void)
{
    check_init("team/handles");
    test_values();
    test_world();
    test_shared();
    test_translate();
    test_invalid();
    test_team_ptr();
    return check_finish();
}
