/* SPDX-License-Identifier: BSD-3-Clause */
/* Words by which PEs tell each other how far they are. */
#ifndef TERN_CHECK_FLAGS_H
#define TERN_CHECK_FLAGS_H

#include "tools/check/race/clocks.h"

/* These bytes are waited for, from now on: short writes to them are no races. */
void tern_check_flags_await(int target, uint64_t offset, uint64_t bytes, uint64_t when);

/* What was written there was seen by this PE, which learns of whoever wrote. */
void tern_check_flags_learn(int target, uint64_t offset, uint64_t bytes);

#endif
