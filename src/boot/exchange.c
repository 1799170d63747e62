/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait for cards, and the message that names a PE whose card is missing. */
#include "boot/exchange.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>

#include "base/atomics.h"
#include "base/log.h"
#include "base/os.h"

/*
 * Cards mostly come within milliseconds: only then does the wait sleep, until the last card wakes
 * it. It also wakes by itself to check for PEs that have ended: ever more seldom, because a
 * thousand PEs may share a few cores.
 */
#define YIELDS 100
#define SLEEP_NS UINT64_C(10000000)
#define LONGEST_SLEEP_NS UINT64_C(160000000)

bool tern_exchange_is_missing(const struct tern_boot_card *card)
{
    for (size_t i = 0; i < sizeof card->bytes; i++)
        if (tern_load_relaxed(&card->bytes[i]))
            return false;
    return true;
}

static int be_late(const struct tern_exchange *x)
{
    int first = -1, missing = 0;

    for (int pe = x->n_pes - 1; pe >= 0; pe--)
        if (tern_exchange_is_missing(&x->cards[pe])) {
            missing++;
            first = pe;
        }
    tern_error("shmem_init can't complete: %d of %d PEs did not publish their network addresses "
               "within %u s (first missing: PE %d)",
               missing, x->n_pes, x->within_s, first);
    return -ETIMEDOUT;
}

static int lose(const struct tern_job_area *area)
{
    tern_error("shmem_init can't complete: PE %u has ended",
               tern_load_relaxed(&area->last_departed));
    return -ECONNRESET;
}

void tern_exchange_add(uint32_t *word, uint32_t enough)
{
    if (tern_fetch_add(word, 1) + 1 >= enough) /* partner: is_done() */
        tern_os_futex_wake_all(word);
}

void tern_exchange_set(uint32_t *word, uint32_t value)
{
    tern_store_release(word, value); /* partner: is_done() */
    tern_os_futex_wake_all(word);
}

/* Acquire: partner of the addition or the store that another PE makes after its cards. */
static bool is_done(const struct tern_exchange *x, uint32_t *seen)
{
    *seen = tern_load_acquire(x->word);
    return *seen >= x->enough;
}

/* A PE that has ended before this wait is over will not publish its card. */
static int check_departed_or_late(const struct tern_exchange *x, uint64_t until)
{
    if (tern_load_acquire(&x->area->departed))
        return lose(x->area);
    return tern_os_now_ns() > until ? be_late(x) : 0;
}

int tern_exchange_await(const struct tern_exchange *x)
{
    uint64_t until, sleep_ns = SLEEP_NS;
    uint32_t seen;
    int r = 0;

    for (int i = 0; i < YIELDS; i++) {
        if (is_done(x, &seen))
            return 0;
        sched_yield();
    }
    until = x->within_s ? tern_os_now_ns() + x->within_s * UINT64_C(1000000000) : UINT64_MAX;
    while (!r && !is_done(x, &seen)) {
        r = check_departed_or_late(x, until);
        if (!r)
            tern_os_futex_wait(x->word, seen, sleep_ns);
        sleep_ns = sleep_ns < LONGEST_SLEEP_NS ? 2 * sleep_ns : sleep_ns;
    }
    return r;
}
