/* SPDX-License-Identifier: BSD-3-Clause */
/* Delays, cuts and reorders operations, as far as the standard allows. */
#ifndef TERN_TOOLS_CHAOS_DELAY_H
#define TERN_TOOLS_CHAOS_DELAY_H

#include "tools/chaos/queue.h"

/* Runs or queues an operation whose result the caller does not need at return. */
void tern_delay_begin(struct tern_queue *queue, struct tern_call *call);

/* Runs an atomic operation whose result the caller needs, after the operations fenced before it. */
void tern_delay_run(struct tern_queue *queue, struct tern_call *call);

#endif
