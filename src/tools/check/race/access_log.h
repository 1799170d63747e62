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

/*
 * The same for an access to at most 8 bytes by a call that has no record yet. Returns whether there
 * is nothing to report; otherwise the call's next access to be logged is this one, and is reported.
 */
bool tern_check_access_log_add_word(uint32_t site, int target, uintptr_t start, uint64_t bytes,
                                    unsigned how, int ctx);

/* The same for this PE's own memory, which may be private. */
void tern_check_access_log_add_local(const struct tern_call *call,
                                     const struct tern_check_pieces *pieces, bool writes, int ctx);

/*
 * Logs accesses of the program itself, which were made at that time: to the bytes in the mask of a
 * line of 64 bytes, or to the lines in the mask of a page of 64 lines, that begins at this address
 * of symmetric memory.
 */
void tern_check_access_log_add_line(const struct tern_call *call, int target, uintptr_t line,
                                    uint64_t mask, unsigned how, uint64_t when);
void tern_check_access_log_add_page(const struct tern_call *call, uintptr_t page, uint64_t mask,
                                    unsigned how, uint64_t when);

/* Reports an access of the program to a private buffer that an operation still uses. */
void tern_check_access_log_check_private(const struct tern_call *call, uintptr_t start,
                                         uint64_t bytes, bool writes);

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
