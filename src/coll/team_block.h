/* SPDX-License-Identifier: BSD-3-Clause */
/* A PE's membership in a team that is not predefined, and the block that the members share. */
#ifndef TERN_COLL_TEAM_BLOCK_H
#define TERN_COLL_TEAM_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/multinode.h"

/*
 * This PE's half of a team, not yet usable, or NULL if there is no memory. A team may span nodes;
 * its members on one node then share a block of their own, and the key must be the same for all.
 */
struct tern_team *tern_team_block_new_team(const struct tern_pe_range *pes, int me);
void tern_team_block_set_key(struct tern_team *team, const struct tern_message_key *key);

/*
 * A zeroed block of the pool for the members on this node, or 0 if there is no room. The first of
 * them allocates it.
 */
uint64_t tern_team_block_alloc(const struct tern_team *team);
void tern_team_block_free(const struct tern_team *team, uint64_t block);

/* Makes it usable. The block must have been handed over with release and acquire order. */
void tern_team_block_attach(struct tern_team *team, uint64_t block);

/*
 * This PE will not touch the team's block any more. True for the last member on this node to say
 * so: it alone may free the block, and then knows that nobody is still on the way out of a
 * collective there.
 */
bool tern_team_block_detach(struct tern_team *team);

void tern_team_block_free_team(struct tern_team *team);

#endif
