/* SPDX-License-Identifier: BSD-3-Clause */
/* A queue lock whose queue lies in the lock's own copies: one on each PE. */
#include "core/lock.h"

#include <stdbool.h>

#include "base/log.h"
#include "core/amo.h"
#include "core/job.h"
#include "core/order.h"
#include "core/route.h"
#include "core/wait.h"

/*
 * Each PE's copy of the lock has three fields:
 *
 *     tail     at the lock's home PE only: the last PE in the queue, plus one; 0: the lock is free
 *     next     at a PE in the queue: the PE behind it, plus one
 *     granted  at a PE that waits: set by the one before it, which so hands the lock over
 *
 * A PE enters by exchanging the tail, tells its predecessor, and waits for a change of its own copy
 * alone. When the last holder leaves, every copy is 0 again. The home is spread over the PEs by
 * address. All changes are 64-bit atomic operations, since the home's tail and its own next share
 * a word.
 */
#define TAIL_SHIFT 32
#define NEXT_SHIFT 8
#define TAIL_MASK (UINT64_C(0xffffffff) << TAIL_SHIFT)
#define NEXT_MASK (UINT64_C(0xffffff) << NEXT_SHIFT)
#define GRANTED UINT64_C(1)

static uint64_t tail_of(uint64_t word)
{
    return word >> TAIL_SHIFT;
}

static uint64_t next_of(uint64_t word)
{
    return (word & NEXT_MASK) >> NEXT_SHIFT;
}

/* The same on all PEs: the lock's place within its segment decides. */
static int home_of(const uint64_t *word)
{
    return (int)((tern_route_place(word) / sizeof *word) % (unsigned)tern_job.n_pes);
}

static bool try_swing_tail(uint64_t *word, int home, uint64_t seen, uint64_t tail,
                           const char *routine)
{
    uint64_t want = (seen & ~TAIL_MASK) | tail << TAIL_SHIFT;

    return tern_amo_compare_swap64(word, seen, want, home, routine) == seen;
}

/* Puts this PE at the end of the queue; returns who was last before, plus one, or 0. */
static uint64_t enter(uint64_t *word, int home, const char *routine)
{
    uint64_t seen;

    do
        seen = tern_amo_fetch64(word, home, routine);
    while (!try_swing_tail(word, home, seen, (uint64_t)tern_job.pe + 1, routine));
    return tail_of(seen);
}

/* Waits until one of the bits of this PE's own copy is set, and returns the copy. */
static uint64_t wait_for_bits(const uint64_t *word, uint64_t bits, const char *routine)
{
    struct tern_wait w = tern_wait_begin(&tern_route.bells[tern_job.pe], routine);
    uint64_t seen;

    /* Acquire: partner of the atomic operation by which another PE changed it. */
    while (!((seen = tern_load_acquire(word)) & bits))
        tern_wait_step(&w);
    tern_wait_end(&w);
    return seen;
}

void tern_lock_set(uint64_t *word, const char *routine)
{
    uint64_t before = enter(word, home_of(word), routine);

    if (!before)
        return;
    tern_amo_or64(word, ((uint64_t)tern_job.pe + 1) << NEXT_SHIFT, (int)before - 1, routine);
    wait_for_bits(word, GRANTED, routine);
    __atomic_fetch_and(word, ~GRANTED, __ATOMIC_ACQ_REL);
}

int tern_lock_test(uint64_t *word, const char *routine)
{
    int home = home_of(word);
    uint64_t seen;

    do {
        seen = tern_amo_fetch64(word, home, routine);
        if (tail_of(seen))
            return 1;
    } while (!try_swing_tail(word, home, seen, (uint64_t)tern_job.pe + 1, routine));
    return 0;
}

void tern_lock_clear(uint64_t *word, const char *routine)
{
    int home = home_of(word);
    uint64_t mine = tern_load_acquire(word), seen;

    if (!next_of(mine)) {
        /* Nobody behind us, as far as we know: if we are still the last, the lock is free. */
        do {
            seen = tern_amo_fetch64(word, home, routine);
            if (!tail_of(seen))
                tern_fatal(routine, "lock %p is not held by anyone", (void *)word);
            if (tail_of(seen) != (uint64_t)tern_job.pe + 1)
                break;
            if (try_swing_tail(word, home, seen, 0, routine))
                return;
        } while (true);
        mine = wait_for_bits(word, NEXT_MASK, routine); /* somebody has entered but not told yet */
    }
    __atomic_fetch_and(word, ~NEXT_MASK, __ATOMIC_ACQ_REL);
    tern_amo_or64(word, GRANTED, (int)next_of(mine) - 1, routine);
}
