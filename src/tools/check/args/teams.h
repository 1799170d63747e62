/* SPDX-License-Identifier: BSD-3-Clause */
/* The teams that this PE has created. The caller holds the records lock. */
#ifndef TERN_CHECK_TEAMS_H
#define TERN_CHECK_TEAMS_H

#include "tools/call.h"

/* Before each call that takes a team. */
void tern_check_teams_before(struct tern_call *call);

/* After a split. */
void tern_check_teams_after(struct tern_call *call);

/* Reports teams that were not destroyed. */
void tern_check_teams_end(void);

#endif
