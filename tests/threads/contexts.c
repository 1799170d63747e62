/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several threads create, use and destroy contexts at once; which operations of other threads quiet
 * completes.
 */
#include "harness/oracle.h"
#include "threads/crew.h"

#define ROUNDS 100
#define NELEMS 2000

static long cells[CREW], letters[CREW][NELEMS], source[CREW][NELEMS], done;
static shmem_ctx_t shared_ctx;
static shmem_team_t team;

/* Creation is not collective: threads of one PE make as many as they like, when they like. */
static void create_and_destroy(int thread)
{
    static const long options[] = {0, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE, SHMEM_CTX_NOSTORE};
    int n = check_n_pes(), me = shmem_team_my_pe(team), next = (me + 1) % n;

    for (int round = 0; round < ROUNDS; round++) {
        shmem_ctx_t ctxs[3];

        for (int i = 0; i < 3; i++) {
            int error = i == 2 ? shmem_team_create_ctx(team, options[round % 4], &ctxs[i])
                               : shmem_ctx_create(options[(round + i) % 4], &ctxs[i]);

            check(error == 0 && ctxs[i] != SHMEM_CTX_INVALID, "concurrent-create", "round %d: %d",
                  round, error);
        }
        check(ctxs[0] != ctxs[1] && ctxs[1] != ctxs[2] && ctxs[0] != ctxs[2], "concurrent-create",
              "a handle twice");
        shmem_ctx_long_atomic_inc(ctxs[0], &cells[thread], check_pe());
        shmem_ctx_long_atomic_inc(ctxs[2], &cells[thread], next);
        /* Destroying completes what is pending. */
        for (int i = 0; i < 3; i++)
            shmem_ctx_destroy(ctxs[(i + round) % 3]);
    }
}

/* Thread 0 quiets for all: what the others have issued before on the shared context is done. */
static void quiet_for_others(int thread)
{
    int n = check_n_pes(), next = (check_pe() + 1) % n, before = (check_pe() + n - 1) % n;

    for (unsigned round = 1; round <= 20; round++) {
        ORACLE_FILL(long, source[thread], NELEMS, check_pe(), round);
        shmem_ctx_long_put_nbi(shared_ctx, letters[thread], source[thread], NELEMS, next);
        crew_meet();
        if (thread == 0) {
            shmem_ctx_quiet(shared_ctx);
            shmem_long_atomic_inc(&done, next);
            shmem_long_wait_until(&done, SHMEM_CMP_EQ, (long)round);
            for (int t = 0; t < CREW; t++)
                for (size_t i = 0; i < NELEMS; i += 111)
                    check_equal(letters[t][i], ORACLE(long, before, i, round),
                                "quiet-covers-other-threads");
            shmem_barrier_all();
        }
        crew_meet();
    }
}

int main(void)
{
    int n;

    crew_init("threads/contexts");
    n = check_n_pes();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n, NULL, 0, &team);
    check_equal(shmem_ctx_create(0, &shared_ctx), 0, "ctx-create");
    check_case("create and destroy");
    crew_run(create_and_destroy);
    shmem_barrier_all();
    for (int t = 0; t < CREW; t++)
        check_equal(cells[t], 2L * ROUNDS, "concurrent-create");
    check_case("quiet for others");
    crew_run(quiet_for_others);
    shmem_ctx_destroy(shared_ctx);
    shmem_team_destroy(team);
    return check_finish();
}
