/* SPDX-License-Identifier: BSD-3-Clause */
/* The PEs that a call names or includes, as numbers in the world. */
#ifndef TERN_TOOLS_PROFILE_TEAMS_H
#define TERN_TOOLS_PROFILE_TEAMS_H

#include "tools/call.h"
#include "tools/profile/record.h"

/* The PE that is the call's target, or -1. */
int tern_teams_peer(struct tern_call *call);

/*
 * Sets the team, its number of members, and the number of this collective call among the team's,
 * from 0 on. The team is a key, which is equal on all members. False, without a number, if calls of
 * too many teams are counted already.
 */
bool tern_teams_meeting(struct tern_call *call, struct tern_profile_meeting *meeting);

/* Forget a handle whose team is destroyed; all handles. */
void tern_teams_forget(const void *team);
void tern_teams_forget_all(void);

#endif
