/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What orders the calls of PEs: a clock for each PE, by which a call knows whether another was
 * made, and has completed, before it. All threads of a PE are one line of time.
 *
 * A PE's clock goes on where it lets others know of it, or completes something, and each PE keeps
 * how far it knows that of each other. What was called up to there has come before; what has to
 * complete first has done so if a quiet, or for some a fence, came between.
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
    ORDER_UNKNOWN,    /* the PE has not heard that the other's call was made */
    ORDER_INCOMPLETE, /* it has, but not that it is complete */
};

/* So much shared memory is needed for n PEs. */
size_t tern_check_clocks_bytes(int n);

/* The memory is zero at first. */
void tern_check_clocks_start(void *memory, int n, int me);

/* The time of an access from here on: as when of its access. */
uint64_t tern_check_clocks_now(void);

/*
 * The same of one that lets others know how far this PE is, as an atomic operation does. Those that
 * follow upon each other have one time.
 */
uint64_t tern_check_clocks_release(void);

/* Up to now this PE is known to have come: that time. Later accesses have a later one. */
uint64_t tern_check_clocks_publish(void);

/* Everything on this context that was called before completes, or is ordered with what follows. */
void tern_check_clocks_quiet(int ctx);
void tern_check_clocks_fence(int ctx);
void tern_check_clocks_quiet_all(void);

/* This PE knows that the other one was as far, and whatever that knew. */
void tern_check_clocks_learn(int pe, uint64_t time);

/* The same, without what that knew. */
void tern_check_clocks_learn_only(int pe, uint64_t time);

/* All that any PE has done so far. */
void tern_check_clocks_learn_all(void);

/* Somebody has seen what the PE wrote to the target at that time: what it fenced before is there.
 */
void tern_check_clocks_delivered(int pe, int target, uint64_t time);

/* Whether an access to the target's memory comes before one that this PE makes now. */
enum tern_check_order tern_check_clocks_compare(const struct tern_check_access *before, int target,
                                                const struct tern_check_access *now);

/* This PE's calls of a group are met: its number-th was entered at that time. */
void tern_check_clocks_enter(uint64_t group, uint64_t number, uint64_t time);

/* Whether a PE has entered it, and when; the present, if that is too long ago to be known. */
bool tern_check_clocks_entered(int pe, uint64_t group, uint64_t number, bool surely,
                               uint64_t *time);

/* All PEs know what this one has called up to that time. completes: that has completed, too. */
void tern_check_clocks_all_know(uint64_t time, bool completes);

/* Whether nothing can race with the access any more. */
bool tern_check_clocks_is_over(const struct tern_check_access *access);

/*
 * The access is forgotten, by which some PE might have learned how far another was: from here on
 * whoever learns anything learns that.
 */
void tern_check_clocks_forget(const struct tern_check_access *access);
void tern_check_clocks_learn_forgotten(void);

/* Something orders PEs that is not seen: whoever waits successfully learns all. */
void tern_check_clocks_lose_sight(void);
bool tern_check_clocks_sees_all(void);

/* A access of a variable that is waited for counts until the memory is used for something else. */
void tern_check_clocks_note_allocation(void);
bool tern_check_clocks_is_recent(const struct tern_check_access *access);

#endif
