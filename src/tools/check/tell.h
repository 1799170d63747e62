/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what races, in the program's terms. */
#ifndef TERN_CHECK_TELL_H
#define TERN_CHECK_TELL_H

#include "tools/check/buffers.h"
#include "tools/check/found.h"

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
