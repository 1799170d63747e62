/* SPDX-License-Identifier: BSD-3-Clause */
/* Logs a call's accesses to the memory of a PE, or to private memory of its caller. */
#ifndef TERN_CHECK_ACCESS_LOG_H
#define TERN_CHECK_ACCESS_LOG_H

#include "tools/call.h"
#include "tools/check/race/clocks.h"

/* n pieces of so many bytes each, whose starts are stride bytes apart. */
struct tern_check_pieces {
    uintptr_t start;
    uint64_t bytes, stride, n;
};

/* The pieces that a call accesses by its dest or source. */
void tern_check_access_log_pieces(struct tern_call *call, enum tern_role role,
                                  enum tern_role stride_role, struct tern_check_pieces *pieces);

/*
 * Logs an access of this call to the target's symmetric memory, at these local addresses, and
 * reports what races with it. how: bits of enum tern_check_access_bits; ctx: the number of the
 * context that completes it.
 */
void tern_check_access_log_add(const struct tern_call *call, int target,
                               const struct tern_check_pieces *pieces, unsigned how, int ctx);

/* The same for this PE's own memory, which may be private. */
void tern_check_access_log_add_local(const struct tern_call *call,
                                     const struct tern_check_pieces *pieces, bool writes, int ctx);

/*
 * This PE begins to wait for bytes of its own; it has seen what was written to bytes of the target.
 */
void tern_check_access_log_await(uintptr_t start, uint64_t bytes);
void tern_check_access_log_learn(int target, uintptr_t start, uint64_t bytes);

/* The operations of this PE on a context, or on all contexts, are complete. */
void tern_check_access_log_quiet(int ctx);
void tern_check_access_log_quiet_all(void);

/* This PE clears a lock; it has set one. */
void tern_check_access_log_clear_lock(const struct tern_call *call, const void *lock);
void tern_check_access_log_set_lock(const void *lock);

#endif
