/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bursts: so many calls of the kinds that quick.h lists in a short time that it would take too long
 * to record each of them. Then one in TERN_BURST_PERIOD is recorded on average, at random
 * distances; the others are only counted. All functions are about the calling thread.
 */
#ifndef TERN_TOOLS_PROFILE_BURST_H
#define TERN_TOOLS_PROFILE_BURST_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/call.h"

/* A thread's calls that are recorded in any case: its first ones, and those after a pause. */
#define TERN_BURST_FIRST 4096
#define TERN_BURST_AFTER_PAUSE 256
#define TERN_BURST_PERIOD 1000

/* Measures the clock. */
void tern_burst_prepare(void);

/* Whether calls of this kind may be part of a burst. */
bool tern_burst_is_part(struct tern_call *call);

/* How many calls have bypassed the tool since the last one that did not. */
uint64_t tern_burst_bypassed(void);

/* After a recorded call, at time `now`: decides how many of the next ones bypass the tool. */
void tern_burst_next(struct tern_call *call, uint64_t now);

/* How long it takes to read the clock, by tern_burst_prepare(). */
uint64_t tern_burst_clock_ns(void);

#endif
