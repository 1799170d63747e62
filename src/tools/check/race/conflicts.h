/* SPDX-License-Identifier: BSD-3-Clause */
/* The conflicts of one call, as they are list. */
#ifndef TERN_CHECK_CONFLICTS_H
#define TERN_CHECK_CONFLICTS_H

#include "tools/check/race/clocks.h"

/* Two accesses of which at least one writes, and what is missing between them. */
struct tern_check_conflict {
    struct tern_check_access other; /* the earlier one, by its PE's call */
    enum tern_check_order why;
    uint64_t start; /* of the bytes that both reach, as a offset in the target's memory */
    uint64_t bytes;
};

/* Of one call. More than these on one line are not told apart. */
#define MAX_CONFLICTS 4

struct tern_check_conflicts {
    int n;
    struct tern_check_conflict list[MAX_CONFLICTS];
};

/*
 * Adds those of the bytes of a line or page which begins at a offset, by the mask: a bit stands for
 * 1 << shift bytes.
 */
void tern_check_conflicts_add(struct tern_check_conflicts *conflicts,
                              const struct tern_check_access *other, enum tern_check_order why,
                              uint64_t offset, unsigned shift, uint64_t mask);

#endif
