/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vector clocks: they tell whether a call of one PE happened, and was complete, before a call of
 * another. All threads of a PE share one clock.
 *
 * A PE's time advances when it releases what it did to other PEs, or completes operations. Each PE
 * keeps the time up to which it knows each other PE: calls up to that time happened before. An
 * operation that need not be complete when its call returns was complete if a quiet came in
 * between, or for some operations a fence.
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
    ORDER_UNKNOWN,    /* the PE does not know that the other call was made */
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

/* This PE releases what it did up to now: returns that time. Later accesses have later times. */
uint64_t tern_check_clocks_publish(void);

/* Operations on this context made so far are complete, or ordered before later ones. */
void tern_check_clocks_quiet(int ctx);
void tern_check_clocks_fence(int ctx);
void tern_check_clocks_quiet_all(void);

/* This PE knows the other PE's calls up to that time, and all that the other PE knew. */
void tern_check_clocks_learn(int pe, uint64_t time);

/* The same, without what the other PE knew. */
void tern_check_clocks_learn_only(int pe, uint64_t time);

/* This PE knows all that any PE has done so far. */
void tern_check_clocks_learn_all(void);

/*
 * A PE has seen what `pe` wrote to the target at that time: what `pe` had fenced before has landed.
 */
void tern_check_clocks_delivered(int pe, int target, uint64_t time);

/* How an earlier access to the target's memory is ordered with one that this PE makes now. */
enum tern_check_order tern_check_clocks_compare(const struct tern_check_access *before, int target,
                                                const struct tern_check_access *now);

/* This PE has entered call number `number` of a group at that time. */
void tern_check_clocks_enter(uint64_t group, uint64_t number, uint64_t time);

/*
 * Whether a PE has entered the call. *time: when; the PE's present time if that was too long ago to
 * be known. surely: it is known to have entered.
 */
bool tern_check_clocks_entered(int pe, uint64_t group, uint64_t number, bool surely,
                               uint64_t *time);

/*
 * All PEs know this one's calls up to that time. completes: its operations up to then are complete
 * as well.
 */
void tern_check_clocks_all_know(uint64_t time, bool completes);

/* Whether no later access can race with the recorded one. */
bool tern_check_clocks_is_over(const struct tern_check_access *access);

/*
 * A record is dropped by which a PE might have learned another PE's time. From now on each PE
 * learns that time whenever it learns any.
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
