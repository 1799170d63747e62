/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds collective calls that do not match. Before a member of a team makes a call, it posts the
 * call's signature for its neighbours in the team; the second of two neighbours to post compares.
 */
#ifndef TERN_CHECK_MATCH_H
#define TERN_CHECK_MATCH_H

#include "tools/check/match/groups.h"

/*
 * After the first init, collectively. until_exit: OpenSHMEM ends with the process, as after
 * start_pes.
 */
void tern_check_match_open(bool until_exit);

/* After the last finalize. */
void tern_check_match_close(void);

/*
 * Around each call. The first function returns whether the call is collective and does anything.
 * *group: the group that makes it, or NULL if that is not known.
 */
bool tern_check_match_before(struct tern_call *call, struct tern_check_group **group);
void tern_check_match_after(struct tern_call *call);

/* The number of the thread's last collective call in its group. */
uint64_t tern_check_match_number(void);

/* The process ends with this status. */
void tern_check_match_exit(int status);

#endif
