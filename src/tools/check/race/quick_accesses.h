/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that bypass the tool (tools/quick.h): accesses to single words, logged without a record of
 * the call if the routine's last call came from the same place; fences and quiets.
 */
#ifndef TERN_CHECK_QUICK_ACCESSES_H
#define TERN_CHECK_QUICK_ACCESSES_H

#include "tools/call.h"

/* The check of races has begun, or has stopped. */
void tern_check_quick_accesses_start(void);
void tern_check_quick_accesses_stop(void);

/* A call was logged by its record: the routine's next ones from there may bypass the tool. */
void tern_check_quick_accesses_note(const struct tern_call *call, unsigned how);

#endif
