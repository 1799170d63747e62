/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_team_split_2d: rows and columns for every width, and what may differ between them. */
#include "harness/check.h"
#include "harness/oracle.h"

static long mine, everyone;

/* Members are the world's PEs first + i * stride, i < size; `me` is the caller among them. */
static void test_axis(shmem_team_t team, int first, int stride, int size, int me, const char *name)
{
    long expected = 0;

    check_equal(shmem_team_n_pes(team), size, name);
    check_equal(shmem_team_my_pe(team), me, name);
    for (int i = 0; i < size; i++) {
        check_equal(shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD), first + i * stride, name);
        expected += 1 + first + i * stride;
    }
    mine = 1 + check_pe();
    check_equal(shmem_team_sync(team), 0, "usable-at-once");
    check_equal(shmem_long_sum_reduce(team, &everyone, &mine, 1), 0, "usable-at-once");
    check_equal(everyone, expected, "usable-at-once");
}

static void test_width(int xrange)
{
    int n = check_n_pes(), pe = check_pe(), width = xrange < n ? xrange : n, x, y, rest;
    shmem_team_t row = SHMEM_TEAM_WORLD, column = SHMEM_TEAM_WORLD;

    check_case("xrange %d", xrange);
    x = pe % width;
    y = pe / width;
    rest = n - y * width;
    check_equal(shmem_team_split_2d(SHMEM_TEAM_WORLD, xrange, NULL, 0, &row, NULL, 0, &column), 0,
                "split-2d");
    test_axis(row, y * width, 1, rest < width ? rest : width, x, "x-axis");
    test_axis(column, x, width, (n - x + width - 1) / width, y, "y-axis");
    shmem_team_destroy(row);
    shmem_team_destroy(column);
}

/* Rows and columns of a team that is itself a reversed one, and of a row. */
static void test_nested(void)
{
    int n = check_n_pes(), me = n - 1 - check_pe(), width = n < 3 ? n : 3, rest, x, y;
    shmem_team_t reversed, row, column, row_of_row, column_of_row;

    check_case("a grid of the reversed world");
    check_equal(
        shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n, NULL, 0, &reversed), 0,
        "split-2d");
    check_equal(shmem_team_split_2d(reversed, width, NULL, 0, &row, NULL, 0, &column), 0,
                "split-2d");
    x = me % width;
    y = me / width;
    rest = n - y * width;
    test_axis(row, n - 1 - y * width, -1, rest < width ? rest : width, x, "x-axis");
    test_axis(column, n - 1 - x, -width, (n - x + width - 1) / width, y, "y-axis");
    shmem_team_destroy(reversed);

    check_case("a grid of a row");
    check_equal(shmem_team_split_2d(row, 2, NULL, 0, &row_of_row, NULL, 0, &column_of_row), 0,
                "split-2d");
    check_equal(shmem_team_my_pe(row_of_row), x % 2, "x-axis");
    check_equal(shmem_team_my_pe(column_of_row), x / 2, "y-axis");
    check_equal(shmem_team_sync(row_of_row), 0, "usable-at-once");
    check_equal(shmem_team_sync(column_of_row), 0, "usable-at-once");
    shmem_team_destroy(row);
    shmem_team_destroy(column);
    shmem_team_destroy(row_of_row);
    shmem_team_destroy(column_of_row);
}

/* Only the members of one new team need to agree on its configuration. */
static void test_configs(void)
{
    int pe = check_pe();
    shmem_team_config_t x_config = {.num_contexts = 1 + pe / 2};
    shmem_team_config_t y_config = {.num_contexts = 3 + pe % 2};
    shmem_team_t row, column;

    check_case("configurations by row and column");
    check_equal(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, &x_config, SHMEM_TEAM_NUM_CONTEXTS, &row,
                                    &y_config, SHMEM_TEAM_NUM_CONTEXTS, &column),
                0, "row-configs-differ");
    check(row != SHMEM_TEAM_INVALID && column != SHMEM_TEAM_INVALID, "row-configs-differ",
          "an invalid handle");
    check_equal(shmem_team_sync(row), 0, "row-configs-differ");
    check_equal(shmem_team_sync(column), 0, "row-configs-differ");
    shmem_team_destroy(row);
    shmem_team_destroy(column);
}

static void test_invalid_parent(void)
{
    shmem_team_t row = SHMEM_TEAM_WORLD, column = SHMEM_TEAM_WORLD;
    int error = shmem_team_split_2d(SHMEM_TEAM_INVALID, 2, NULL, 0, &row, NULL, 0, &column);

    check_case("the invalid team");
    check(error != 0, "split-2d-of-invalid", "returned 0");
    check(row == SHMEM_TEAM_INVALID && column == SHMEM_TEAM_INVALID, "split-2d-of-invalid",
          "a valid handle");
}

int main(void)
{
    int n, step;

    check_init("team/grid");
    n = check_n_pes();
    step = 1 + n / 16;
    for (int xrange = 1; xrange <= n + 3; xrange += step)
        test_width(xrange);
    test_width(n);
    test_width(n + 1);
    test_width(INT32_MAX);
    test_nested();
    test_configs();
    /* One PE alone: nothing is communicated. */
    if (check_pe() == n - 1)
        test_invalid_parent();
    return check_finish();
}
