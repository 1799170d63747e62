/* SPDX-License-Identifier: BSD-3-Clause */
/* C's locks: the queue in words of 64 bits, changed by the library's own operations. */
#include "core/lock.h"

#include <limits.h>
#include <stdbool.h>

#include "base/atomics.h"
#include "base/log.h"
#include "core/amo.h"
#include "core/ctx.h"
#include "core/job.h"
#include "core/route.h"
#include "core/wait.h"

#define WIDTH 64
#include "core/lock_queue.inc"

_Static_assert(INT_MAX <= NUMBER_MASK, "a lock has room for the number of each PE of a job");

static struct lock lock_at(uint64_t *word, const char *routine)
{
    return (struct lock){
        .word = word,
        .routine = routine,
        .me = tern_job.pe,
        .n_pes = tern_job.n_pes,
    };
}

static int home_of(const struct lock *lock)
{
    return (int)((tern_route_symmetric_offset(lock->word) / sizeof *lock->word) %
                 (unsigned)tern_job.n_pes);
}

static uint64_t swap_home(const struct lock *lock, uint64_t guess, uint64_t want)
{
    uint64_t seen = guess;

    tern_amo64(TERN_NET_COMPARE_SWAP, &seen, lock->word, want, guess, false, home_of(lock),
               lock->routine, TERN_CTX_DEFAULT);
    return seen;
}

static void tell(const struct lock *lock, uint64_t bits, int pe)
{
    tern_amo64_update(TERN_NET_OR, lock->word, bits, pe, lock->routine, TERN_CTX_DEFAULT);
}

static void set_own(const struct lock *lock, uint64_t bits)
{
    __atomic_fetch_or(lock->word, bits, __ATOMIC_ACQ_REL);
}

static uint64_t clear_own(const struct lock *lock, uint64_t bits)
{
    return __atomic_fetch_and(lock->word, ~bits, __ATOMIC_ACQ_REL);
}

static uint64_t wait_for_bits(const struct lock *lock, uint64_t bits)
{
    struct tern_wait w = tern_wait_begin(&tern_route.bells[lock->me], lock->routine);
    uint64_t seen;

    /* Acquire: partner of the atomic operation by which another PE changed it. */
    while (!((seen = tern_load_acquire(lock->word)) & bits))
        tern_wait_step(&w);
    tern_wait_end(&w);
    return seen;
}

static void not_held(const struct lock *lock)
{
    tern_fatal(lock->routine,
               "lock %p is not held by this PE: only the PE that set it can clear it",
               (void *)lock->word);
}

static void not_a_lock(const struct lock *lock)
{
    tern_fatal(
        lock->routine,
        "lock %p has a value that no lock has: it must be 0 on all PEs before its first use, "
        "and only the lock routines may change it",
        (void *)lock->word);
}

void tern_lock_set(uint64_t *word, const char *routine)
{
    struct lock lock = lock_at(word, routine);

    set_lock(&lock);
}

int tern_lock_test(uint64_t *word, const char *routine)
{
    struct lock lock = lock_at(word, routine);

    return test_lock(&lock);
}

void tern_lock_clear(uint64_t *word, const char *routine)
{
    struct lock lock = lock_at(word, routine);

    clear_lock(&lock);
}
