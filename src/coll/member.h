/* SPDX-License-Identifier: BSD-3-Clause */
/* A PE's membership in a team that is not predefined, and the block that the members share. */
#ifndef TERN_COLL_MEMBER_H
#define TERN_COLL_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/team.h"

/* A zeroed block of the pool for a team of n, or 0 if there is no room. One member allocates it. */
uint64_t tern_member_alloc_block(int n);

void tern_member_free_block(uint64_t block, int n);

/* This PE's half of a team, not yet usable, or NULL if there is no memory. */
struct tern_team *tern_member_new(const struct tern_pe_range *pes, int me);

/* Makes it usable. The block must have been handed over with release and acquire order. */
void tern_member_join(struct tern_team *team, uint64_t block);

/*
 * This PE will not touch the team's block any more. True for the last member to say so: it alone
 * may free the block, and then knows that nobody is still on the way out of a collective there.
 */
bool tern_member_leave(struct tern_team *team);

void tern_member_free(struct tern_team *team);

#endif
