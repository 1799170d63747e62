/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The accesses to the symmetric memory of the machine's PEs that something might race with, in
 * shared memory: accesses of lines, which are 64 bytes, or of pages, which are 64 lines, whichever
 * an access covers. There is room for so many, and the oldest are forgotten.
 */
#ifndef TERN_CHECK_SHADOW_H
#define TERN_CHECK_SHADOW_H

#include "tools/check/race/clocks.h"
#include "tools/check/race/conflicts.h"

/*
 * The access of n pieces of so many bytes, stride bytes apart, from a offset in the target's memory
 * on: finds what conflicts with it, and leaves its accesses. access: its mask is filled in on the
 * way.
 */
void tern_check_shadow_add(int target, uint64_t offset, uint64_t bytes, uint64_t stride, uint64_t n,
                           struct tern_check_access *access,
                           struct tern_check_conflicts *conflicts);

#endif
