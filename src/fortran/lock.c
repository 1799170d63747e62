/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks that are an INTEGER of four bytes: a queue in the lock's own copies, one on each PE. */
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>

#include "fortran/fortran.h"

/*
 * The algorithm is that of C's locks (core/lock.c), which take eight bytes. Each PE's copy has
 *
 *     tail     at the lock's home PE only: the last PE in the queue, plus one; 0: the lock is free
 *     next     at a PE in the queue: the PE behind it, plus one
 *     granted  at a PE that waits: set by the one before it, which so hands the lock over
 *     held     at the PE that holds the lock
 *
 * and 15 bits for the number of a PE.
 */
#define TAIL_SHIFT 17
#define NEXT_SHIFT 2
#define NUMBER_MASK UINT32_C(0x7fff)
#define TAIL_MASK (NUMBER_MASK << TAIL_SHIFT)
#define NEXT_MASK (NUMBER_MASK << NEXT_SHIFT)
#define GRANTED UINT32_C(1)
#define HELD UINT32_C(2)

struct lock {
    uint32_t *word; /* this PE's copy */
    const char *routine;
    int me, home;
};

/* Segments start on pages, so the home is the same on all PEs. */
static struct lock lock_at(int *word, const char *routine)
{
    int n_pes = shmem_n_pes();

    if ((unsigned)n_pes >= NUMBER_MASK)
        tern_fortran_fatal(routine, "a lock has room for the numbers of %u PEs, but there are %d",
                           (unsigned)NUMBER_MASK - 1, n_pes);
    return (struct lock){
        .word = (uint32_t *)word,
        .routine = routine,
        .me = shmem_my_pe(),
        .home = (int)((uintptr_t)word % 4096 / sizeof *word % (unsigned)n_pes),
    };
}

static uint32_t own_number(const struct lock *lock)
{
    return (uint32_t)lock->me + 1;
}

static uint32_t tail_of(uint32_t word)
{
    return word >> TAIL_SHIFT & NUMBER_MASK;
}

static uint32_t next_of(uint32_t word)
{
    return word >> NEXT_SHIFT & NUMBER_MASK;
}

/* Sets the home's tail if the home's word is *seen; else *seen is what it is. */
static bool try_swing_tail(const struct lock *lock, uint32_t *seen, uint32_t tail)
{
    uint32_t guess = *seen, want = (guess & ~TAIL_MASK) | tail << TAIL_SHIFT;

    *seen = shmem_uint32_atomic_compare_swap(lock->word, guess, want, lock->home);
    return *seen == guess;
}

/* Waits until one of the bits of this PE's own copy is set, and returns the copy. */
static uint32_t wait_for_bits(const struct lock *lock, uint32_t bits)
{
    uint32_t seen;

    while (!((seen = shmem_uint32_atomic_fetch(lock->word, lock->me)) & bits))
        shmem_uint32_wait_until(lock->word, SHMEM_CMP_NE, seen);
    return seen;
}

static void tell(const struct lock *lock, uint32_t bits, uint32_t number)
{
    shmem_uint32_atomic_or(lock->word, bits, (int)number - 1);
}

static void clear_own(const struct lock *lock, uint32_t bits)
{
    shmem_uint32_atomic_and(lock->word, ~bits, lock->me);
}

/* Leaves the queue if nobody is behind this PE in it, as far as it knows. */
static bool try_leave(const struct lock *lock)
{
    uint32_t seen = own_number(lock) << TAIL_SHIFT;

    while (!try_swing_tail(lock, &seen, 0))
        if (tail_of(seen) != own_number(lock))
            return false;
    return true;
}

static void set(const struct lock *lock)
{
    uint32_t seen = 0, before;

    while (!try_swing_tail(lock, &seen, own_number(lock)))
        ;
    before = tail_of(seen);
    if (before) {
        tell(lock, own_number(lock) << NEXT_SHIFT, before);
        wait_for_bits(lock, GRANTED);
        clear_own(lock, GRANTED);
    }
    tell(lock, HELD, own_number(lock));
}

static int test(const struct lock *lock)
{
    uint32_t seen = 0;

    while (!try_swing_tail(lock, &seen, own_number(lock)))
        if (tail_of(seen))
            return 1;
    tell(lock, HELD, own_number(lock));
    return 0;
}

static void clear(const struct lock *lock)
{
    uint32_t mine = shmem_uint32_atomic_fetch_and(lock->word, ~HELD, lock->me);

    if (!(mine & HELD))
        tern_fortran_fatal(lock->routine,
                           "the lock is not held by this PE: only the PE that set it "
                           "can clear it");
    if (!next_of(mine)) {
        if (try_leave(lock))
            return;
        mine = wait_for_bits(lock, NEXT_MASK); /* somebody has entered but not told yet */
    }
    clear_own(lock, NEXT_MASK);
    tell(lock, GRANTED, next_of(mine));
}

TERN_FORTRAN(void, shmem_set_lock, SHMEM_SET_LOCK)(int *word)
{
    struct lock lock = lock_at(word, "shmem_set_lock");

    set(&lock);
}

TERN_FORTRAN(int, shmem_test_lock, SHMEM_TEST_LOCK)(int *word)
{
    struct lock lock = lock_at(word, "shmem_test_lock");

    return test(&lock);
}

TERN_FORTRAN(void, shmem_clear_lock, SHMEM_CLEAR_LOCK)(int *word)
{
    struct lock lock = lock_at(word, "shmem_clear_lock");

    shmem_quiet();
    clear(&lock);
}
