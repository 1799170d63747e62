/* SPDX-License-Identifier: BSD-3-Clause */
/* The team of all PEs and the team of those on this node. */
#ifndef TERN_CORE_PREDEFINED_TEAM_H
#define TERN_CORE_PREDEFINED_TEAM_H

#include "core/team.h"

/*
 * Once a process: opens the predefined teams. world and shared are zeroed memory for a sync of this
 * node's PEs each. 0 or -ENOMEM.
 */
int tern_predefined_team_start(struct tern_sync_shared *world, struct tern_sync_shared *shared);

#endif
