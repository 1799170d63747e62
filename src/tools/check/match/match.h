/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls that do not match: each member of a team posts what it calls for its neighbours
 * in the team, before it calls, and the second of two neighbours to come compares.
 */
#ifndef TERN_CHECK_MATCH_H
#define TERN_CHECK_MATCH_H

#include "tools/check/match/groups.h"

/*
 * After the first init, collectively. until_exit: the end of the process is that of OpenSHMEM, as
 * after start_pes.
 */
void tern_check_match_open(bool until_exit);

/* After the last finalize. */
void tern_check_match_close(void);

/*
 * A collective call, before and after it is made; others are none of its business. True if it is
 * one that does anything: the group that makes it, or NULL if that is not known.
 */
bool tern_check_match_before(struct tern_call *call, struct tern_check_group **group);
void tern_check_match_after(struct tern_call *call);

/* The thread's last collective call was the number-th of its group. */
uint64_t tern_check_match_number(void);

/* The process ends with this status. */
void tern_check_match_exit(int status);

#endif
