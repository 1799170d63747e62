/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which calls bypass the tool. */
#include "tools/profile/burst.h"

#include <stddef.h>

#include "tools/clock.h"
#include "tools/quick.h"

/* What a record costs, about. */
#define RECORD_NS INT64_C(128)

/* A thread spends up to 1 / this of its time on records. */
#define TIME_SHARE 20

static __thread int64_t credit = TERN_BURST_FIRST * RECORD_NS; /* time for records */
static __thread uint64_t credit_at;
static __thread unsigned period; /* calls that may bypass the tool, from the last one on */
static __thread uint64_t random_state;

static uint64_t clock_ns;

/* The least difference of two readings in a row. */
static uint64_t measure_clock(void)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < 100; i++) {
        uint64_t began = tern_clock_ns(), ns = tern_clock_ns() - began;

        if (ns < least)
            least = ns;
    }
    return least;
}

void tern_burst_prepare(void)
{
    clock_ns = measure_clock();
}

uint64_t tern_burst_clock_ns(void)
{
    return clock_ns;
}

bool tern_burst_is_part(struct tern_call *call)
{
    switch (call->routine->kind) {
    case TERN_KIND_PUT:
    case TERN_KIND_PUT_NBI:
    case TERN_KIND_GET:
    case TERN_KIND_GET_NBI:
    case TERN_KIND_AMO:
    case TERN_KIND_AMO_FETCH:
    case TERN_KIND_FENCE:
    case TERN_KIND_QUIET:
        return true;
    default:
        return false;
    }
}

uint64_t tern_burst_bypassed(void)
{
    uint64_t n = period - tern_quick_left;

    period = tern_quick_left = 0;
    return n;
}

/* Distances at random: with a fixed one, a loop of several calls might show only one of them. */
static unsigned draw_period(void)
{
    if (!random_state)
        random_state = tern_clock_ns() | 1;
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return 1 + (unsigned)(random_state % (2 * TERN_BURST_PERIOD - 1));
}

/* The credit grows with time; but a thread that has waited for long gets little. */
static void update_credit(uint64_t now)
{
    if (credit_at && credit < TERN_BURST_AFTER_PAUSE * RECORD_NS) {
        credit += (int64_t)((now - credit_at) / TIME_SHARE);
        if (credit > TERN_BURST_AFTER_PAUSE * RECORD_NS)
            credit = TERN_BURST_AFTER_PAUSE * RECORD_NS;
    }
    credit_at = now;
    credit -= RECORD_NS;
}

void tern_burst_next(struct tern_call *call, uint64_t now)
{
    update_credit(now);
    if (credit <= 0 && tern_burst_is_part(call))
        period = tern_quick_left = draw_period();
}
