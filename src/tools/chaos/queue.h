/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queued operations: started by the program, not made yet. A queue for each context keeps them in
 * the order in which they will arrive. An operation never overtakes one to the same PE from before
 * a fence: it arrives at the same time or later.
 *
 * Callers hold the lock of tern_queue_lock(), also while an operation is made.
 */
#ifndef TERN_TOOLS_CHAOS_QUEUE_H
#define TERN_TOOLS_CHAOS_QUEUE_H

#include "tools/call.h"

struct tern_queue;

/* Call before all other functions of this file. */
void tern_queue_start(void);

void tern_queue_lock(void);
void tern_queue_unlock(void);

/* The queue of a context. NULL, and handles that were never added, give the default context's. */
struct tern_queue *tern_queue_of(const void *ctx);
void tern_queue_add(void *ctx);
void tern_queue_remove(void *ctx);
void tern_queue_remove_all(void); /* all queues are empty */

/*
 * Queues the call, to be made delay_ns from now or later. `copy`, of `held` bytes, is freed after
 * that. If the queue is full, its first operations arrive now.
 */
void tern_queue_put(struct tern_queue *queue, const struct tern_call *call, int pe,
                    uint64_t delay_ns, void *copy, size_t held);

/* Makes the call now, unless an operation to pe from before a fence is queued: then false. */
bool tern_queue_run(struct tern_queue *queue, struct tern_call *call, int pe);

/* Whether an operation to pe is queued that a new one may overtake. */
bool tern_queue_has_unfenced(const struct tern_queue *queue, int pe);

/* Later operations to a PE must not overtake earlier ones to that PE. */
void tern_queue_fence(struct tern_queue *queue);

/*
 * Deliver the operations of a queue: all of them, those to one PE, or those to one PE from before
 * the last fence; or those of all queues.
 */
void tern_queue_flush(struct tern_queue *queue);
void tern_queue_flush_pe(struct tern_queue *queue, int pe);
void tern_queue_flush_fenced(struct tern_queue *queue, int pe);
void tern_queue_flush_all(void);

/*
 * Wait until the operations that are in the queue now, or in all queues, have arrived at their
 * times. The lock is released meanwhile.
 */
void tern_queue_await(const struct tern_queue *queue);
void tern_queue_await_all(void);

/* Delivers what is due. Returns the time at which the next operation is due, or 0. */
uint64_t tern_queue_turn(void);

/* Releases the lock until that time (0: without limit), or until some first operation changes. */
void tern_queue_wait(uint64_t until);

#endif
