/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program in which calls fail: a little of everything, in phases that the injecting library
 * notes. Each PE checks what it computes, and prints a line at the end. A call that may fail, such
 * as shmem_malloc, ends the program with a line of its own if it does.
 */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 2000 /* longs: in one message, and in several pieces */

void failures_phase(const char *phase) __attribute__((weak));

static long cells[8], flag, lock, total, gathered[N * 8];
static uint64_t signal_word;
static int me, n_pes;
static const char *lacking = "";

static void phase(const char *name)
{
    if (failures_phase)
        failures_phase(name);
}

static void demand(int ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "subject: PE %d: %s\n", me, what);
    fflush(stderr);
    shmem_global_exit(9);
}

static void transfers(void)
{
    int next = (me + 1) % n_pes, previous = (me + n_pes - 1) % n_pes;
    long *block = shmem_malloc(N * sizeof *block), *got = malloc(N * sizeof *got);

    demand(got != NULL,
           "no memory for the results (ulimit -v)"); /* fails where a tool replaces malloc */
    demand(block != NULL, "shmem_malloc has failed");
    for (int i = 0; i < N; i++)
        got[i] = 100 * me + i;
    shmem_barrier_all();
    shmem_long_put(block, got, N, next);
    shmem_long_p(&cells[0], me, next);
    shmem_long_iput(&cells[1], got, 2, 1, 2, next);
    shmem_long_atomic_add(&total, me + 1, 0);
    shmem_fence();
    shmem_long_p(&flag, 1, next);
    shmem_quiet();
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    demand(block[N - 1] == 100 * previous + N - 1 && cells[0] == previous &&
               cells[1] == 100 * previous && cells[3] == 100 * previous + 1,
           "a put has stored something else");

    shmem_barrier_all();
    memset(got, 0, N * sizeof *got);
    shmem_long_get_nbi(got, block, N, next);
    shmem_quiet();
    demand(got[5] == 100 * me + 5, "a get has fetched something else");
    demand(shmem_long_atomic_fetch(&total, 0) == (long)n_pes * (n_pes + 1) / 2, "a sum is wrong");
    demand(shmem_long_g(&cells[0], next) == me, "shmem_long_g has returned something else");
    shmem_long_put_signal(block, got, N, &signal_word, 7, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 7);
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
    shmem_barrier_all();
    shmem_free(block);
    free(got);
}

static void collectives(void)
{
    static long mine[N], all[N];

    for (int i = 0; i < N; i++)
        mine[i] = me + i;
    demand(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, all, mine, N) == 0, "sum_reduce");
    demand(all[N - 1] == (long)n_pes * (n_pes - 1) / 2 + (long)n_pes * (N - 1), "a sum is wrong");
    demand(shmem_long_broadcast(SHMEM_TEAM_WORLD, all, mine, N, 0) == 0 && all[1] == 1,
           "broadcast");
    demand(shmem_long_fcollect(SHMEM_TEAM_WORLD, gathered, mine, N) == 0 &&
               gathered[(n_pes - 1) * N] == n_pes - 1,
           "fcollect");
    demand(shmem_long_collect(SHMEM_TEAM_WORLD, gathered, mine, (size_t)me + 1) == 0 &&
               gathered[1] == 1,
           "collect");
    demand(shmem_long_alltoall(SHMEM_TEAM_WORLD, gathered, mine, 1) == 0 && gathered[1] == me + 1,
           "alltoall");
    shmem_sync_all();
}

/* Both may fail without an end of the job: the program then does without. */
static void teams_and_contexts(void)
{
    shmem_team_t even = SHMEM_TEAM_INVALID;
    shmem_ctx_t ctx;
    static long word, sum, one = 1;

    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) != 0) {
        ctx = SHMEM_CTX_DEFAULT;
        lacking = ", without a context";
    }
    shmem_ctx_long_p(ctx, &word, me + 1, (me + 1) % n_pes);
    shmem_ctx_quiet(ctx);
    if (ctx != SHMEM_CTX_DEFAULT)
        shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    demand(word == (me + n_pes - 1) % n_pes + 1, "a context's put has stored something else");

    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n_pes + 1) / 2, NULL, 0, &even) != 0)
        lacking = ", without a team";
    if (even != SHMEM_TEAM_INVALID) {
        demand(shmem_long_sum_reduce(even, &sum, &one, 1) == 0 && sum == (n_pes + 1) / 2, "team");
        shmem_team_destroy(even);
    }
    shmem_barrier_all();
}

int main(void)
{
    phase("init");
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    phase("transfer");
    transfers();
    phase("collective");
    collectives();
    phase("team");
    teams_and_contexts();
    phase("finalize");
    shmem_finalize();
    phase("exit");
    printf("PE %d is right%s\n", me, lacking);
    return 0;
}
