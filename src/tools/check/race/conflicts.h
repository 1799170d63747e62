/* SPDX-License-Identifier: BSD-3-Clause */
/* The conflicts of one call. */
#ifndef TERN_CHECK_CONFLICTS_H
#define TERN_CHECK_CONFLICTS_H

#include "tools/check/race/clocks.h"

/* Two accesses to the same bytes, at least one of which writes, and why they are not ordered. */
struct tern_check_conflict {
    struct tern_check_access other; /* the earlier one */
    enum tern_check_order why;
    uint64_t start; /* of the common bytes, as an offset in the target's memory */
    uint64_t bytes;
};

/* of one call; others are not reported */
#define MAX_CONFLICTS 4

struct tern_check_conflicts {
    int n;
    struct tern_check_conflict list[MAX_CONFLICTS];
};

/*
 * Adds a conflict with a record of the line or page at an offset. mask: the common bytes; a bit
 * stands for 1 << shift bytes.
 */
void tern_check_conflicts_add(struct tern_check_conflicts *conflicts,
                              const struct tern_check_access *other, enum tern_check_order why,
                              uint64_t offset, unsigned shift, uint64_t mask);

#endif
