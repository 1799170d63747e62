/* SPDX-License-Identifier: BSD-3-Clause */
/* A waiting thread delays neither the other threads of its PE nor other PEs. */
#include "harness/oracle.h"
#include "threads/crew.h"

#define ROUNDS 40

static long from_thread[CREW], from_remote[CREW], board[CREW], data[CREW];
static uint64_t signals[CREW];

/* Threads 1 to 3 wait, each for a word of its own that thread 0 of the same PE sets. */
static void wait_for_own_thread(int thread)
{
    for (long round = 1; round <= ROUNDS; round++)
        if (thread == 0) {
            for (int t = 1; t < CREW; t++)
                shmem_long_atomic_set(&from_thread[t], round, check_pe());
            for (int t = 1; t < CREW; t++)
                shmem_long_wait_until(&board[t], SHMEM_CMP_GE, round);
        } else {
            shmem_long_wait_until(&from_thread[thread], SHMEM_CMP_EQ, round);
            shmem_long_atomic_inc(&board[thread], check_pe());
        }
}

/* All threads wait for their namesakes on the PE before, around the circle, a token each. */
static void pass_tokens(int thread)
{
    int n = check_n_pes(), me = check_pe(), next = (me + 1) % n;

    for (long round = 1; round <= ROUNDS; round++) {
        if (me == thread % n)
            shmem_long_atomic_set(&from_remote[thread], round, next);
        shmem_long_wait_until(&from_remote[thread], SHMEM_CMP_GE, round);
        if (me != thread % n)
            shmem_long_atomic_set(&from_remote[thread], round, next);
    }
}

/* While threads wait, the main thread goes through barriers, which must not wait for them. */
static void wait_during_barriers(int thread)
{
    int n = check_n_pes(), next = (check_pe() + 1) % n;

    if (thread > 0) {
        if (thread == 1)
            shmem_long_wait_until(&data[thread], SHMEM_CMP_EQ, 7);
        else if (thread == 2)
            check_equal(shmem_signal_wait_until(&signals[thread], SHMEM_CMP_EQ, 8), 8u,
                        "wait-does-not-block-pe");
        else
            while (!shmem_long_test(&data[thread], SHMEM_CMP_EQ, 9))
                continue;
        return;
    }
    for (int i = 0; i < ROUNDS; i++)
        shmem_barrier_all();
    shmem_long_atomic_set(&data[1], 7, next);
    shmem_uint64_atomic_set(&signals[2], 8, next);
    shmem_long_atomic_set(&data[3], 9, next);
    shmem_barrier_all();
}

/* Remote PEs complete operations on this PE although all its threads but one wait. */
static void serve_while_waiting(int thread)
{
    int n = check_n_pes(), next = (check_pe() + 1) % n;

    if (thread > 0) {
        shmem_long_wait_until(&data[thread], SHMEM_CMP_EQ, 1000);
        return;
    }
    for (long i = 1; i <= 500; i++)
        check_equal(shmem_long_atomic_fetch_inc(&data[0], next), i - 1,
                    "wait-does-not-block-others");
    shmem_barrier_all();
    for (int t = 1; t < CREW; t++)
        shmem_long_atomic_set(&data[t], 1000, next);
}

int main(void)
{
    crew_init("threads/wait");
    check_case("threads of the same PE");
    crew_run(wait_for_own_thread);
    for (int t = 1; t < CREW; t++)
        check_equal(board[t], ROUNDS, "own-thread-satisfies-wait");
    shmem_barrier_all();
    check_case("tokens around the PEs");
    crew_run(pass_tokens);
    for (int t = 0; t < CREW; t++)
        check_equal(from_remote[t], ROUNDS, "remote-satisfies-waits");
    shmem_barrier_all();
    check_case("barriers beside waits");
    crew_run(wait_during_barriers);
    for (int t = 0; t < CREW; t++)
        data[t] = 0;
    shmem_barrier_all();
    check_case("atomics beside waits");
    crew_run(serve_while_waiting);
    check_equal(data[0], 500, "wait-does-not-block-others");
    shmem_barrier_all();
    return check_finish();
}
