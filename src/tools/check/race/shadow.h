/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shadow memory: records of the accesses to the symmetric memory of the machine's PEs with which
 * later accesses may race. There are records of lines, which are 64 bytes, and of pages, which are
 * 64 lines; an access uses the largest that it covers. Where room is short the oldest records are
 * dropped.
 */
#ifndef TERN_CHECK_SHADOW_H
#define TERN_CHECK_SHADOW_H

#include "tools/check/race/clocks.h"
#include "tools/check/race/conflicts.h"

/*
 * Looks for conflicts of an access to n pieces of so many bytes, stride bytes apart, from an offset
 * in the target's memory on; then adds it. access: its mask is set on the way.
 */
void tern_check_shadow_add(int target, uint64_t offset, uint64_t bytes, uint64_t stride, uint64_t n,
                           struct tern_check_access *access,
                           struct tern_check_conflicts *conflicts);

#endif
