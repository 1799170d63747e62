/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits of splits: numbers that count in the parent, deep chains, children that outlive parents.
 */
#include "harness/check.h"
#include "harness/oracle.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH 40

static long mine, everyone;

/* The sum over the members of the team of 1 + PE must be `expected`. */
static void use(shmem_team_t team, long expected, const char *name)
{
    mine = 1 + check_pe();
    check_equal(shmem_team_sync(team), 0, name);
    check_equal(shmem_long_sum_reduce(team, &everyone, &mine, 1), 0, name);
    check_equal(everyone, expected, name);
}

/* Each level reverses the one above; all are alive at once, and destroyed from the top. */
static void test_reversing_chain(void)
{
    shmem_team_t teams[DEPTH + 1];
    int n = check_n_pes(), me = check_pe();
    long expected = (long)n * (n + 1) / 2;

    teams[0] = SHMEM_TEAM_WORLD;
    for (int d = 1; d <= DEPTH; d++) {
        check_case("reversed %d times", d);
        check_equal(
            shmem_team_split_strided(teams[d - 1], n - 1, n > 1 ? -1 : 0, n, NULL, 0, &teams[d]), 0,
            "nested-split");
        check_equal(shmem_team_my_pe(teams[d]), d % 2 ? n - 1 - me : me, "start-counts-in-parent");
        check_equal(shmem_team_translate_pe(teams[d], 0, teams[d - 1]), n - 1, "translate-nested");
        use(teams[d], expected, "nested-collective");
    }
    for (int d = 1; d <= DEPTH; d++) {
        check_case("%d parents destroyed", d);
        shmem_team_destroy(teams[d]);
        if (d < DEPTH) {
            use(teams[DEPTH], expected, "child-outlives-parent");
            check_equal(shmem_team_my_pe(teams[DEPTH]), DEPTH % 2 ? n - 1 - me : me,
                        "child-outlives-parent");
        }
    }
}

/*
 * Every PE walks down its own side of the halves, to a team of one; then the teams are destroyed
 * from the largest, while a split of a team whose parents are gone must still work.
 */
static void test_halves(void)
{
    shmem_team_t teams[34], child;
    int first[34], size[34], depth = 0;

    teams[0] = SHMEM_TEAM_WORLD;
    first[0] = 0;
    size[0] = check_n_pes();
    while (size[depth] > 1) {
        int half = size[depth] / 2, rest = size[depth] - half;
        bool lower = check_pe() < first[depth] + half;
        shmem_team_t halves[2];

        check_case("half %d", depth);
        check_equal(shmem_team_split_strided(teams[depth], 0, 1, half, NULL, 0, &halves[0]), 0,
                    "nested-split");
        check_equal(shmem_team_split_strided(teams[depth], half, 1, rest, NULL, 0, &halves[1]), 0,
                    "nested-split");
        check(halves[lower ? 1 : 0] == SHMEM_TEAM_INVALID, "non-member-invalid",
              "a handle of the other half");
        teams[depth + 1] = halves[lower ? 0 : 1];
        first[depth + 1] = lower ? first[depth] : first[depth] + half;
        size[depth + 1] = lower ? half : rest;
        depth++;
        check_equal(shmem_team_n_pes(teams[depth]), size[depth], "nested-split");
        check_equal(shmem_team_translate_pe(teams[depth], 0, SHMEM_TEAM_WORLD), first[depth],
                    "start-counts-in-parent");
    }
    for (int d = 1; d <= depth; d++) {
        long expected = 0;

        for (int i = 0; i < size[d]; i++)
            expected += 1 + first[d] + i;
        use(teams[d], expected, "child-outlives-parent");
        check_equal(shmem_team_split_strided(teams[d], 0, 1, size[d], NULL, 0, &child), 0,
                    "child-outlives-parent");
        shmem_team_destroy(teams[d]);
        use(child, expected, "child-outlives-parent");
        shmem_team_destroy(child);
    }
}

/* Any team can be split again: random chains against plain lists. */
static void test_random_chains(void)
{
    int n = check_n_pes(), *members = malloc((size_t)n * sizeof(int));
    int *next = malloc((size_t)n * sizeof(int));

    for (unsigned chain = 0; chain < 80; chain++) {
        shmem_team_t team = SHMEM_TEAM_WORLD, child;
        int size = n;

        for (int i = 0; i < n; i++)
            members[i] = i;
        for (unsigned step = 0; size > 0 && step < 6; step++) {
            /* Every member of the team draws the same triplet; chains differ by their members. */
            uint64_t bits = oracle_bits(members[0], step, chain);
            int start = (int)(bits % (unsigned)size), stride, count, limit, me = -1;

            stride = (int)(bits >> 20 & 3) + 1;
            if (bits >> 30 & 1)
                stride = -stride;
            limit = stride > 0 ? (size - 1 - start) / stride + 1 : start / -stride + 1;
            count = 1 + (int)((bits >> 40) % (unsigned)limit);
            for (int i = 0; i < count; i++) {
                next[i] = members[start + i * stride];
                if (next[i] == check_pe())
                    me = i;
            }
            check_case("chain %u, step %u: start %d, stride %d, size %d of %d", chain, step, start,
                       stride, count, size);
            check_equal(shmem_team_split_strided(team, start, stride, count, NULL, 0, &child), 0,
                        "nested-split");
            check_equal(shmem_team_my_pe(child), me, "start-counts-in-parent");
            if (team != SHMEM_TEAM_WORLD)
                shmem_team_destroy(team);
            team = child;
            size = me < 0 ? 0 : count;
            memcpy(members, next, (size_t)count * sizeof(int));
            for (int i = 0; i < size; i++)
                check_equal(shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD), members[i],
                            "translate-nested");
        }
        if (team != SHMEM_TEAM_INVALID && team != SHMEM_TEAM_WORLD)
            shmem_team_destroy(team);
    }
    free(next);
    free(members);
}

int main(void)
{
    check_init("team/nested");
    test_reversing_chain();
    test_halves();
    test_random_chains();
    return check_finish();
}
