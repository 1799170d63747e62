/* SPDX-License-Identifier: BSD-3-Clause */
/* An access of a call to memory: to that of a PE, or to its caller's own. */
#ifndef TERN_CHECK_ACCESS_LOG_H
#define TERN_CHECK_ACCESS_LOG_H

#include "tools/call.h"
#include "tools/check/race/clocks.h"

/* n pieces of so many bytes each, their beginnings stride bytes apart. */
struct tern_check_pieces {
    uintptr_t start;
    uint64_t bytes, stride, n;
};

/* What a call reaches by its dest or source. */
void tern_check_access_log_pieces(struct tern_call *call, enum tern_role role,
                                  enum tern_role stride_role, struct tern_check_pieces *pieces);

/*
 * The access of this call to the target's symmetric memory, by this PE's addresses: of a kind of
 * enum tern_check_access_bits, completed by ctx. Tells what conflicts with it.
 */
void tern_check_access_log_add(const struct tern_call *call, int target,
                               const struct tern_check_pieces *pieces, unsigned how, int ctx);

/* The same of this PE's own memory, which may be private. */
void tern_check_access_log_add_local(const struct tern_call *call,
                                     const struct tern_check_pieces *pieces, bool writes, int ctx);

/* This PE waits for bytes of its own, or has seen what was written to some. */
void tern_check_access_log_await(uintptr_t start, uint64_t bytes);
void tern_check_access_log_learn(int target, uintptr_t start, uint64_t bytes);

/* What this PE has called on a context, or on any, completes. */
void tern_check_access_log_quiet(int ctx);
void tern_check_access_log_quiet_all(void);

/* A lock is given back, or taken. */
void tern_check_access_log_clear_lock(const struct tern_call *call, const void *lock);
void tern_check_access_log_set_lock(const void *lock);

#endif
