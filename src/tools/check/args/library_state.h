/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the library runs, and which thread may call it. */
#ifndef TERN_CHECK_LIBRARY_STATE_H
#define TERN_CHECK_LIBRARY_STATE_H

#include <shmem.h>

#include "tools/call.h"

/* What is asked at every call. */
struct tern_check_library_state {
    int inits;         /* that no finalize has matched */
    int level;         /* of thread support; the highest while it is not known */
    const void *first; /* the thread that has called init, by tern_check_library_state_thread() */
};
extern struct tern_check_library_state tern_check_library_state;

/* Each thread has one, and its address names the thread. */
extern __thread char tern_check_library_state_own __attribute__((tls_model("initial-exec")));

static inline const void *tern_check_library_state_thread(void)
{
    return &tern_check_library_state_own;
}

/* Between the first init and the last finalize. */
static inline bool tern_check_library_state_runs(void)
{
    return tern_check_library_state.inits > 0;
}

/* The only thread that may make calls makes this one. */
static inline bool tern_check_library_state_is_alone(void)
{
    return tern_check_library_state.level <= SHMEM_THREAD_FUNNELED &&
           tern_check_library_state.first == tern_check_library_state_thread();
}

/* The call is a finalize that ends the library. */
static inline bool tern_check_library_state_is_last(const struct tern_call *call)
{
    return call->routine->kind == TERN_KIND_FINALIZE && tern_check_library_state.inits == 1;
}

/* After the last finalize. */
bool tern_check_library_state_has_ended(void);

/*
 * Around each call: reports calls at the wrong time, or by the wrong thread. After false nothing
 * may be written down of the call, as it comes from a thread that must not make any.
 * Where tern_check_library_state_is_alone() there is nothing to report.
 */
bool tern_check_library_state_before(struct tern_call *call);
void tern_check_library_state_after(struct tern_call *call);

/* At the end of the process: what finalize would have ended has ended. */
void tern_check_library_state_end(void);

#endif
