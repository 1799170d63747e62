/* SPDX-License-Identifier: BSD-3-Clause */
/* A PE's private memory for a team that is not predefined, and the block that the members share. */
#ifndef TERN_COLL_TEAM_BLOCK_H
#define TERN_COLL_TEAM_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/multinode.h"

/*
 * Allocates this PE's private memory for a team, which is not yet usable; NULL if there is no
 * memory. In a multinode team, the members on each node share a block of their own, and the key
 * must be equal on all members.
 */
struct tern_team *tern_team_block_new_team(const struct tern_pe_range *pes, int me);
void tern_team_block_set_key(struct tern_team *team, const struct tern_message_key *key);

/*
 * Allocates a zeroed block of the pool for the members on this node; 0 if there is no room. The
 * first of them calls this.
 */
uint64_t tern_team_block_alloc(const struct tern_team *team);
void tern_team_block_free(const struct tern_team *team, uint64_t block);

/* Makes the team usable. The caller must have received the block's offset with acquire order. */
void tern_team_block_attach(struct tern_team *team, uint64_t block);

/*
 * Declares that this PE will not access the team's block any more. True for the last member on this
 * node to call it: that member may free the block, since no other is still leaving a collective
 * there.
 */
bool tern_team_block_detach(struct tern_team *team);

void tern_team_block_free_team(struct tern_team *team);

#endif
