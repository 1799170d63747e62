/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contexts that this PE has made, and what became of them: who may use them, whom they reach,
 * and numbers by which accesses say what completes them. The caller holds a lock.
 */
#ifndef TERN_CHECK_CONTEXTS_H
#define TERN_CHECK_CONTEXTS_H

#include "tools/call.h"
#include "tools/check/shared/identity.h"

/* What completes an access, if it does not with its call: a number for each context of a PE. */
enum { CTX_AT_ONCE = 0, CTX_DEFAULT = 1, MAX_CTXS = 64 };

/* Before each call that has a context, and after one that has, or has made one. */
void tern_check_contexts_before(struct tern_call *call);
void tern_check_contexts_after(struct tern_call *call);

/* Whether a transfer or atomic operation is one of this PE with its own memory. */
bool tern_check_contexts_target_is_me(struct tern_call *call);

/* Reports a transfer or atomic operation whose PE there is not. */
void tern_check_contexts_check_pe(struct tern_call *call);

/* Of a call that has a context. */
int tern_check_contexts_find_number(struct tern_call *call);
int tern_check_contexts_find_pe(struct tern_call *call);

/* The call's context, as above; one that is not known completes everything at once. */
static inline int tern_check_contexts_number(struct tern_call *call)
{
    return call->routine->place[TERN_CTX] ? tern_check_contexts_find_number(call) : CTX_DEFAULT;
}

/* Of all PEs, the one that a transfer or atomic operation reaches; -1 if it is none. */
static inline int tern_check_contexts_pe(struct tern_call *call)
{
    int pe = call->routine->place[TERN_CTX] ? tern_check_contexts_find_pe(call)
                                            : (int)tern_call_number(call, TERN_PE, -1);

    return pe < tern_check_n_pes() ? pe : -1;
}

/* After a call that has made a context, and after one that has ended it. */
void tern_check_contexts_assign_number(struct tern_call *call);
void tern_check_contexts_release_number(struct tern_call *call);

/* Before the end of a team, or of all, which is that of its contexts. */
void tern_check_contexts_release_numbers_of(const void *team);
void tern_check_contexts_release_all_numbers(void);

/* The team's end is that of its contexts. */
void tern_check_contexts_end_of_team(const struct tern_call *call, const void *team);

/* Reports what is left. */
void tern_check_contexts_end(void);

#endif
