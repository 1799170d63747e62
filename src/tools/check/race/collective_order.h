/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls, as what orders others. */
#ifndef TERN_CHECK_COLLECTIVE_ORDER_H
#define TERN_CHECK_COLLECTIVE_ORDER_H

#include "tools/check/match/groups.h"

/*
 * Around a collective call, the number-th of a group; NULL if the group is not known. The caller
 * holds the lock of the books.
 */
void tern_check_collective_order_enter(struct tern_call *call, const struct tern_check_group *group,
                                       uint64_t number);
void tern_check_collective_order_leave(struct tern_call *call, const struct tern_check_group *group,
                                       uint64_t number);

#endif
