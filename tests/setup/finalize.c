/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last finalize waits for all PEs and completes pending operations; the program continues after
 * it.
 */
#include "harness/check.h"
#include "harness/oracle.h"

#include <stdlib.h>
#include <time.h>

#define N_LETTERS 5000

static long letters[N_LETTERS], by_context, last_word, counted;

static void spin_ms(long ms)
{
    struct timespec start, now;

    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < ms * 1000000);
}

int main(void)
{
    long *mine = malloc(N_LETTERS * sizeof(long));
    int n, me, next, before, initialized = -1;
    shmem_team_t team;
    shmem_ctx_t ctx;

    check_init("setup/finalize");
    n = check_n_pes();
    me = check_pe();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    ORACLE_FILL(long, mine, N_LETTERS, me, 1);
    check_case("before finalize");
    check_equal(shmem_ctx_create(0, &ctx), 0, "ctx-create");
    check_equal(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team), 0,
                "split-returns-0");
    check_report();

    /* Nothing here is completed but by finalize, which waits for a PE that is late. */
    if (me == n - 1)
        spin_ms(20);
    shmem_long_put_nbi(letters, mine, N_LETTERS, next);
    shmem_ctx_long_put_nbi(ctx, &by_context, &mine[7], 1, next);
    shmem_long_atomic_inc(&counted, 0);
    shmem_long_p(&last_word, 70 + me, next);
    shmem_finalize();

    check_case("after finalize");
    check_equal(last_word, 70 + before, "finalize-waits-and-completes");
    check_equal(by_context, ORACLE(long, before, 7, 1), "finalize-completes-contexts");
    for (size_t i = 0; i < N_LETTERS; i++)
        if (letters[i] != ORACLE(long, before, i, 1)) {
            check_equal(letters[i], ORACLE(long, before, i, 1), "finalize-completes-nbi");
            break;
        }
    if (me == 0)
        check_equal(counted, n, "finalize-waits-and-completes");

    /* Plain C goes on: memory, standard output, the variables, time. */
    free(mine);
    mine = calloc(1000, sizeof(long));
    check(mine && mine[999] == 0, "goes-on-after-finalize", "no memory");
    free(mine);
    shmem_query_initialized(&initialized);
    check_equal(initialized, 0, "not-initialized-after-last");
    spin_ms(1);
    last_word = 1;
    check_equal(last_word, 1, "goes-on-after-finalize");
    return check_status();
}
