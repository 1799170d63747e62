/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts together what is one race. */
#include "tools/check/race/conflicts.h"

static bool is_same_call(const struct tern_check_mark *a, const struct tern_check_mark *b)
{
    return a->site == b->site && (a->when - b->when) % TERN_CHECK_MOST_PES == 0;
}

/* Bytes that follow on those of a race, or go before them, with the same call, are part of it. */
static bool extend(struct tern_check_races *races, const struct tern_check_race *race)
{
    for (int i = 0; i < races->n; i++) {
        struct tern_check_race *found = &races->found[i];

        if (!is_same_call(&found->other, &race->other))
            continue;
        if (race->start + race->bytes == found->start)
            found->start = race->start;
        else if (found->start + found->bytes != race->start)
            return true;
        found->bytes += race->bytes;
        return true;
    }
    return false;
}

void tern_check_races_note(struct tern_check_races *races, const struct tern_check_mark *other,
                           enum tern_check_verdict why, uint64_t place, unsigned shift,
                           uint64_t mask)
{
    unsigned first = (unsigned)__builtin_ctzll(mask);
    uint64_t run = mask >> first;
    struct tern_check_race race = {
        .other = *other,
        .why = why,
        .start = place + ((uint64_t)first << shift),
        .bytes = (uint64_t)(~run ? __builtin_ctzll(~run) : 64) << shift,
    };

    if (!extend(races, &race) && races->n < TERN_CHECK_MOST_RACES)
        races->found[races->n++] = race;
}
