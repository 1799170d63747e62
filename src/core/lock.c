/* SPDX-License-Identifier: BSD-3-Clause */
/* C's locks: the queue in words of 64 bits, changed by the library's own operations. */
#include "core/lock.h"

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

static TERN_COLD void refuse_job(const char *routine)
{
    tern_fatal(routine, "a lock has room for the numbers of %u PEs, but there are %d",
               (unsigned)NUMBER_MASK, tern_job.n_pes);
}

static struct lock lock_at(uint64_t *word, const char *routine)
{
    if (tern_unlikely((unsigned)tern_job.n_pes > NUMBER_MASK))
        refuse_job(routine);
    return (struct lock){
        .word = word,
        .routine = routine,
        .me = tern_job.pe,
        .n_pes = tern_job.n_pes,
    };
}

#define SPREAD 2654435769u /* 2^32 over the golden ratio: neighbours lie far apart */

static int home_of(const struct lock *lock)
{
    /* Spread by a multiplication: a remainder takes as long as an atomic operation. */
    uint32_t spread =
        (uint32_t)(tern_route_symmetric_offset(lock->word) / sizeof *lock->word) * SPREAD;

    return (int)((uint64_t)spread * (unsigned)tern_job.n_pes >> 32);
}

static uint64_t swap_home(const struct lock *lock, uint64_t guess, uint64_t want)
{
    uint64_t seen = guess;

    tern_amo64(TERN_NET_COMPARE_SWAP, &seen, lock->word, want, guess, false, home_of(lock),
               lock->routine, TERN_CTX_DEFAULT);
    return seen;
}

/*
 * A copy in parts. This PE reads its own parts alone: a load of the whole word, soon after the
 * store of a part, would wait for that store to leave the processor.
 */
struct parts {
    uint8_t held;
    uint8_t tail[3];
    uint32_t next;
} __attribute__((may_alias));

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && HELD == 1 && TAIL_SHIFT == 8 &&
                   NEXT_SHIFT == 32,
               "struct parts has the fields of core/lock_queue.inc");

static struct parts *own_parts(const struct lock *lock)
{
    return (struct parts *)lock->word;
}

/* NULL: on another node, or not in a segment of the fast path. */
static struct parts *parts_at(const struct lock *lock, int pe)
{
    return tern_route_word(lock->word, sizeof *lock->word, pe);
}

static TERN_COLD void set_bits_remotely(const struct lock *lock, uint64_t bits, int pe)
{
    tern_amo64_update(TERN_NET_OR, lock->word, bits, pe, lock->routine, TERN_CTX_DEFAULT);
}

static void set_next(const struct lock *lock, int pe)
{
    struct parts *parts = parts_at(lock, pe);

    if (tern_unlikely(!parts)) {
        set_bits_remotely(lock, own_number(lock) << NEXT_SHIFT, pe);
        return;
    }
    /* Release: partner of the acquire in clear_held(), or in wait_for_bits(). */
    tern_store_release(&parts->next, (uint32_t)own_number(lock));
    tern_route_ring(pe);
}

static void clear_next(const struct lock *lock)
{
    tern_store_relaxed(&own_parts(lock)->next, 0);
}

static void set_held(const struct lock *lock)
{
    tern_store_relaxed(&own_parts(lock)->held, 1);
}

static uint64_t clear_held(const struct lock *lock)
{
    struct parts *mine = own_parts(lock);
    uint64_t held = tern_load_relaxed(&mine->held);

    tern_store_relaxed(&mine->held, 0);
    /* Acquire: partner of the release in set_next(), or of the atomic operation there. */
    return (uint64_t)tern_load_acquire(&mine->next) << NEXT_SHIFT | held;
}

static void hand_over(const struct lock *lock, int pe)
{
    struct parts *parts = parts_at(lock, pe);

    if (tern_unlikely(!parts)) {
        set_bits_remotely(lock, HELD, pe);
        return;
    }
    /* Release: partner of the acquire in wait_for_bits(). */
    tern_store_release(&parts->held, 1);
    tern_route_ring(pe);
}

static uint64_t wait_for_bits(const struct lock *lock, uint64_t bits)
{
    struct tern_wait w = tern_wait_begin(&tern_route.bells[lock->me], lock->routine);
    uint64_t seen;

    /* Acquire: partner of the release, or of the atomic operation, by which another PE set it. */
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
