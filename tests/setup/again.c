/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Initializes again after the last finalize, several times, with all kinds of state in the library.
 */
#include "harness/check.h"
#include "harness/oracle.h"

#include <stdlib.h>

#define CYCLES 6

static long letter, kept = 1234, sum, sums;
static long lock, psync[SHMEM_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];

/* Heap, teams, contexts, collectives, atomics, locks: all anew. */
static void use_everything(int cycle)
{
    int n = shmem_n_pes(), me = shmem_my_pe(), next = (me + 1) % n, before = (me + n - 1) % n;
    long *block = shmem_malloc(1000 * sizeof(long)), *counter = shmem_calloc(1, sizeof(long));
    shmem_team_t team;
    shmem_ctx_t ctx;

    check(block && counter, "heap-again", "no memory");
    ORACLE_FILL(long, block, 1000, me, (unsigned)cycle);
    shmem_barrier_all();
    for (size_t i = 0; i < 1000; i += 37)
        check_equal(shmem_long_g(&block[i], next), ORACLE(long, next, i, (unsigned)cycle),
                    "heap-again");
    shmem_long_p(&letter, 1000 * cycle + me, next);
    shmem_long_atomic_inc(counter, 0);
    shmem_barrier_all();
    check_equal(letter, 1000 * cycle + before, "statics-again");
    check_equal(shmem_long_g(counter, 0), n, "atomics-again");

    check_equal(
        shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, n > 1 ? -1 : 0, n, NULL, 0, &team), 0,
        "teams-again");
    check_equal(shmem_team_create_ctx(team, 0, &ctx), 0, "contexts-again");
    sum = me;
    check_equal(shmem_long_sum_reduce(team, &sums, &sum, 1), 0, "teams-again");
    check_equal(sums, (long)n * (n - 1) / 2, "teams-again");
    shmem_ctx_long_p(ctx, &letter, -cycle, shmem_team_my_pe(team));
    shmem_ctx_quiet(ctx);
    check_equal(letter, -cycle, "contexts-again");

    /* Another number of calls in each cycle, on the world and on an active set. */
    for (int i = 0; i <= 3 * cycle; i++) {
        sum = 10 * cycle + i + me;
        shmem_sync_all();
        check_equal(shmem_long_broadcast(SHMEM_TEAM_WORLD, &sums, &sum, 1, i % n), 0,
                    "world-collectives-again");
        check_equal(sums, 10 * cycle + i + i % n, "world-collectives-again");
    }
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        psync[i] = SHMEM_SYNC_VALUE;
    sum = me + cycle;
    shmem_barrier_all();
    shmem_long_sum_to_all(&sums, &sum, 1, 0, 0, n, work, psync);
    check_equal(sums, (long)n * (n - 1) / 2 + (long)n * cycle, "active-sets-again");

    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
    /* In odd cycles the last finalize has to clean up. */
    if (cycle % 2 == 0) {
        shmem_ctx_destroy(ctx);
        shmem_team_destroy(team);
        shmem_free(counter);
        shmem_free(block);
    }
}

int main(void)
{
    char *private_block = malloc(100);

    for (int cycle = 0; cycle < CYCLES; cycle++) {
        int provided;

        if (cycle % 3 == 0)
            shmem_init();
        else
            check_equal(shmem_init_thread(cycle % 4, &provided), 0, "init-again");
        check_attach("setup/again");
        check_case("cycle %d", cycle);
        check_equal(kept, 1234 + cycle, "statics-keep-values");
        use_everything(cycle);
        if (cycle == CYCLES - 1)
            check_report();
        shmem_finalize();
        /* Between finalize and init the program's variables are its own, as in any program. */
        kept++;
        private_block[cycle] = 'x';
        check_equal(letter, -cycle, "statics-keep-values");
    }
    free(private_block);
    return check_status();
}
