/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * After quiet the buffers of nonblocking operations may be reused, however many operations were in
 * progress.
 */
#include "harness/board.h"

enum { ROUNDS = 30, MOST = 3000, AMOS = 700 };

static long target[MOST], source[MOST], dest[MOST], fetched[AMOS], counter;

static size_t round_size(int round)
{
    static const size_t sizes[] = {1, 3, 17, 100, MOST};

    return sizes[round % 5];
}

/* The same source and dest in all rounds; each time something else goes through them. */
static void check_round(int round, int next)
{
    size_t n = round_size(round);
    int me = check_pe();

    check_case("round %d, %zu words", round, n);
    ORACLE_FILL(long, source, n, me, SALT_SENT + (unsigned)round);
    shmem_long_put_nbi(target, source, n, next);
    shmem_quiet();
    memset(source, 0, sizeof source);
    shmem_long_get_nbi(dest, target, n, next);
    shmem_quiet();
    ORACLE_FILL(long, source, n, me, SALT_SENT + (unsigned)round);
    check_array(dest, source, n, "nbi-buffers-serve-again");
    memset(dest, 0, sizeof dest);
}

/* One element at a time, as many as there are. */
static void check_many(int next)
{
    int me = check_pe();

    check_case("%d words, each by an operation of its own", MOST);
    ORACLE_FILL(long, source, MOST, me, SALT_OTHER);
    for (size_t i = 0; i < MOST; i++)
        shmem_long_put_nbi(&target[i], &source[i], 1, next);
    shmem_quiet();
    for (size_t i = 0; i < MOST; i++)
        shmem_long_get_nbi(&dest[i], &target[i], 1, next);
    shmem_quiet();
    check_array(dest, source, MOST, "many-nbi-at-once");
}

static void check_amos(int next)
{
    check_case("%d atomics on their way", AMOS);
    for (int round = 0; round < 3; round++) {
        memset(fetched, 0xff, sizeof fetched);
        for (int i = 0; i < AMOS; i++)
            shmem_long_atomic_fetch_inc_nbi(&fetched[i], &counter, next);
        shmem_quiet();
        for (int i = 0; i < AMOS; i++)
            check_equal(fetched[i], (long)round * AMOS + i, "nbi-fetches-in-turn");
    }
    shmem_barrier_all();
    check_equal(counter, 3L * AMOS, "nbi-fetches-in-turn");
}

int main(void)
{
    int next;

    check_init("remote/reuse");
    next = (check_pe() + 1) % check_n_pes();
    for (int round = 0; round < ROUNDS; round++)
        check_round(round, next);
    check_many(next);
    check_amos(next);
    return check_finish();
}
