/* SPDX-License-Identifier: BSD-3-Clause */
/* Team configurations and their masks, and the contexts of a team. */
#include "harness/check.h"
#include "harness/oracle.h"

#define MORE_THAN_ASKED 20

static long cells[64];

static shmem_team_t split_all(const shmem_team_config_t *config, long mask)
{
    shmem_team_t team;
    int n = check_n_pes();

    check_equal(
        shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n, config, mask, &team),
        0, "split-returns-0");
    return team;
}

static void test_masks(void)
{
    shmem_team_config_t config = {.num_contexts = 3}, got = {.num_contexts = -77};
    shmem_team_t team;

    check_case("mask 0");
    team = split_all(NULL, 0);
    check_equal(shmem_team_get_config(team, 0, NULL), 0, "mask-0-needs-no-config");
    check_equal(shmem_team_get_config(team, 0, &got), 0, "mask-0-needs-no-config");
    check_equal(got.num_contexts, -77, "mask-0-writes-nothing");
    shmem_team_destroy(team);

    check_case("a field that is not in the mask");
    config.num_contexts = -5;
    team = split_all(&config, 0);
    check(team != SHMEM_TEAM_INVALID, "unmasked-ignored", "no team");
    shmem_team_destroy(team);

    check_case("num_contexts");
    config.num_contexts = 3;
    team = split_all(&config, SHMEM_TEAM_NUM_CONTEXTS);
    check_equal(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got), 0, "get-config");
    check(got.num_contexts >= 0, "get-config", "num_contexts is %d", got.num_contexts);
    shmem_team_destroy(team);

    check_case("predefined teams");
    check_equal(shmem_team_get_config(SHMEM_TEAM_WORLD, SHMEM_TEAM_NUM_CONTEXTS, &got), 0,
                "get-config");
    check_equal(shmem_team_get_config(SHMEM_TEAM_SHARED, SHMEM_TEAM_NUM_CONTEXTS, &got), 0,
                "get-config");
    got.num_contexts = -77;
    check(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &got) != 0,
          "get-config-of-invalid", "returned 0");
    check_equal(got.num_contexts, -77, "get-config-of-invalid");
}

/* Each context reaches the next member by its number in the team. */
static void use(shmem_ctx_t ctx, shmem_team_t team, int cell)
{
    int me = shmem_team_my_pe(team), n = shmem_team_n_pes(team);
    shmem_team_t got = SHMEM_TEAM_INVALID;

    check_equal(shmem_ctx_get_team(ctx, &got), 0, "ctx-get-team");
    check(got == team, "ctx-get-team", "another team's handle");
    shmem_ctx_long_p(ctx, &cells[cell], 1000 * cell + me, (me + 1) % n);
    shmem_ctx_quiet(ctx);
    shmem_team_sync(team);
    check_equal(cells[cell], 1000 * cell + (me + n - 1) % n, "ctx-uses-team-numbers");
}

/* A number asked for is neither a limit nor a demand, and not everyone needs as many. */
static void test_contexts(int asked)
{
    shmem_team_config_t config = {.num_contexts = asked};
    shmem_ctx_t ctxs[MORE_THAN_ASKED], extra;
    shmem_team_t team;

    check_case("%d contexts asked for", asked);
    team = split_all(&config, SHMEM_TEAM_NUM_CONTEXTS);
    for (int i = 0; i < MORE_THAN_ASKED; i++) {
        check_equal(shmem_team_create_ctx(team, i % 3 == 1 ? SHMEM_CTX_SERIALIZED : 0, &ctxs[i]), 0,
                    "num-contexts-no-limit");
        use(ctxs[i], team, i);
    }
    if (check_pe() == 0) {
        check_equal(shmem_team_create_ctx(team, 0, &extra), 0, "create-ctx-not-collective");
        shmem_ctx_long_p(extra, &cells[63], 1, shmem_team_my_pe(team));
        shmem_ctx_quiet(extra);
        check_equal(cells[63], 1, "create-ctx-not-collective");
        cells[63] = 0;
    }
    /* Half of them, and the extra one, are left to the team. */
    for (int i = 0; i < MORE_THAN_ASKED; i += 2)
        shmem_ctx_destroy(ctxs[i]);
    shmem_team_destroy(team);
}

/* What a context of the team still had to do is done when the team is gone. */
static void test_destroy_completes(void)
{
    int n = check_n_pes(), me, next;
    shmem_team_t team;
    shmem_ctx_t ctx;
    long value;

    check_case("leftover context");
    cells[0] = -1;
    team = split_all(NULL, 0);
    me = shmem_team_my_pe(team);
    next = (me + 1) % n;
    value = 70 + me;
    check_equal(shmem_team_create_ctx(team, 0, &ctx), 0, "destroy-frees-contexts");
    shmem_barrier_all();
    shmem_ctx_long_put_nbi(ctx, &cells[0], &value, 1, next);
    shmem_team_destroy(team);
    shmem_barrier_all();
    check_equal(cells[0], 70 + (me + n - 1) % n, "destroy-frees-contexts");
}

int main(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;

    check_init("team/config");
    test_masks();
    test_contexts(0);
    test_contexts(2);
    test_contexts(MORE_THAN_ASKED);
    test_destroy_completes();
    check(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0 && ctx == SHMEM_CTX_INVALID,
          "create-ctx-on-invalid", "a context on no team");
    return check_finish();
}
