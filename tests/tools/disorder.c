/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * disorder CASE [right]: a program that lacks a fence or a quiet, or the same with it. Status 1 if
 * it has read data before its arrival.
 */
#include <shmem.h>

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 200, WORDS = 64 };

static int right, me, n, next;
static long data[WORDS], flag, words[ROUNDS][2];
static uint64_t arrived;

/* Data, then a flag for who waits for it. */
static int flag_after_data(int round)
{
    shmem_long_p(&data[0], round, next);
    if (right)
        shmem_fence();
    shmem_long_atomic_set(&flag, round, next);
    shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
    return data[0] != round;
}

/* A large put, and the signal of another one behind it. */
static int put_before_signal(int round)
{
    long block[WORDS];

    for (int i = 0; i < WORDS; i++)
        block[i] = round;
    shmem_long_put(data, block, WORDS - 1, next);
    if (right)
        shmem_fence();
    shmem_long_put_signal(&data[WORDS - 1], &block[WORDS - 1], 1, &arrived, (uint64_t)round,
                          SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(&arrived, SHMEM_CMP_GE, (uint64_t)round);
    for (int i = 0; i < WORDS; i++)
        if (data[i] != round)
            return 1;
    return 0;
}

/* The source of a nonblocking put is used again. */
static int source_used_again(int round)
{
    static long source;

    source = round;
    shmem_long_put_nbi(&data[0], &source, 1, next);
    if (right)
        shmem_quiet();
    source = -1;
    shmem_barrier_all();
    return data[0] != round;
}

/* What a nonblocking get fetches is looked at. */
static int fetched_too_early(int round)
{
    long seen = -1;

    data[0] = round + me;
    shmem_barrier_all();
    shmem_long_get_nbi(&seen, &data[0], 1, next);
    if (right)
        shmem_quiet();
    return seen != round + next;
}

/* One PE's word is read back by the PE that has put it. */
static int read_back(int round)
{
    shmem_long_p(&data[me], round, next);
    if (right)
        shmem_quiet();
    return shmem_long_g(&data[me], next) != round;
}

/* A fence orders operations to one PE; this has to be complete before another PE is told. */
static int fence_for_quiet(int round)
{
    int third = (me + 2) % n;
    long seen;

    shmem_long_p(&words[round][0], round, next);
    if (right)
        shmem_quiet();
    else
        shmem_fence();
    shmem_long_atomic_set(&words[round][1], round, third);
    shmem_long_wait_until(&words[round][1], SHMEM_CMP_EQ, round);
    /* Who has told me is two before me, and has put to the one before me. */
    seen = shmem_long_g(&words[round][0], (me + n - 1) % n);
    return seen != round;
}

/* A sync is no barrier. */
static int sync_for_barrier(int round)
{
    shmem_long_p(&data[0], round, next);
    if (right)
        shmem_barrier_all();
    else
        shmem_sync_all();
    return data[0] != round;
}

static const struct {
    const char *name;
    int (*run)(int round);
} cases[] = {
    {"flag_after_data", flag_after_data},
    {"put_before_signal", put_before_signal},
    {"source_used_again", source_used_again},
    {"fetched_too_early", fetched_too_early},
    {"read_back", read_back},
    {"fence_for_quiet", fence_for_quiet},
    {"sync_for_barrier", sync_for_barrier},
};

int main(int argc, char **argv)
{
    int wrong = 0;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    right = argc > 2 && strcmp(argv[2], "right") == 0;
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        for (int round = 1; strcmp(argv[1], cases[i].name) == 0 && round < ROUNDS; round++) {
            wrong += cases[i].run(round);
            shmem_barrier_all();
        }
    if (wrong)
        printf("PE %d: %d rounds went wrong\n", me, wrong);
    shmem_finalize();
    return wrong > 0;
}
