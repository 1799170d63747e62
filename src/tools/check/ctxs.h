/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for this PE's contexts, by which accesses say what completes them. */
#ifndef TERN_CHECK_CTXS_H
#define TERN_CHECK_CTXS_H

#include "tools/call.h"

/* The call's context, as in order.h; one that is not known completes everything at once. */
int tern_check_ctx_number(struct tern_call *call);

/* Of all PEs, the one that a transfer or atomic operation reaches; -1 if it is none. */
int tern_check_ctx_pe(struct tern_call *call);

/* After a call that has made a context, or before one that ends it. */
void tern_check_ctx_add(struct tern_call *call);
void tern_check_ctx_remove(struct tern_call *call);

#endif
