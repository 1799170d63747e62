/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations on their way: begun by the program, not carried out yet. A queue for each context
 * keeps them in the order in which they will arrive. What a fence has put in order to one PE stays
 * so: an operation is given a time of arrival after those of all that it must not overtake.
 *
 * All routines want the one lock of tern_queue_lock(), and carry operations out while they hold it.
 */
#ifndef TERN_TOOLS_CHAOS_QUEUE_H
#define TERN_TOOLS_CHAOS_QUEUE_H

#include "tools/call.h"

struct tern_queue;

/* Before the first call of what follows. */
void tern_queue_start(void);

void tern_queue_lock(void);
void tern_queue_unlock(void);

/* The queue of a context; of the default one for NULL and for handles that were never added. */
struct tern_queue *tern_queue_of(const void *ctx);
void tern_queue_add(void *ctx);
void tern_queue_remove(void *ctx);
void tern_queue_remove_all(void); /* none has anything on its way */

/*
 * Lets the call arrive delay_ns from now or later. copy is freed afterwards, and has held bytes. If
 * too much is on its way, the first of it arrives.
 */
void tern_queue_put(struct tern_queue *queue, const struct tern_call *call, int pe,
                    uint64_t delay_ns, void *copy, size_t held);

/* Runs the call at once, if no fence puts it behind one to pe that is on its way; else false. */
bool tern_queue_run(struct tern_queue *queue, struct tern_call *call, int pe);

/* What begins after this must not overtake what began before, to each PE. */
void tern_queue_fence(struct tern_queue *queue);

/* Lets all arrive; all to one PE; those to one PE that the last fence put before what comes now. */
void tern_queue_flush(struct tern_queue *queue);
void tern_queue_flush_pe(struct tern_queue *queue, int pe);
void tern_queue_flush_fenced(struct tern_queue *queue, int pe);
void tern_queue_flush_all(void);

/* Lets arrive what is due; returns when the next is, or 0 if there is none. */
uint64_t tern_queue_turn(void);

/* Gives the lock away until then (0: for ever), or until something will arrive earlier. */
void tern_queue_wait(uint64_t until);

#endif
