/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes operations late, in pieces and out of order, as far as the standard allows. */
#ifndef TERN_TOOLS_CHAOS_DELAY_H
#define TERN_TOOLS_CHAOS_DELAY_H

#include "tools/chaos/queue.h"

/* Begins an operation that updates PE's memory, or one whose result nobody waits for. */
void tern_delay_begin(struct tern_queue *queue, struct tern_call *call);

/* Runs an operation that is waited for, and that fences order: an atomic one with a result. */
void tern_delay_run(struct tern_queue *queue, struct tern_call *call);

#endif
