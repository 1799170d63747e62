/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end and the next start of OpenSHMEM: a PE that is ahead does not see state of one that is
 * behind.
 */
#include "base/atomics.h"
#include "tsan/pes.h"

/*
 * The barrier of finalize is the last that PEs have together; one may initialize again while
 * another has not yet left it. From then on the heap is zero, and the teams' rounds go on.
 */
enum { ROUNDS = 400, WORDS = 2000 };

static void body(void)
{
    int me = shmem_my_pe(), n = shmem_n_pes();
    uint32_t seed = (uint32_t)me;

    for (int round = 0; round < pes_rounds(ROUNDS); round++) {
        long *words = shmem_calloc(WORDS, sizeof *words), sum = 0;
        shmem_team_t team;

        for (int i = 0; i < WORDS; i++)
            sum |= words[i];
        expect(sum == 0, "zero", "round %d: the new heap is not zero", round);
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team);
        words[0] = me + round;
        shmem_long_sum_reduce(team, &words[1], &words[0], 1);
        expect(words[1] == (long)n * (n - 1) / 2 + (long)n * round, "sum", "round %d: %ld", round,
               words[1]);
        for (int i = 2; i < WORDS; i++)
            shmem_long_p(&words[i], round + 1, (me + 1) % n);
        pes_dawdle(&seed, round % 4 ? 1 : 20000);
        shmem_finalize();
        pes_dawdle(&seed, round % 4 ? 1 : 20000);
        shmem_init();
    }
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/restart", body);
}
