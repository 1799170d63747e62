/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks that are an INTEGER of four bytes: the queue algorithm of C's locks, on public routines. */
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>

#include "fortran/fortran.h"

#define WIDTH 32
#include "core/lock_queue.inc"

static struct lock lock_at(int *word, const char *routine)
{
    int n_pes = shmem_n_pes();

    if ((unsigned)n_pes >= NUMBER_MASK)
        tern_client_fatal(routine, "a lock has room for the numbers of %u PEs, but there are %d",
                          (unsigned)NUMBER_MASK - 1, n_pes);
    if ((uintptr_t)word % sizeof *word)
        tern_client_fatal(routine, "lock %p is not aligned: it must be a multiple of %zu",
                          (void *)word, sizeof *word);
    return (struct lock){
        .word = (uint32_t *)word,
        .routine = routine,
        .me = shmem_my_pe(),
        .n_pes = n_pes,
    };
}

/* Segments start on pages, so all PEs choose the same home. */
static int home_of(const struct lock *lock)
{
    return (int)((uintptr_t)lock->word % 4096 / sizeof *lock->word % (unsigned)shmem_n_pes());
}

static uint32_t swap_home(const struct lock *lock, uint32_t guess, uint32_t want)
{
    return shmem_uint32_atomic_compare_swap(lock->word, guess, want, home_of(lock));
}

static void set_next(const struct lock *lock, int pe)
{
    shmem_uint32_atomic_or(lock->word, own_number(lock) << NEXT_SHIFT, pe);
}

static void clear_next(const struct lock *lock)
{
    shmem_uint32_atomic_and(lock->word, ~NEXT_MASK, lock->me);
}

static void set_held(const struct lock *lock)
{
    shmem_uint32_atomic_or(lock->word, HELD, lock->me);
}

static uint32_t clear_held(const struct lock *lock)
{
    return shmem_uint32_atomic_fetch_and(lock->word, ~HELD, lock->me);
}

static void hand_over(const struct lock *lock, int pe)
{
    shmem_uint32_atomic_or(lock->word, HELD, pe);
}

static uint32_t wait_for_bits(const struct lock *lock, uint32_t bits)
{
    uint32_t seen;

    while (!((seen = shmem_uint32_atomic_fetch(lock->word, lock->me)) & bits))
        shmem_uint32_wait_until(lock->word, SHMEM_CMP_NE, seen);
    return seen;
}

static void not_held(const struct lock *lock)
{
    tern_client_fatal(lock->routine, "the lock is not held by this PE: only the PE that set it "
                                     "can clear it");
}

static void not_a_lock(const struct lock *lock)
{
    tern_client_fatal(
        lock->routine,
        "the lock has a value that no lock has: it must be 0 on all PEs before its first "
        "use, and only the lock routines may change it");
}

/*
 * A test of a word that always fails: no word is above the largest value. After an unsuccessful
 * poll the library makes progress on the network, and sometimes yields the core to another PE.
 */
static void miss(const struct lock *lock)
{
    shmem_uint32_test(lock->word, SHMEM_CMP_GT, UINT32_MAX);
}

TERN_FORTRAN(void, shmem_set_lock, SHMEM_SET_LOCK)(int *word)
{
    struct lock lock = lock_at(word, "shmem_set_lock");

    set_lock(&lock);
}

TERN_FORTRAN(int, shmem_test_lock, SHMEM_TEST_LOCK)(int *word)
{
    struct lock lock = lock_at(word, "shmem_test_lock");
    int taken = test_lock(&lock);

    if (taken)
        miss(&lock);
    return taken;
}

TERN_FORTRAN(void, shmem_clear_lock, SHMEM_CLEAR_LOCK)(int *word)
{
    struct lock lock = lock_at(word, "shmem_clear_lock");

    shmem_quiet();
    clear_lock(&lock);
}
