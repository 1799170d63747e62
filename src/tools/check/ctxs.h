/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for this PE's contexts, by which accesses say what completes them. */
#ifndef TERN_CHECK_CTXS_H
#define TERN_CHECK_CTXS_H

#include "tools/call.h"
#include "tools/check/order.h"
#include "tools/check/who.h"

/* Of a call that has a context. */
int tern_check_ctx_find_number(struct tern_call *call);
int tern_check_ctx_find_pe(struct tern_call *call);

/* The call's context, as in order.h; one that is not known completes everything at once. */
static inline int tern_check_ctx_number(struct tern_call *call)
{
    return call->routine->place[TERN_CTX] ? tern_check_ctx_find_number(call)
                                          : TERN_CHECK_BY_DEFAULT;
}

/* Of all PEs, the one that a transfer or atomic operation reaches; -1 if it is none. */
static inline int tern_check_ctx_pe(struct tern_call *call)
{
    int pe = call->routine->place[TERN_CTX] ? tern_check_ctx_find_pe(call)
                                            : (int)tern_call_number(call, TERN_PE, -1);

    return pe < tern_check_n_pes() ? pe : -1;
}

/* After a call that has made a context, or before one that ends it. */
void tern_check_ctx_add(struct tern_call *call);
void tern_check_ctx_remove(struct tern_call *call);

/* Before the end of a team, or of all, which is that of its contexts. */
void tern_check_ctx_remove_of(const void *team);
void tern_check_ctx_remove_all(void);

#endif
