/* SPDX-License-Identifier: BSD-3-Clause */
/* A queue lock whose queue lies in the lock's own copies: one on each PE. */
#include "core/lock.h"

#include <stdbool.h>

#include "base/atomics.h"
#include "base/log.h"
#include "core/amo.h"
#include "core/ctx.h"
#include "core/job.h"
#include "core/route.h"
#include "core/wait.h"

/*
 * Each PE's copy of the lock has four fields:
 *
 *     tail     at the lock's home PE only: the last PE in the queue, plus one; 0: the lock is free
 *     next     at a PE in the queue: the PE behind it, plus one
 *     granted  at a PE that waits: set by the one before it, which so hands the lock over
 *     held     at the PE that holds the lock: set and cleared by itself
 *
 * A PE enters by exchanging the tail, tells its predecessor, and waits for a change of its own copy
 * alone. When the last holder leaves, every copy is 0 again. The home is spread over the PEs by
 * address. All changes are 64-bit atomic operations, since the home's tail and its own next share
 * a word. What goes to other nodes waits for an answer only where the answer decides.
 */
#define TAIL_SHIFT 32
#define NEXT_SHIFT 8
#define TAIL_MASK (UINT64_C(0xffffffff) << TAIL_SHIFT)
#define NEXT_MASK (UINT64_C(0xffffff) << NEXT_SHIFT)
#define GRANTED UINT64_C(1)
#define HELD UINT64_C(2)

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

/*
 * Sets the home's tail if the home's word is *seen; else *seen is what it is. Who knows nothing of
 * the word guesses, since that costs a lock on another node no more than to look.
 */
static bool try_swing_tail(uint64_t *word, int home, uint64_t *seen, uint64_t tail,
                           const char *routine)
{
    uint64_t want = (*seen & ~TAIL_MASK) | tail << TAIL_SHIFT, guess = *seen;

    tern_amo64(TERN_NET_COMPARE_SWAP, seen, word, want, guess, false, home, routine,
               TERN_CTX_DEFAULT);
    return *seen == guess;
}

static uint64_t own_number(void)
{
    return (uint64_t)tern_job.pe + 1;
}

/* Puts this PE at the end of the queue; returns who was last before, plus one, or 0. */
static uint64_t enter(uint64_t *word, int home, const char *routine)
{
    uint64_t seen = 0;

    while (!try_swing_tail(word, home, &seen, own_number(), routine))
        ;
    return tail_of(seen);
}

static void tell(uint64_t *word, uint64_t bits, uint64_t number, const char *routine)
{
    tern_amo64_update(TERN_NET_OR, word, bits, (int)number - 1, routine, TERN_CTX_DEFAULT);
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

    if (before) {
        tell(word, own_number() << NEXT_SHIFT, before, routine);
        wait_for_bits(word, GRANTED, routine);
        __atomic_fetch_and(word, ~GRANTED, __ATOMIC_ACQ_REL);
    }
    __atomic_fetch_or(word, HELD, __ATOMIC_ACQ_REL);
}

int tern_lock_test(uint64_t *word, const char *routine)
{
    int home = home_of(word);
    uint64_t seen = 0;

    while (!try_swing_tail(word, home, &seen, own_number(), routine))
        if (tail_of(seen))
            return 1;
    __atomic_fetch_or(word, HELD, __ATOMIC_ACQ_REL);
    return 0;
}

/* Leaves the queue if nobody is behind this PE in it, as far as it knows. */
static bool try_leave(uint64_t *word, int home, const char *routine)
{
    uint64_t seen = own_number() << TAIL_SHIFT;

    while (!try_swing_tail(word, home, &seen, 0, routine))
        if (tail_of(seen) != own_number())
            return false;
    return true;
}

void tern_lock_clear(uint64_t *word, const char *routine)
{
    uint64_t mine = __atomic_fetch_and(word, ~HELD, __ATOMIC_ACQ_REL);

    if (!(mine & HELD))
        tern_fatal(routine, "lock %p is not held by this PE: only the PE that set it can clear it",
                   (void *)word);
    if (!next_of(mine)) {
        if (try_leave(word, home_of(word), routine))
            return;
        mine = wait_for_bits(word, NEXT_MASK, routine); /* somebody has entered but not told yet */
    }
    __atomic_fetch_and(word, ~NEXT_MASK, __ATOMIC_ACQ_REL);
    tell(word, GRANTED, next_of(mine), routine);
}
