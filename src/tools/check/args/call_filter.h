/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mistakes that the library lets pass and the check does not. Such calls are dropped or corrected
 * before they reach the library.
 */
#ifndef TERN_CHECK_CALL_FILTER_H
#define TERN_CHECK_CALL_FILTER_H

#include "tools/call.h"

/*
 * Before a call: reports an invalid alignment, and an active set without this PE. Returns true for
 * the latter: then nothing else about the call needs checking.
 */
bool tern_check_call_filter_report(struct tern_call *call);

/*
 * Whether the call is not to be made because it would change nothing: a call on an active set
 * without this PE, or a second finalize.
 */
bool tern_check_call_filter_drops(struct tern_call *call);

/* Makes the call, with a valid alignment. */
void tern_check_call_filter_run(struct tern_call *call);

#endif
