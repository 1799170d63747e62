/* SPDX-License-Identifier: BSD-3-Clause */
/* The dest of collect: its size is the sum of what the members contribute, which may differ. */
#ifndef TERN_CHECK_COLLECT_H
#define TERN_CHECK_COLLECT_H

#include "tools/check/match/groups.h"

/* Where each PE posts its contributions, in symmetric memory. */
struct tern_check_contribution {
    long key, number, bytes; /* of the group, and of the call in it */
};
#define MAX_CONTRIBUTIONS 16

/* The symmetric array of MAX_CONTRIBUTIONS elements, filled with zeros; or NULL. */
void tern_check_collect_open(struct tern_check_contribution *array);

/* Whether the routine is a collect. */
static inline bool tern_check_collect_is(const struct tern_routine *routine)
{
    return routine->movement == TERN_COLLECT;
}

/*
 * Before call `number` of the group, and after it: the PE that comes last checks its dest before
 * the call, the others do so when they know all contributions.
 */
void tern_check_collect_before(struct tern_call *call, const struct tern_check_group *group,
                               uint64_t number);
void tern_check_collect_after(struct tern_call *call, const struct tern_check_group *group,
                              uint64_t number);

#endif
