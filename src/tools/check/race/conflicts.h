/* SPDX-License-Identifier: BSD-3-Clause */
/* The races of one call, as they are found. */
#ifndef TERN_CHECK_CONFLICTS_H
#define TERN_CHECK_CONFLICTS_H

#include "tools/check/race/clocks.h"

/* Two accesses of which at least one writes, and what is missing between them. */
struct tern_check_race {
    struct tern_check_mark other; /* the earlier one, by its PE's call */
    enum tern_check_verdict why;
    uint64_t start; /* of the bytes that both reach, as a place in the target's memory */
    uint64_t bytes;
};

/* Of one call. More than these on one line are not told apart. */
#define TERN_CHECK_MOST_RACES 4

struct tern_check_races {
    int n;
    struct tern_check_race found[TERN_CHECK_MOST_RACES];
};

/*
 * Adds those of the bytes of a line or page which begins at a place, by the mask: a bit stands for
 * 1 << shift bytes.
 */
void tern_check_races_note(struct tern_check_races *races, const struct tern_check_mark *other,
                           enum tern_check_verdict why, uint64_t place, unsigned shift,
                           uint64_t mask);

#endif
