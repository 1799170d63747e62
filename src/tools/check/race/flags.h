/* SPDX-License-Identifier: BSD-3-Clause */
/* Flags: words that PEs write, and wait for, to synchronize. */
#ifndef TERN_CHECK_FLAGS_H
#define TERN_CHECK_FLAGS_H

#include "tools/check/race/clocks.h"

/* A PE waits for these bytes: from now on writes of single words to them are no races. */
void tern_check_flags_await(int target, uint64_t offset, uint64_t bytes, uint64_t when);

/* This PE has seen what was written there, and learns what the writers had done before. */
void tern_check_flags_learn(int target, uint64_t offset, uint64_t bytes);

#endif
