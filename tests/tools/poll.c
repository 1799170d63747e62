/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * poll CASE: PEs search for each other's puts by calls that complete nothing. The library is
 * initialized by start_pes, so the tool has no thread to deliver operations.
 */
#include <shmem.h>

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 200 };

static int me, n, next;
static long flags[ROUNDS], count, fetched; /* a flag is put once: puts overtake each other */
static shmem_ctx_t ctx;

static void by_fetch(long round)
{
    shmem_long_p(&flags[round], 1, next);
    while (shmem_long_atomic_fetch(&flags[round], me) == 0)
        continue;
}

static void by_test(long round)
{
    shmem_long_p(&flags[round], 1, next);
    while (!shmem_long_test(&flags[round], SHMEM_CMP_EQ, 1))
        continue;
}

static void by_get(long round)
{
    shmem_long_p(&flags[round], 1, next);
    while (shmem_long_g(&flags[round], me) == 0)
        continue;
}

/* What is put on a context is not completed by what is begun on the default one. */
static void by_begun(long round)
{
    shmem_ctx_long_p(ctx, &flags[round], 1, next);
    while (*(volatile long *)&flags[round] == 0) {
        shmem_long_atomic_fetch_inc_nbi(&fetched, &count, me);
        shmem_quiet();
    }
}

static void by_fence(long round)
{
    shmem_long_p(&flags[round], 1, next);
    while (*(volatile long *)&flags[round] == 0)
        shmem_fence();
}

/* The one waits at the barrier, which does not complete what the other one waits for. */
static void at_barrier(long round)
{
    shmem_ctx_long_p(ctx, &flags[round], 1, next);
    if (me % 2)
        shmem_long_wait_until(&flags[round], SHMEM_CMP_EQ, 1);
    shmem_barrier_all();
}

static const struct {
    const char *name;
    void (*run)(long round);
} cases[] = {
    {"by_fetch", by_fetch}, {"by_test", by_test},   {"by_get", by_get},
    {"by_begun", by_begun}, {"by_fence", by_fence}, {"at_barrier", at_barrier},
};

int main(int argc, char **argv)
{
    long rounds = 0;

    start_pes(0);
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    if (argc < 2 || shmem_ctx_create(0, &ctx) != 0)
        return 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        while (strcmp(argv[1], cases[i].name) == 0 && rounds < ROUNDS)
            cases[i].run(rounds++);
    shmem_ctx_destroy(ctx);
    if (rounds < ROUNDS)
        fprintf(stderr, "there is no case %s\n", argv[1]);
    return rounds < ROUNDS;
}
