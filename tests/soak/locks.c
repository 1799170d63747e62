/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The phase of locks: who holds a lock reads a block of counters, which must be equal, and writes
 * each plus one, by operations that are not atomic. No count may be lost.
 */
#include <string.h>

#include "report.h"

enum { LOCKS = 3, BLOCK = 24, MAX_SECTIONS = 30 };

static long static_lock;
static long *locks; /* the other ones */
static long (*blocks)[BLOCK];
static long taken[LOCKS]; /* by all PEs in the round */

static int home_of(const struct round *round, int lock)
{
    return (int)((round->seed >> (8 * lock)) % (uint64_t)soak_n_pes);
}

static long *lock_of(int lock)
{
    return lock == 0 ? &static_lock : &locks[lock];
}

static unsigned sections_of(struct draw *draw)
{
    return 3 + draw_below(draw, MAX_SECTIONS - 3);
}

static void acquire(int lock, bool by_test)
{
    if (by_test)
        while (shmem_test_lock(lock_of(lock)))
            ;
    else
        shmem_set_lock(lock_of(lock));
}

/* The release of the lock completes the puts. */
static void count_up(int lock, int home, unsigned way)
{
    static long block[LOCKS][BLOCK];
    long *mine = block[lock];

    shmem_long_get(mine, blocks[lock], BLOCK, home);
    for (int i = 0; i < BLOCK; i++) {
        expect(mine[i] == mine[0], "lock %d: counter %d is %ld, and counter 0 is %ld", lock, i,
               mine[i], mine[0]);
    }
    for (int i = 0; i < BLOCK; i++)
        mine[i]++;
    if (way == 0)
        shmem_long_put(blocks[lock], mine, BLOCK, home);
    else if (way == 1)
        shmem_long_put_nbi(blocks[lock], mine, BLOCK, home);
    else
        for (int i = 0; i < BLOCK; i++)
            shmem_long_p(&blocks[lock][i], mine[i], home);
}

static void run_sections(const struct round *round)
{
    struct draw draw = draw_from(round->seed, DRAW_LOCKS, (uint64_t)soak_me);
    unsigned n = sections_of(&draw);

    for (unsigned i = 0; i < n; i++) {
        int lock = (int)draw_below(&draw, LOCKS);

        report_place("locks, section", i);
        acquire(lock, draw_chance(&draw, 30));
        count_up(lock, home_of(round, lock), draw_below(&draw, 3));
        shmem_clear_lock(lock_of(lock));
    }
    soak_count(n * 3);
}

/* Draws what the PE has drawn. */
static void predict(const struct round *round, int pe)
{
    struct draw draw = draw_from(round->seed, DRAW_LOCKS, (uint64_t)pe);
    unsigned n = sections_of(&draw);

    for (unsigned i = 0; i < n; i++) {
        taken[draw_below(&draw, LOCKS)]++;
        draw_chance(&draw, 30);
        draw_below(&draw, 3);
    }
}

void soak_locks(const struct round *round)
{
    locks = soak_alloc(LOCKS * sizeof *locks);
    blocks = soak_alloc(LOCKS * sizeof *blocks);
    shmem_barrier_all();
    run_sections(round);
    shmem_barrier_all();
    memset(taken, 0, sizeof taken);
    for (int pe = 0; pe < soak_n_pes; pe++)
        predict(round, pe);
    for (int lock = 0; lock < LOCKS; lock++)
        for (int i = 0; i < BLOCK && home_of(round, lock) == soak_me; i++)
            expect(blocks[lock][i] == taken[lock], "lock %d: counter %d is %ld after %ld sections",
                   lock, i, blocks[lock][i], taken[lock]);
    shmem_barrier_all();
    shmem_free(blocks);
    shmem_free(locks);
}
