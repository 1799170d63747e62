/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The phase of locks: who holds a lock reads a block of counters, which must be equal, and writes
 * each plus one, by operations that are not atomic. No count may be lost.
 *
 * The threads of a PE use all locks. A PE must not ask for a lock that it holds, in whichever
 * thread, so a mutex for each lock has its threads take turns.
 */
#include <pthread.h>
#include <string.h>

#include "crew.h"
#include "report.h"

enum { LOCKS = 3, BLOCK = 24, MAX_SECTIONS = 30 };

static const struct round *this_round;
static pthread_mutex_t turns[LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};

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

static struct draw sections_begin(const struct round *round, int pe, int thread)
{
    return draw_from(round->seed, DRAW_LOCKS, (uint64_t)(1 + pe * MAX_THREADS + thread));
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

/* The release of the lock completes the puts. The block is of the thread whose turn it is. */
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

static void run_sections(int thread)
{
    struct draw draw = sections_begin(this_round, soak_me, thread);
    unsigned n = sections_of(&draw);

    for (unsigned i = 0; i < n; i++) {
        int lock = (int)draw_below(&draw, LOCKS);

        if (thread == 0)
            report_place("locks, section", i);
        pthread_mutex_lock(&turns[lock]);
        acquire(lock, draw_chance(&draw, 30));
        count_up(lock, home_of(this_round, lock), draw_below(&draw, 3));
        shmem_clear_lock(lock_of(lock));
        pthread_mutex_unlock(&turns[lock]);
    }
    soak_count(n * 3);
}

/* Draws what the thread has drawn. */
static void predict(const struct round *round, int pe, int thread)
{
    struct draw draw = sections_begin(round, pe, thread);
    unsigned n = sections_of(&draw);

    for (unsigned i = 0; i < n; i++) {
        taken[draw_below(&draw, LOCKS)]++;
        draw_chance(&draw, 30);
        draw_below(&draw, 3);
    }
}

void soak_locks(const struct round *round)
{
    struct draw draw = draw_from(round->seed, DRAW_LOCKS, 0);
    int threads = crew_draw(&draw);

    this_round = round;
    locks = soak_alloc(LOCKS * sizeof *locks);
    blocks = soak_alloc(LOCKS * sizeof *blocks);
    shmem_barrier_all();
    crew_run(threads, run_sections);
    shmem_barrier_all();
    memset(taken, 0, sizeof taken);
    for (int pe = 0; pe < soak_n_pes; pe++)
        for (int thread = 0; thread < threads; thread++)
            predict(round, pe, thread);
    for (int lock = 0; lock < LOCKS; lock++)
        for (int i = 0; i < BLOCK && home_of(round, lock) == soak_me; i++)
            expect(blocks[lock][i] == taken[lock], "lock %d: counter %d is %ld after %ld sections",
                   lock, i, blocks[lock][i], taken[lock]);
    shmem_barrier_all();
    shmem_free(blocks);
    shmem_free(locks);
}
