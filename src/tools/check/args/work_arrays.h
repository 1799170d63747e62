/* SPDX-License-Identifier: BSD-3-Clause */
/* The work arrays of calls on active sets: pSync, and pWrk of reductions. */
#ifndef TERN_CHECK_WORK_ARRAYS_H
#define TERN_CHECK_WORK_ARRAYS_H

#include "tools/call.h"

/* Whether other PEs may still be in a call that used work arrays. */
extern bool tern_check_work_arrays_in_use;

/* Before a call on an active set: reports unusable arrays. The caller holds the records lock. */
void tern_check_work_arrays_check(struct tern_call *call);

/*
 * Before any other call, while arrays are in use: clears that if the call may show that the other
 * PEs have left the earlier call.
 */
void tern_check_work_arrays_note_call(const struct tern_call *call);

#endif
