/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts of teams: the numbering of PEs, creation and destruction. */
#include "harness/board.h"

#if SHMEM_AT_LEAST(1, 5)

static int me, n;

/* A team, and by plain arithmetic who is in it: member i is PE first + i * stride. */
struct known_team {
    const char *name;
    shmem_team_t team;
    int first, stride, size;
};

static int pe_of(const struct known_team *known, int member)
{
    return known->first + member * known->stride;
}

static bool is_member(const struct known_team *known)
{
    for (int i = 0; i < known->size; i++)
        if (pe_of(known, i) == me)
            return true;
    return false;
}

static struct known_team split(const char *name, const struct known_team *parent, int start,
                               int stride, int size)
{
    struct known_team child = {name, SHMEM_TEAM_INVALID, pe_of(parent, start),
                               parent->stride * stride, size};

    if (is_member(parent))
        check_equal(shmem_team_split_strided(parent->team, start, size > 1 ? stride : 0, size, NULL,
                                             0, &child.team),
                    0, "team-is-split");
    return child;
}

/* Every member writes to and adds at every other by its number in the team. */
static void check_numbers(const struct known_team *known)
{
    enum { MAX_PES = 64 };
    static long from[MAX_PES], counter;
    long expected[MAX_PES] = {0};
    shmem_ctx_t ctx;
    shmem_team_t team;

    memset(from, 0, sizeof from);
    counter = 0;
    shmem_barrier_all();
    check_case("%s", known->name);
    if (is_member(known)) {
        check_equal(shmem_team_create_ctx(known->team, 0, &ctx), 0, "team-create-ctx");
        check_equal(shmem_ctx_get_team(ctx, &team), 0, "get-team-of-team-ctx");
        check(team == known->team, "get-team-of-team-ctx", "another team");
        for (int i = 0; i < known->size; i++) {
            shmem_ctx_long_p(ctx, &from[me % MAX_PES], pe_of(known, i) + 1, i);
            shmem_ctx_long_atomic_add(ctx, &counter, me + 1, i);
        }
        shmem_ctx_quiet(ctx);
        for (int i = 0; i < known->size; i++)
            check_equal(shmem_ctx_long_g(ctx, &from[me % MAX_PES], i), pe_of(known, i) + 1,
                        "ctx-takes-team-numbers");
        shmem_ctx_destroy(ctx);
    }
    shmem_barrier_all();

    long sum = 0;

    for (int i = 0; i < known->size && is_member(known); i++) {
        expected[pe_of(known, i) % MAX_PES] = me + 1;
        sum += pe_of(known, i) + 1;
    }
    check_array(from, expected, MAX_PES, "ctx-takes-team-numbers");
    check_equal(counter, sum, "ctx-takes-team-numbers");
    shmem_barrier_all();
}

/* Member i makes i contexts; reserved or not, they may be more than asked for. */
static void check_different_numbers_of_contexts(void)
{
    enum { MAX_OWN = 9 };
    const shmem_team_config_t config = {.num_contexts = 2};
    shmem_team_t team;
    shmem_ctx_t own[MAX_OWN];
    int count = me < MAX_OWN ? me : MAX_OWN;
    static long word;

    word = 0;
    shmem_barrier_all();
    check_case("%d contexts on a team that reserved two", count);
    check_equal(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, n > 1, n, &config,
                                         SHMEM_TEAM_NUM_CONTEXTS, &team),
                0, "team-is-split");
    for (int i = 0; i < count; i++) {
        check_equal(shmem_team_create_ctx(team, i % 2 ? SHMEM_CTX_NOSTORE : 0, &own[i]), 0,
                    "members-may-create-different-numbers");
        shmem_ctx_long_atomic_inc(own[i], &word, (me + i) % n);
    }
    for (int i = 0; i < count; i++)
        shmem_ctx_destroy(own[i]);
    shmem_barrier_all();

    long expected = 0;

    for (int pe = 0; pe < n; pe++)
        for (int i = 0; i < (pe < MAX_OWN ? pe : MAX_OWN); i++)
            expected += (pe + i) % n == me;
    check_equal(word, expected, "members-may-create-different-numbers");
    shmem_team_destroy(team);
}

static void check_invalid_team(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;

    check_case("a context on the invalid team");
    check(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0, "ctx-on-invalid-team",
          "returned 0");
    check(ctx == SHMEM_CTX_INVALID, "ctx-on-invalid-team", "some context");
    shmem_ctx_destroy(ctx);
    check_reached("ctx-on-invalid-team");
}

int main(void)
{
    check_init("ctx/teams");
    me = check_pe();
    n = check_n_pes();

    struct known_team world = {"the world team", SHMEM_TEAM_WORLD, 0, 1, n};
    struct known_team all = split("all PEs in order", &world, 0, 1, n);
    struct known_team reversed = split("all PEs reversed", &world, n - 1, -1, n);
    struct known_team even = split("even PEs", &world, 0, 2, (n + 1) / 2);
    struct known_team last = split("the last PE alone", &world, n - 1, 1, 1);
    struct known_team nested = split("every other of the reversed", &reversed, 0, 2, (n + 1) / 2);
    struct known_team deep =
        split("those reversed again", &nested, nested.size - 1, -1, nested.size);
    const struct known_team *const teams[] = {&world, &all,    &reversed, &even,
                                              &last,  &nested, &deep};

    for (int i = 0; i < 7; i++)
        check_numbers(teams[i]);
    check_different_numbers_of_contexts();
    check_invalid_team();
    for (int i = 6; i > 0; i--)
        if (is_member(teams[i]))
            shmem_team_destroy(teams[i]->team);
    return check_finish();
}

#else

int main(void)
{
    return 0;
}

#endif
