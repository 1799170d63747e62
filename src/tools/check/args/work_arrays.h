/* SPDX-License-Identifier: BSD-3-Clause */
/* The work arrays of collective calls on active sets: pSync, and pWrk of reductions. */
#ifndef TERN_CHECK_WORK_ARRAYS_H
#define TERN_CHECK_WORK_ARRAYS_H

#include "tools/call.h"

/* Whether a call before has used such arrays, and nothing since can have told that it is over. */
extern bool tern_check_work_arrays_in_use;

/* Before a call on an active set: reports arrays that it can't use. The caller holds a lock. */
void tern_check_work_arrays_check(struct tern_call *call);

/* Before any other call, if arrays are in use: they are not if it may have brought news. */
void tern_check_work_arrays_note_call(const struct tern_call *call);

#endif
