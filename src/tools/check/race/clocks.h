/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vector clocks: they tell whether an access of one thread happened, and was complete, before an
 * access of another thread, of the same PE or of another one. A thread of a PE is an actor.
 *
 * An actor's time advances when it releases what it did to other actors, or completes operations;
 * the actors of a PE draw their times from one counter. Each actor keeps the time up to which it
 * knows each other actor: accesses up to that time happened before. An operation that need not be
 * complete when its call returns was complete if a quiet came in between, or for some operations a
 * fence.
 */
#ifndef TERN_CHECK_CLOCKS_H
#define TERN_CHECK_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/check/args/contexts.h"
#include "tools/check/race/access.h"

enum tern_check_order {
    ORDER_HOLDS,
    ORDER_UNKNOWN,    /* the actor does not know that the other call was made */
    ORDER_INCOMPLETE, /* it does, but not that the operation is complete */
};

/* Bytes of shared memory needed for n PEs. */
size_t tern_check_clocks_bytes(int n);

/* The memory has to be zero at first. */
void tern_check_clocks_start(void *memory, int n, int me);

/* The time of an access from now on, as in an access record. */
uint64_t tern_check_clocks_now(void);

/*
 * The same for an access that releases to other PEs what this PE did, as an atomic operation does.
 * Consecutive ones share one time.
 */
uint64_t tern_check_clocks_release(void);

/*
 * This actor releases what it did up to now: returns that time, as in an access record. Later
 * accesses have later times.
 */
uint64_t tern_check_clocks_publish(void);

/* The PE of an actor, and the number of the thread in the PE. */
int tern_check_clocks_pe(int actor);
int tern_check_clocks_thread(int actor);

/* How many actors a PE has had. */
int tern_check_clocks_threads_of(int pe);

/* Whether this actor has learned of the access's one since the last barrier of all PEs. */
bool tern_check_clocks_is_in_touch(const struct tern_check_access *access);

/* This thread as an actor, and whether its PE has others. */
int tern_check_clocks_self(void);
bool tern_check_clocks_has_threads(void);

/*
 * Called by a thread: it becomes an actor that nothing is known of. If there are too many, several
 * threads are one actor. leave() gives the actor to a later thread.
 */
void tern_check_clocks_join(void);
void tern_check_clocks_leave(void);
bool tern_check_clocks_is_actor(void);

/* Operations on this context made so far are complete, or ordered before later ones. */
void tern_check_clocks_quiet(int ctx);
void tern_check_clocks_fence(int ctx);
void tern_check_clocks_quiet_all(void);

/*
 * This actor knows another one's accesses up to the time in `when`, and all that the other one
 * knew.
 */
void tern_check_clocks_learn(uint64_t when);

/* The same, without what the other actor knew. */
void tern_check_clocks_learn_only(uint64_t when);

/* This actor knows all that the actors of a PE, or of all PEs, have done so far. */
void tern_check_clocks_learn_pe(int pe);
void tern_check_clocks_learn_all(void);

/*
 * An actor has seen what another one wrote to the target at `when`: what the writer's PE had fenced
 * before has landed.
 */
void tern_check_clocks_delivered(int target, uint64_t when);

/* How an earlier access to the target's memory is ordered with one that this PE makes now. */
enum tern_check_order tern_check_clocks_compare(const struct tern_check_access *before, int target,
                                                const struct tern_check_access *now);

/* This PE has entered call number `number` of a group at that time, as in an access record. */
void tern_check_clocks_enter(uint64_t group, uint64_t number, uint64_t when);

/*
 * This actor learns what a PE's actor knew when that entered the call, if it is known to have
 * entered: surely, or by its record. only: as by tern_check_clocks_learn_only().
 */
void tern_check_clocks_learn_entered(int pe, uint64_t group, uint64_t number, bool surely,
                                     bool only);

/*
 * All PEs have entered the call: they know this one's accesses before it. completes: its operations
 * up to then are complete as well.
 */
void tern_check_clocks_note_meeting(uint64_t group, uint64_t number, bool completes);

/* Whether no later access can race with the recorded one. */
bool tern_check_clocks_is_over(const struct tern_check_access *access);

/*
 * A record is dropped by which an actor might have learned another one's time. From now on each
 * actor learns that time whenever it learns any.
 */
void tern_check_clocks_forget(const struct tern_check_access *access);
void tern_check_clocks_learn_forgotten(void);

/*
 * Something that the check does not see orders PEs: from now on a successful wait counts as
 * learning everything.
 */
void tern_check_clocks_lose_sight(void);
bool tern_check_clocks_sees_all(void);

/*
 * A record of an awaited variable counts until its PE allocates or frees memory, which may reuse
 * the variable's.
 */
void tern_check_clocks_note_allocation(void);
bool tern_check_clocks_is_recent(const struct tern_check_access *access);

#endif
