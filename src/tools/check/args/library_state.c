/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts inits and finalizes, and checks calls against the thread level. */
#include "tools/check/args/library_state.h"

#include <shmem.h>
#include <string.h>

#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/source_location.h"
#include "tools/quick.h"

/* How many threads' calls are known at a time. */
#define MAX_INSIDE 64

__thread char tern_check_library_state_own;
struct tern_check_library_state tern_check_library_state = {.level = SHMEM_THREAD_MULTIPLE};

static struct tern_check_library_state *const now = &tern_check_library_state;
static bool has_run;        /* at any time so far */
static unsigned n_starting; /* inits in progress before the first has returned */

/* A call in progress where several threads may make calls. */
struct inside {
    const struct tern_call *call;
    const void *thread;
};
static struct inside inside[MAX_INSIDE];

static const char *const level_names[] = {"SHMEM_THREAD_SINGLE", "SHMEM_THREAD_FUNNELED"};

/* Whether the routine may be called at any time. */
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

static bool is_first(void)
{
    return tern_check_library_state_thread() == now->first;
}

/* ---- calls of several threads ---- */

static void enter(const struct tern_call *call)
{
    for (int i = 0; i < MAX_INSIDE; i++)
        if (!inside[i].call) {
            inside[i] = (struct inside){call, tern_check_library_state_thread()};
            return;
        }
}

static void leave(const struct tern_call *call)
{
    for (int i = 0; i < MAX_INSIDE; i++)
        if (inside[i].call == call)
            inside[i].call = NULL;
}

/* A call that another thread is in, or NULL. */
static const struct tern_call *find_other(void)
{
    for (int i = 0; i < MAX_INSIDE; i++)
        if (inside[i].call && inside[i].thread != tern_check_library_state_thread())
            return inside[i].call;
    return NULL;
}

static void report_other(const struct tern_call *call, const struct tern_call *other,
                         const char *why)
{
    tern_check_findings_report(call, FINDING_THREAD, "%s, and another thread is in %s at %s", why,
                               other->routine->name, tern_check_source_location_text(other->site));
}

/* Checks a call that other threads' calls may overlap. */
static void check_shared(const struct tern_call *call)
{
    const struct tern_call *other = find_other();
    bool is_last = call->routine->kind == TERN_KIND_FINALIZE && now->inits == 1;

    if (call->routine->kind == TERN_KIND_FINALIZE && !is_first())
        tern_check_findings_report(call, FINDING_THREAD,
                                   "only the thread that called init may call shmem_finalize");
    else if (other && now->level == SHMEM_THREAD_SERIALIZED)
        report_other(call, other, "the thread level is SHMEM_THREAD_SERIALIZED");
    else if (other && is_last)
        report_other(call, other, "the call ends OpenSHMEM");
}

/* The standard has one thread initialize, and knows no order of two that do. */
static void check_start(const struct tern_call *call)
{
    if (n_starting++ > 0)
        tern_check_findings_report(
            call, FINDING_THREAD,
            "OpenSHMEM is not initialized yet, and another thread is initializing it");
}

static bool is_init(const struct tern_routine *routine)
{
    return routine->kind == TERN_KIND_INIT || routine->kind == TERN_KIND_INIT_THREAD ||
           routine->kind == TERN_KIND_START_PES;
}

/* Atomic: other threads may be in calls, and the watching thread loads it at any time. */
static void set_level(int level)
{
    __atomic_store_n(&now->level, level, __ATOMIC_RELAXED);
}

/* A later init may have raised the level. */
static void started(void)
{
    int level = SHMEM_THREAD_SINGLE;

    if (tern_has("shmem_query_thread"))
        TERN_REAL(shmem_query_thread)(&level);
    set_level(level);
    if (now->inits++ > 0)
        return;
    has_run = true;
    now->first = tern_check_library_state_thread();
    memset(inside, 0, sizeof inside);
    tern_check_findings_open();
    tern_check_identity =
        (struct tern_check_identity){TERN_REAL(shmem_my_pe)(), TERN_REAL(shmem_n_pes)()};
    tern_quick.n_pes = tern_check_n_pes();
}

/* Whether an extension, or a wrapper function of the program, has started the library. */
static bool runs_unseen(void)
{
    int initialized = 0;

    if (tern_has("shmem_query_initialized"))
        TERN_REAL(shmem_query_initialized)(&initialized);
    return initialized;
}

static void check_phase(struct tern_call *call)
{
    if (is_timeless(call->routine))
        return;
    if (runs_unseen())
        started();
    else
        tern_check_findings_report(call, FINDING_OUTSIDE, "%s",
                                   has_run ? "it comes after shmem_finalize"
                                           : "it comes before shmem_init");
}

bool tern_check_library_state_has_ended(void)
{
    return has_run && now->inits == 0;
}

bool tern_check_library_state_before(struct tern_call *call)
{
    if (now->inits == 0 && is_init(call->routine)) {
        check_start(call);
    } else if (now->inits == 0) {
        check_phase(call);
    } else if (now->level <= SHMEM_THREAD_FUNNELED) {
        if (is_first())
            return true;
        if (!is_timeless(call->routine))
            tern_check_findings_report(
                call, FINDING_THREAD,
                "the thread level is %s, and this thread is not the one that called init",
                level_names[now->level]);
        return false;
    } else if (!is_timeless(call->routine)) {
        check_shared(call);
        enter(call);
    }
    return true;
}

void tern_check_library_state_after(struct tern_call *call)
{
    enum tern_kind kind = call->routine->kind;

    if (now->level > SHMEM_THREAD_FUNNELED)
        leave(call);
    if (is_init(call->routine) && n_starting > 0)
        n_starting--;
    if (kind == TERN_KIND_INIT || (kind == TERN_KIND_INIT_THREAD && call->result.i == 0))
        started();
    else if (kind == TERN_KIND_START_PES && now->inits == 0)
        started();
    else if (kind == TERN_KIND_FINALIZE && now->inits > 0 && --now->inits == 0)
        set_level(SHMEM_THREAD_MULTIPLE);
}

void tern_check_library_state_end(void)
{
    now->inits = 0;
    set_level(SHMEM_THREAD_MULTIPLE);
}
