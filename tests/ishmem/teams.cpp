/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams as numbers: the predefined ones, splits in one and two dimensions, many of them. */
#include <vector>

#include "ishmem/types.h"

static void check_team(ishmem_team_t team, const std::vector<int> &pes, const char *name)
{
    int size = static_cast<int>(pes.size()), member = -1;

    for (int i = 0; i < size; i++) {
        check_equal(ishmem_team_translate_pe(team, i, ISHMEM_TEAM_WORLD), pes[size_t(i)], name);
        if (pes[size_t(i)] == me)
            member = i;
    }
    check_equal(ishmem_team_my_pe(team), member, name);
    check_equal(ishmem_team_n_pes(team), size, name);
    check_equal(ishmem_team_sync(team), 0, name);

    long sum = 0, expected = 0, mine = me + 1;

    static long total, part;
    part = mine;
    check_equal(ishmem_sum_reduce(team, &total, &part, 1), 0, name);
    sum = total;
    for (int pe : pes)
        expected += pe + 1;
    check_equal(sum, expected, name);
}

static std::vector<int> range(int start, int stride, int size)
{
    std::vector<int> pes;

    for (int i = 0; i < size; i++)
        pes.push_back(start + i * stride);
    return pes;
}

static void test_predefined()
{
    std::vector<int> shared;

    check_case("predefined");
    check_team(ISHMEM_TEAM_WORLD, range(0, 1, n_pes), "TEAM_WORLD");
    for (int pe = 0; pe < n_pes; pe++)
        if (ishmem_ptr(&me, pe))
            shared.push_back(pe);
    check_team(ISHMEM_TEAM_SHARED, shared, "TEAM_SHARED");
    check_team(ISHMEMX_TEAM_NODE, shared, "TEAM_NODE");
    check_equal(ishmem_team_my_pe(ISHMEM_TEAM_INVALID), -1, "TEAM_INVALID");
    check_equal(ishmem_team_n_pes(ISHMEM_TEAM_INVALID), -1, "TEAM_INVALID");
    check_equal(ishmem_team_translate_pe(ISHMEM_TEAM_INVALID, 0, ISHMEM_TEAM_WORLD), -1,
                "TEAM_INVALID");
    ishmem_team_destroy(ISHMEM_TEAM_INVALID);
}

static void test_strided()
{
    ishmem_team_t odd = 77;
    int size = n_pes / 2;

    check_case("strided");
    if (size == 0)
        return;
    check_equal(ishmem_team_split_strided(ISHMEM_TEAM_WORLD, 1, 2, size, nullptr, 0, &odd), 0,
                "split_strided");
    check_equal(odd != ISHMEM_TEAM_INVALID, me % 2, "split_strided");
    if (odd != ISHMEM_TEAM_INVALID)
        check_team(odd, range(1, 2, size), "split_strided");
    ishmem_team_destroy(odd);
    check_equal(ishmem_team_split_strided(ISHMEM_TEAM_WORLD, 0, 1, n_pes + 1, nullptr, 0, &odd) !=
                    0,
                true, "split_strided");
    check_equal(odd, ISHMEM_TEAM_INVALID, "split_strided");
}

static void test_2d()
{
    ishmem_team_t row, column;
    int xrange = n_pes > 2 ? 2 : 1, x = me % xrange, y = me / xrange;
    int width = (y + 1) * xrange <= n_pes ? xrange : n_pes - y * xrange;
    int height = n_pes / xrange + (x < n_pes % xrange);

    check_case("2d");
    check_equal(
        ishmem_team_split_2d(ISHMEM_TEAM_WORLD, xrange, nullptr, 0, &row, nullptr, 0, &column), 0,
        "split_2d");
    check_team(row, range(y * xrange, 1, width), "split_2d");
    check_team(column, range(x, xrange, height), "split_2d");
    ishmem_team_destroy(column);
    ishmem_team_destroy(row);
}

static void test_config()
{
    ishmem_team_config_t config = {3}, found = {-1};
    ishmem_team_t team;

    check_case("config");
    ishmem_team_split_strided(ISHMEM_TEAM_WORLD, 0, 1, n_pes, &config, ISHMEM_TEAM_NUM_CONTEXTS,
                              &team);
    check_equal(ishmem_team_get_config(team, 0, &found), 0, "get_config");
    check_equal(found.num_contexts, -1, "get_config");
    check_equal(ishmem_team_get_config(team, ISHMEM_TEAM_NUM_CONTEXTS, &found), 0, "get_config");
    check_equal(found.num_contexts, 3, "get_config");
    check(ishmem_team_get_config(ISHMEM_TEAM_INVALID, 0, &found) != 0, "get_config", "it is 0");
    ishmem_team_destroy(team);
    /* A mask without a configuration is ignored. */
    check_equal(ishmem_team_split_strided(ISHMEM_TEAM_WORLD, 0, 1, n_pes, nullptr,
                                          ISHMEM_TEAM_NUM_CONTEXTS, &team),
                0, "get_config");
    ishmem_team_destroy(team);
}

/* Numbers are not used again soon, so that a stale one is recognized. */
static void test_many()
{
    std::vector<ishmem_team_t> live;
    ishmem_team_t highest = ISHMEMX_TEAM_NODE, team;
    int doubles = 0;

    check_case("many");
    for (int i = 0; i < 60; i++) {
        ishmem_team_split_strided(ISHMEM_TEAM_WORLD, 0, 1, n_pes, nullptr, 0, &team);
        doubles += team <= highest;
        highest = team;
        if (i % 3 == 0)
            live.push_back(team);
        else
            ishmem_team_destroy(team);
    }
    check_equal(doubles, 0, "numbers-are-new");
    for (ishmem_team_t t : live) {
        check_team(t, range(0, 1, n_pes), "numbers-stay");
        ishmem_team_destroy(t);
    }
}

int main()
{
    start("ishmem/teams");
    test_predefined();
    test_strided();
    test_2d();
    test_config();
    test_many();
    return finish();
}
