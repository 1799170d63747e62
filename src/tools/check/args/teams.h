/* SPDX-License-Identifier: BSD-3-Clause */
/* The teams that this PE has made, and what became of them. The caller holds a lock. */
#ifndef TERN_CHECK_TEAMS_H
#define TERN_CHECK_TEAMS_H

#include "tools/call.h"

/* Before each call that has a team. */
void tern_check_teams_before(struct tern_call *call);

/* After a call that splits one. */
void tern_check_teams_after(struct tern_call *call);

/* Reports what is left. */
void tern_check_teams_end(void);

#endif
