/* SPDX-License-Identifier: BSD-3-Clause */
/* The contexts and teams that this PE has made, and what became of them. The caller holds a lock.
 */
#ifndef TERN_CHECK_HANDLES_H
#define TERN_CHECK_HANDLES_H

#include "tools/call.h"

/* Around each call: reports what is wrong with its context or team, and keeps the books. */
void tern_check_handles_before(struct tern_call *call);
void tern_check_handles_after(struct tern_call *call);

/* Whether a transfer or atomic operation is one of this PE with its own memory. */
bool tern_check_targets_itself(struct tern_call *call);

/* Reports a transfer or atomic operation whose PE there is not. */
void tern_check_target(struct tern_call *call);

/* Reports what is left. */
void tern_check_handles_end(void);

#endif
