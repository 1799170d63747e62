/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of this PE that ended a wait. */
#ifndef TERN_TOOLS_PROFILE_WAITS_H
#define TERN_TOOLS_PROFILE_WAITS_H

#include "tools/call.h"

/*
 * Makes a call of kind WAIT, and calls report() for each word that ended the wait or a step of it,
 * with the time waited. Words that changed together share the time.
 */
void tern_waits_run(struct tern_call *call, void (*report)(const void *word, uint64_t ns));

#endif
