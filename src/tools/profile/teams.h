/* SPDX-License-Identifier: BSD-3-Clause */
/* Which PEs a call is about, in the numbers of the whole job. */
#ifndef TERN_TOOLS_PROFILE_TEAMS_H
#define TERN_TOOLS_PROFILE_TEAMS_H

#include "tools/call.h"
#include "tools/profile/record.h"

/* The PE that the call names, or -1. */
int tern_teams_peer(struct tern_call *call);

/*
 * The team of a collective call by a key that is the same on all its members, how many these are,
 * and the number of this call among those of the team, from 0 on. False if it is one team too many
 * to count for: then there is no number.
 */
bool tern_teams_meeting(struct tern_call *call, struct tern_profile_meeting *meeting);

/* A handle is used no more; nor is any. */
void tern_teams_forget(const void *team);
void tern_teams_forget_all(void);

#endif
