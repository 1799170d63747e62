/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what races, in the program's terms. */
#ifndef TERN_CHECK_RACE_REPORT_H
#define TERN_CHECK_RACE_REPORT_H

#include "tools/check/race/conflicts.h"
#include "tools/check/race/private_buffers.h"

/*
 * What races with a call's access to memory of the target PE: address is where it begins, as this
 * PE has it, and place where that is in the target's memory.
 */
void tern_check_tell_races(const struct tern_call *call, const struct tern_check_mark *mark,
                           int target, uintptr_t address, uint64_t place,
                           const struct tern_check_races *races);

/* What races in private memory. */
void tern_check_tell_buffer(const struct tern_call *call, uintptr_t address, size_t bytes,
                            bool writes, const struct tern_check_buffer *buffer);

#endif
