/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams are created and destroyed: their memory is reused by the next team, without extra
 * synchronization.
 */
#include "tsan/pes.h"

/*
 * A member leaves a team as soon as it has nothing more to do there. The last one gives the team's
 * memory back, and the next split, of other PEs perhaps, hands it out again: between the two lie
 * the leavers' counting and the pool's lock.
 */
enum { ROUNDS = 2000 };

struct box {
    long flag, data, sum, one;
};

/* A put and its flag by way of a context of the team, around the ring of its members. */
static void use_context(shmem_team_t team, struct box *box, long round)
{
    int me = shmem_team_my_pe(team), n = shmem_team_n_pes(team);
    shmem_ctx_t ctx;

    expect(shmem_team_create_ctx(team, 0, &ctx) == 0, "ctx", "no context in round %ld", round);
    shmem_ctx_long_p(ctx, &box->data, round + me, (me + 1) % n);
    shmem_ctx_fence(ctx);
    shmem_ctx_long_p(ctx, &box->flag, round, (me + 1) % n);
    shmem_long_wait_until(&box->flag, SHMEM_CMP_EQ, round);
    expect(box->data == round + (me + n - 1) % n, "ctx-put", "data is %ld in round %ld", box->data,
           round);
    if (round % 2)
        shmem_ctx_destroy(ctx); /* else with the team */
    shmem_team_sync(team);
}

static void use(shmem_team_t team, struct box *box, long round, uint32_t *seed)
{
    if (team == SHMEM_TEAM_INVALID)
        return;
    use_context(team, box, round);
    box->one = 1;
    shmem_long_sum_reduce(team, &box->sum, &box->one, 1);
    expect(box->sum == shmem_team_n_pes(team), "sum", "%ld in round %ld", box->sum, round);
    pes_dawdle(seed, round % 4 ? 1 : 4000);
    shmem_team_destroy(team);
}

static void body(void)
{
    int me = shmem_my_pe(), n = shmem_n_pes();
    struct box *boxes = shmem_calloc(4, sizeof *boxes);
    uint32_t seed = (uint32_t)me;

    for (long round = 1; round <= pes_rounds(ROUNDS); round++) {
        shmem_team_t half, part = SHMEM_TEAM_INVALID, row, column, none;
        int start = (int)(round % n);

        shmem_team_split_strided(SHMEM_TEAM_WORLD, start, 1, n - start, NULL, 0, &half);
        if (half != SHMEM_TEAM_INVALID)
            shmem_team_split_strided(half, n - start - 1, -1, n - start, NULL, 0, &part);
        use(part, &boxes[0], round, &seed);
        use(half, &boxes[1], round, &seed);
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 1 + (int)(round % 3), NULL, 0, &row, NULL, 0,
                            &column);
        use(row, &boxes[2], round, &seed);
        use(column, &boxes[3], round, &seed);
        expect(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n + 1, NULL, 0, &none) != 0,
               "refused", "a team of more PEs than there are");
    }
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "tsan/team", body);
}
