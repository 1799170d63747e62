/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts inits and finalizes, and holds calls to the level of thread support. */
#include "tools/check/setup.h"

#include <pthread.h>
#include <shmem.h>
#include <string.h>

#include "tools/check/report.h"

static int inits;         /* that no finalize has matched */
static bool has_run;      /* before, perhaps */
static int level;         /* of thread support */
static pthread_t first;   /* the thread that has called init */
static unsigned n_inside; /* calls under way, where one at a time is allowed */
static pthread_t inside;  /* whose the last of them is */

static const char *const level_names[] = {"SHMEM_THREAD_SINGLE", "SHMEM_THREAD_FUNNELED",
                                          "SHMEM_THREAD_SERIALIZED", "SHMEM_THREAD_MULTIPLE"};

bool tern_check_runs(void)
{
    return inits > 0;
}

bool tern_check_is_last(const struct tern_call *call)
{
    return call->routine->kind == TERN_KIND_FINALIZE && inits == 1;
}

/* What may be called at any time. */
static bool is_timeless(const struct tern_routine *routine)
{
    switch (routine->kind) {
    case TERN_KIND_OTHER:
    case TERN_KIND_INIT:
    case TERN_KIND_INIT_THREAD:
    case TERN_KIND_START_PES:
    case TERN_KIND_QUERY_THREAD:
    case TERN_KIND_CONTROL:
    case TERN_KIND_EXIT:
        return true;
    case TERN_KIND_QUERY:
        return strcmp(routine->name, "shmem_query_initialized") == 0 ||
               strncmp(routine->name, "shmem_info_get_", 15) == 0;
    default:
        return false;
    }
}

static void check_thread(const struct tern_call *call)
{
    bool is_first = pthread_equal(pthread_self(), first);

    if (level <= SHMEM_THREAD_FUNNELED && !is_first)
        tern_check_report(call, TERN_CHECK_THREAD,
                          "the thread level is %s, and this thread is not the one that has called "
                          "init",
                          level_names[level]);
    else if (call->routine->kind == TERN_KIND_FINALIZE && !is_first)
        tern_check_report(call, TERN_CHECK_THREAD,
                          "only the thread that has called init may call shmem_finalize");
    else if (level == SHMEM_THREAD_SERIALIZED && n_inside > 0 &&
             !pthread_equal(inside, pthread_self()))
        tern_check_report(call, TERN_CHECK_THREAD,
                          "the thread level is SHMEM_THREAD_SERIALIZED, and another thread is in a "
                          "call");
}

static bool is_counted(const struct tern_routine *routine)
{
    return level == SHMEM_THREAD_SERIALIZED && inits > 0 && !is_timeless(routine);
}

/* An init that is not the first may have raised the level. */
static void started(void)
{
    level = SHMEM_THREAD_SINGLE;
    if (tern_has("shmem_query_thread"))
        TERN_REAL(shmem_query_thread)(&level);
    if (inits++ > 0)
        return;
    has_run = true;
    first = pthread_self();
    n_inside = 0;
    tern_check_report_identify(TERN_REAL(shmem_my_pe)(), TERN_REAL(shmem_n_pes)());
}

/* An extension may have started the library, or a wrapper of the program's own. */
static bool runs_unseen(void)
{
    int initialized = 0;

    if (tern_has("shmem_query_initialized"))
        TERN_REAL(shmem_query_initialized)(&initialized);
    return initialized;
}

void tern_check_setup_before(struct tern_call *call)
{
    if (inits == 0 && !is_timeless(call->routine) && runs_unseen())
        started();
    if (inits == 0) {
        if (!is_timeless(call->routine))
            tern_check_report(call, TERN_CHECK_PHASE, "%s",
                              has_run ? "it comes after shmem_finalize"
                                      : "it comes before shmem_init");
        return;
    }
    if (level < SHMEM_THREAD_MULTIPLE || call->routine->kind == TERN_KIND_FINALIZE) {
        if (!is_timeless(call->routine))
            check_thread(call);
        if (is_counted(call->routine)) {
            n_inside++;
            inside = pthread_self();
        }
    }
}

void tern_check_setup_after(struct tern_call *call)
{
    enum tern_kind kind = call->routine->kind;

    if (is_counted(call->routine) && n_inside > 0)
        n_inside--;
    if (kind == TERN_KIND_INIT || (kind == TERN_KIND_INIT_THREAD && call->result.i == 0))
        started();
    else if (kind == TERN_KIND_START_PES && inits == 0)
        started();
    else if (kind == TERN_KIND_FINALIZE && inits > 0)
        inits--;
}

void tern_check_setup_end(void)
{
    inits = 0;
}
