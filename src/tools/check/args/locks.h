/* SPDX-License-Identifier: BSD-3-Clause */
/* The locks that this PE holds. The caller holds one of its own. */
#ifndef TERN_CHECK_LOCKS_H
#define TERN_CHECK_LOCKS_H

#include "tools/call.h"

/* Whether it is one of those for locks. */
bool tern_check_locks_is_routine(const struct tern_routine *routine);

/* Around each call: reports misuse, and keeps the books. */
void tern_check_locks_before(struct tern_call *call);
void tern_check_locks_after(struct tern_call *call);

/* Reports the locks that are still held. */
void tern_check_locks_end(void);

#endif
