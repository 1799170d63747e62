/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether this machine can run so many PEs. */
#ifndef TERN_LAUNCH_PLAN_LIMITS_H
#define TERN_LAUNCH_PLAN_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0, or -EAGAIN after a message with the limit that n_pes exceed. */
int tern_limits_check(uint64_t n_pes);

/* Room for the text below. */
#define TERN_LIMITS_START_BYTES 320

/*
 * Writes what the errno means by which a process could not be started, for the end of a message,
 * with the limit behind it: of processes there are several.
 */
void tern_limits_explain_start(int error, char text[TERN_LIMITS_START_BYTES]);

#endif
