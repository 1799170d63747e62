/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait for cards, and the message that names a PE whose card is missing. */
#include "boot/exchange.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/log.h"
#include "base/os.h"

/* Cards mostly come within milliseconds: only then does the wait sleep. */
#define YIELDS 1000
#define SLEEP_US 200

/* The PE may be writing the card now. */
static bool is_missing(const struct tern_boot_card *card)
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
        if (is_missing(&x->cards[pe])) {
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

/* Acquire: partner of the addition or the store that another PE makes after its cards. */
static bool is_done(const struct tern_exchange *x)
{
    return tern_load_acquire(x->word) >= x->enough;
}

int tern_exchange_await(const struct tern_exchange *x)
{
    uint64_t until;

    for (int i = 0; i < YIELDS; i++) {
        if (is_done(x))
            return 0;
        sched_yield();
    }
    until = x->within_s ? tern_os_now_ns() + x->within_s * UINT64_C(1000000000) : UINT64_MAX;
    while (!is_done(x)) {
        /* A PE that has ended before this wait is over will not publish its card. */
        if (tern_load_acquire(&x->area->departed))
            return lose(x->area);
        if (tern_os_now_ns() > until)
            return be_late(x);
        usleep(SLEEP_US);
    }
    return 0;
}
