/* SPDX-License-Identifier: BSD-3-Clause */
/* The order that collective calls bring about. */
#ifndef TERN_CHECK_COLLECTIVE_ORDER_H
#define TERN_CHECK_COLLECTIVE_ORDER_H

#include "tools/check/match/groups.h"

/*
 * Around a collective call, number `number` of the group; group is NULL if it is not known. The
 * caller holds the records lock.
 */
void tern_check_collective_order_enter(struct tern_call *call, const struct tern_check_group *group,
                                       uint64_t number);
void tern_check_collective_order_leave(struct tern_call *call, const struct tern_check_group *group,
                                       uint64_t number);

#endif
