/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether this machine lets so many PEs run. */
#ifndef TERN_LAUNCH_PLAN_LIMITS_H
#define TERN_LAUNCH_PLAN_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0, or -EAGAIN after naming the limit that n_pes exceed and its figures. */
int tern_limits_check(uint64_t n_pes);

/* " (the limits on processes)", for the message about one that could not be started. */
void tern_limits_describe(char *text, size_t size);

#endif
