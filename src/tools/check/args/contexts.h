/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contexts of this PE: which threads may use them, which PEs they reach, and the numbers by
 * which access records name them. The caller holds the records lock.
 */
#ifndef TERN_CHECK_CONTEXTS_H
#define TERN_CHECK_CONTEXTS_H

#include "tools/call.h"
#include "tools/check/shared/identity.h"

/*
 * The number of a context: what completes an access. CTX_AT_ONCE: the access is complete when its
 * call returns.
 */
enum { CTX_AT_ONCE = 0, CTX_DEFAULT = 1, MAX_CTXS = 64 };

/* Before each call on a context, and after each call that used or created one. */
void tern_check_contexts_before(struct tern_call *call);
void tern_check_contexts_after(struct tern_call *call);

/* Whether a transfer or atomic operation targets this PE itself. */
bool tern_check_contexts_target_is_me(struct tern_call *call);

/* Reports a transfer or atomic operation whose PE does not exist. */
void tern_check_contexts_check_pe(struct tern_call *call);

/* The slow paths of the next two functions, for calls that name a context. */
int tern_check_contexts_find_number(struct tern_call *call);
int tern_check_contexts_find_pe(struct tern_call *call);

/* The number of the call's context. An unknown context counts as CTX_AT_ONCE. */
static inline int tern_check_contexts_number(struct tern_call *call)
{
    return call->routine->place[TERN_CTX] ? tern_check_contexts_find_number(call) : CTX_DEFAULT;
}

/* The world's number of the PE that a transfer or atomic operation targets; -1 if there is none. */
static inline int tern_check_contexts_pe(struct tern_call *call)
{
    int pe = call->routine->place[TERN_CTX] ? tern_check_contexts_find_pe(call)
                                            : (int)tern_call_number(call, TERN_PE, -1);

    return pe < tern_check_n_pes() ? pe : -1;
}

/* After a call that created a context, and after one that destroyed one. */
void tern_check_contexts_assign_number(struct tern_call *call);
void tern_check_contexts_release_number(struct tern_call *call);

/* Before the destruction of a team, or of all teams, which destroys their contexts. */
void tern_check_contexts_release_numbers_of(const void *team);
void tern_check_contexts_release_all_numbers(void);

/* The destruction of a team destroys its contexts. */
void tern_check_contexts_end_of_team(const struct tern_call *call, const void *team);

/* Reports contexts that were not destroyed. */
void tern_check_contexts_end(void);

#endif
