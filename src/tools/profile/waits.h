/* SPDX-License-Identifier: BSD-3-Clause */
/* Which words of this PE a wait was for. */
#ifndef TERN_TOOLS_PROFILE_WAITS_H
#define TERN_TOOLS_PROFILE_WAITS_H

#include "tools/call.h"

/*
 * Makes a call of kind WAIT, and tells of each word that ended it, or a part of it, how long that
 * took. Words that ended it together share the time.
 */
void tern_waits_run(struct tern_call *call, void (*tell)(const void *word, uint64_t ns));

#endif
