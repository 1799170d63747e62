/* SPDX-License-Identifier: BSD-3-Clause */
/* The SHMEM locks that this PE holds. The caller holds the records lock. */
#ifndef TERN_CHECK_LOCKS_H
#define TERN_CHECK_LOCKS_H

#include "tools/call.h"

/* Whether the routine is one for locks. */
bool tern_check_locks_is_routine(const struct tern_routine *routine);

/* Around each call: reports misuse, and records what is held. */
void tern_check_locks_before(struct tern_call *call);
void tern_check_locks_after(struct tern_call *call);

/* Reports the locks still held. */
void tern_check_locks_end(void);

#endif
