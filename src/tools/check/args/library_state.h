/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the library is initialized, and which threads may call it. */
#ifndef TERN_CHECK_LIBRARY_STATE_H
#define TERN_CHECK_LIBRARY_STATE_H

#include <shmem.h>

#include "tools/call.h"

/* Loaded at every call. */
struct tern_check_library_state {
    int inits;         /* without a matching finalize */
    int level;         /* the thread level; the highest one while it is not known */
    const void *first; /* the thread that called init, by tern_check_library_state_thread() */
};
extern struct tern_check_library_state tern_check_library_state;

/* The address of this variable identifies the thread. */
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

/* Whether the calling thread is the only one that may make calls. */
static inline bool tern_check_library_state_is_alone(void)
{
    return tern_check_library_state.level <= SHMEM_THREAD_FUNNELED &&
           tern_check_library_state.first == tern_check_library_state_thread();
}

/* Whether the call is the finalize that ends the library. */
static inline bool tern_check_library_state_is_last(const struct tern_call *call)
{
    return call->routine->kind == TERN_KIND_FINALIZE && tern_check_library_state.inits == 1;
}

/* After the last finalize. */
bool tern_check_library_state_has_ended(void);

/*
 * Around each call: reports calls at the wrong time or by the wrong thread. If the first function
 * returns false, the thread must not make calls, and the call is not recorded. Not needed where
 * tern_check_library_state_is_alone().
 */
bool tern_check_library_state_before(struct tern_call *call);
void tern_check_library_state_after(struct tern_call *call);

/* The process ends without a finalize: records the end of the library. */
void tern_check_library_state_end(void);

#endif
