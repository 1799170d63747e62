/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether this machine can run so many PEs. */
#ifndef TERN_LAUNCH_PLAN_LIMITS_H
#define TERN_LAUNCH_PLAN_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0, or -EAGAIN after a message with the limit that n_pes exceed. */
int tern_limits_check(uint64_t n_pes);

/*
 * Writes " (ulimit -u: ..., pids.max: ..., kernel: ...)" for the message about a process that could
 * not be started.
 */
void tern_limits_describe(char *text, size_t size);

#endif
