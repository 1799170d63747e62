/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports conflicts in the program's terms. */
#ifndef TERN_CHECK_RACE_REPORT_H
#define TERN_CHECK_RACE_REPORT_H

#include "tools/check/race/conflicts.h"
#include "tools/check/race/private_buffers.h"

/*
 * Whether all conflicts of an access are between two sites that were reported already; counts them
 * then.
 */
bool tern_check_race_report_again(const struct tern_check_access *access,
                                  const struct tern_check_conflicts *conflicts);

/*
 * Reports the conflicts of a call's access to memory of the target PE, which begins at this local
 * address and at this offset in the target's memory.
 */
void tern_check_race_report_conflicts(const struct tern_call *call,
                                      const struct tern_check_access *access, int target,
                                      uintptr_t address, uint64_t offset,
                                      const struct tern_check_conflicts *conflicts);

/* Reports a conflict in private memory. */
void tern_check_race_report_buffer(const struct tern_call *call, uintptr_t address, size_t bytes,
                                   bool writes, const struct tern_check_private_buffer *buffer);

#endif
