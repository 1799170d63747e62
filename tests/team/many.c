/* SPDX-License-Identifier: BSD-3-Clause */
/* Hundreds of teams alive at once, destroyed in any order, and thousands over time. */
#include "harness/check.h"
#include "harness/oracle.h"

#define ALIVE 300
#define ROUNDS 4000

static long mine, everyone;

struct member {
    shmem_team_t team;
    int start, stride, size;
};

static void draw(struct member *m, unsigned k)
{
    int n = check_n_pes();
    uint64_t bits = oracle_bits(0, k, 7);

    m->stride = 1 + (int)(bits & 1);
    m->start = (int)((bits >> 8) % (unsigned)n);
    m->size = 1 + (n - 1 - m->start) / m->stride;
    check_equal(
        shmem_team_split_strided(SHMEM_TEAM_WORLD, m->start, m->stride, m->size, NULL, 0, &m->team),
        0, "split-returns-0");
}

static void use(const struct member *m)
{
    long expected = 0;

    if (m->team == SHMEM_TEAM_INVALID)
        return;
    for (int i = 0; i < m->size; i++)
        expected += m->start + i * m->stride;
    mine = check_pe();
    shmem_team_sync(m->team);
    shmem_long_sum_reduce(m->team, &everyone, &mine, 1);
    check_equal(everyone, expected, "many-alive");
}

static void test_many_alive(void)
{
    static struct member members[ALIVE];
    unsigned distinct = 0;

    for (unsigned k = 0; k < ALIVE; k++) {
        check_case("team %u", k);
        draw(&members[k], k);
    }
    for (unsigned k = 0; k < ALIVE; k++)
        for (unsigned j = 0; j < k; j++)
            distinct += members[k].team != members[j].team || members[k].team == SHMEM_TEAM_INVALID;
    check_equal(distinct, ALIVE * (ALIVE - 1) / 2u, "handles-differ");
    /* 7 is prime to 300: each team once, far from the order of creation. */
    for (unsigned k = 0; k < ALIVE; k++) {
        check_case("using team %u", k * 7 % ALIVE);
        use(&members[k * 7 % ALIVE]);
    }
    for (unsigned k = 0; k < ALIVE; k++) {
        check_case("destroying team %u", k * 11 % ALIVE);
        if (k % 10 == 0)
            use(&members[k * 11 % ALIVE]);
        shmem_team_destroy(members[k * 11 % ALIVE].team);
    }
}

/* What a team takes must come back when it is destroyed. */
static void test_many_in_turn(void)
{
    for (unsigned k = 0; k < ROUNDS; k++) {
        struct member m;

        check_case("round %u", k);
        draw(&m, k);
        if (k % 8 == 0)
            use(&m);
        shmem_team_destroy(m.team);
    }
    /* As many more, a row and a column for each PE at a time. */
    for (unsigned k = 0; k < ROUNDS; k++) {
        shmem_team_t row, column;

        check_case("grid %u", k);
        check_equal(
            shmem_team_split_2d(SHMEM_TEAM_WORLD, check_n_pes(), NULL, 0, &row, NULL, 0, &column),
            0, "split-returns-0");
        shmem_team_destroy(row);
        shmem_team_destroy(column);
    }
}

int main(void)
{
    check_init("team/many");
    test_many_alive();
    test_many_in_turn();
    return check_finish();
}
