/* SPDX-License-Identifier: BSD-3-Clause */
/* The barriers inside allocation routines: which PEs they wait for and what they complete. */
#include "harness/check.h"
#include "harness/oracle.h"

#include <sched.h>

#define NELEMS 3000
#define ROUNDS 10

static long arrived, source[NELEMS];

/*
 * What others have put into a block lands before the block is used again: the next owner of the
 * memory writes at once, and must find its own values at the end.
 */
static void test_free_waits_for_puts(void)
{
    int n = check_n_pes(), next = (check_pe() + 1) % n;

    ORACLE_FILL(long, source, NELEMS, check_pe(), 1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        long *block = shmem_malloc(NELEMS * sizeof(long)), *again;
        size_t same = 0;

        check_case("round %u", round);
        shmem_long_put_nbi(block, source, NELEMS, next);
        if (round % 3 == 2)
            check(shmem_realloc(block, 0) == NULL, "realloc-0-is-free", "not NULL");
        else
            shmem_free(block);
        again = shmem_malloc(NELEMS * sizeof(long));
        ORACLE_FILL(long, again, NELEMS, check_pe(), 2 + round);
        shmem_barrier_all();
        while (same < NELEMS && again[same] == ORACLE(long, check_pe(), same, 2 + round))
            same++;
        check_equal(same, (size_t)NELEMS, "free-waits-for-puts");
        shmem_free(again);
    }
}

/* So they do before a block is moved: what a PE that is late has put goes along. */
static void test_realloc_waits_for_puts(void)
{
    int n = check_n_pes(), next = (check_pe() + 1) % n, before = (check_pe() + n - 1) % n;

    for (unsigned round = 0; round < ROUNDS; round++) {
        long *block = shmem_malloc(NELEMS * sizeof(long)), *in_the_way = shmem_malloc(64);
        size_t same = 0;

        check_case("realloc, round %u", round);
        ORACLE_FILL(long, source, NELEMS, check_pe(), 100 + round);
        for (int i = 0; (int)round % n == check_pe() && i < 20; i++)
            sched_yield();
        shmem_long_put_nbi(block, source, NELEMS, next);
        block = shmem_realloc(block, 4 * NELEMS * sizeof(long));
        while (same < NELEMS && block[same] == ORACLE(long, before, same, 100 + round))
            same++;
        check_equal(same, (size_t)NELEMS, "realloc-waits-for-puts");
        shmem_free(in_the_way);
        shmem_free(block);
    }
}

/* Nobody leaves a call before everyone has entered it. */
static void check_everyone(long expected, const char *name)
{
    long seen = shmem_long_atomic_fetch(&arrived, 0);

    check(seen >= expected, name, "%ld of %ld arrivals", seen, expected);
}

static void test_waits(void)
{
    long n = check_n_pes(), expected = 0;

    check_case("who waits");
    for (int round = 0; round < ROUNDS; round++) {
        void *block, *aligned, *zeroed, *hinted;

        shmem_long_atomic_fetch_inc(&arrived, 0);
        block = shmem_malloc(100);
        check_everyone(expected += n, "malloc-barrier");
        shmem_barrier_all();
        shmem_long_atomic_fetch_inc(&arrived, 0);
        aligned = shmem_align(256, 100);
        check_everyone(expected += n, "align-barrier");
        shmem_barrier_all();
        shmem_long_atomic_fetch_inc(&arrived, 0);
        zeroed = shmem_calloc(10, 10);
        check_everyone(expected += n, "calloc-barrier");
        shmem_barrier_all();
        shmem_long_atomic_fetch_inc(&arrived, 0);
        hinted = shmem_malloc_with_hints(100, SHMEM_MALLOC_SIGNAL_REMOTE);
        check_everyone(expected += n, "hints-barrier");
        shmem_barrier_all();
        /* A failed allocation waits as well. */
        shmem_long_atomic_fetch_inc(&arrived, 0);
        check(shmem_malloc(SIZE_MAX / 2) == NULL, "failure-is-null", "a block");
        check_everyone(expected += n, "failure-barrier");
        shmem_barrier_all();
        shmem_long_atomic_fetch_inc(&arrived, 0);
        check(shmem_align(SIZE_MAX / 2 + 1, 8) == NULL, "failure-is-null", "a block");
        check_everyone(expected += n, "failure-barrier");
        shmem_barrier_all();
        shmem_long_atomic_fetch_inc(&arrived, 0);
        shmem_free(block);
        check_everyone(expected += n, "free-barrier");
        shmem_barrier_all();
        shmem_free(aligned);
        shmem_free(zeroed);
        shmem_free(hinted);
    }
}

int main(void)
{
    check_init("memory/barriers");
    test_free_waits_for_puts();
    test_realloc_waits_for_puts();
    test_waits();
    return check_finish();
}
