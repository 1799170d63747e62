/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes that the library lets pass, and the check does not: the library never sees them. */
#ifndef TERN_CHECK_CALL_FILTER_H
#define TERN_CHECK_CALL_FILTER_H

#include "tools/call.h"

/*
 * Before a call: reports an alignment that can't be. True if the call names an active set that this
 * PE is not in, which it reports; nothing else of such a call matters.
 */
bool tern_check_call_filter_report(struct tern_call *call);

/*
 * Whether the call is not to be made, as it changes nothing: that of an active set without this PE,
 * or a finalize too many.
 */
bool tern_check_call_filter_drops(struct tern_call *call);

/* Makes the call, with an alignment that can be. */
void tern_check_call_filter_run(struct tern_call *call);

#endif
