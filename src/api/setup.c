/* SPDX-License-Identifier: BSD-3-Clause */
/* Library setup, exit and query (9.1), thread support (9.2). */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "api/check.h"
#include "api/export.h"
#include "base/atomics.h"
#include "base/log.h"
#include "boot/boot.h"
#include "coll/start.h"
#include "core/ctx.h"
#include "core/dedup.h"
#include "core/exit.h"
#include "core/failure_detector.h"
#include "core/lifecycle.h"
#include "core/multinode.h"
#include "core/network.h"
#include "core/order.h"
#include "core/translation.h"

/* Libraries in one program may initialize and finalize at the same time. */
static TERN_PE_LOCAL pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER;

_Static_assert(SHMEM_THREAD_MULTIPLE == TERN_THREAD_MULTIPLE, "core/job.h");

static int start_job(int thread_level)
{
    int r = tern_lifecycle_start(thread_level);

    if (r)
        return r;
    r = tern_coll_start();
    if (r)
        tern_lifecycle_stop();
    return r;
}

/* 0, or -errno after the reason was printed. */
static int start(int thread_level)
{
    int r = 0;

    pthread_mutex_lock(&life);
    if (tern_job.inits == 0)
        r = start_job(thread_level);
    else
        tern_job.inits++;
    /* The library always supports MULTIPLE, so a later request for a higher level succeeds. */
    if (r == 0 && thread_level > tern_job.thread_level)
        tern_job.thread_level = thread_level;
    if (r == 0 && tern_job.thread_level == SHMEM_THREAD_MULTIPLE)
        tern_network_share();
    pthread_mutex_unlock(&life);
    return r;
}

static void start_or_exit(void)
{
    if (start(SHMEM_THREAD_SINGLE) == 0)
        return;
    tern_boot_set_reported();
    exit(EXIT_FAILURE);
}

/*
 * Whether this finalize has no matching init: it then only prints a warning. In the child of a fork
 * false, so that the caller refuses it: the child is not a PE.
 */
static bool has_ended(const char *routine)
{
    if (tern_job_runs() || !tern_job.was_started || tern_boot_attach(environ)->forked)
        return false;
    if (tern_dedup_warns_first(TERN_WARN_FINALIZED))
        tern_warn("%s: called after the last shmem_finalize: the call does nothing", routine);
    return true;
}

/* The last finalize ends the library; an earlier one is a barrier_all. */
static void finalize(const char *routine)
{
    if (has_ended(routine))
        return;
    require_job(routine);
    if (tern_job.thread_level >= SHMEM_THREAD_FUNNELED &&
        !pthread_equal(pthread_self(), tern_job.main_thread))
        tern_fatal(routine, "called by another thread than the one that initialized: "
                            "call it from that one");
    if (tern_job.inits == 1) {
        tern_ctx_quiet_all();
        tern_failure_detector_expect_leave();
    } else {
        tern_order_quiet();
    }
    tern_team_sync(&tern_team_world, routine);
    pthread_mutex_lock(&life);
    if (tern_job.inits > 1) {
        tern_job.inits--;
    } else {
        tern_coll_stop();
        tern_lifecycle_stop();
    }
    pthread_mutex_unlock(&life);
}

TERN_API(void, shmem_init)(void)
{
    start_or_exit();
}

TERN_API(int, shmem_init_thread)(int requested, int *provided)
{
    int r;

    if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) {
        tern_error("%s: requested is %d: use one of SHMEM_THREAD_SINGLE, FUNNELED, SERIALIZED, "
                   "MULTIPLE",
                   TERN_ROUTINE, requested);
        return -EINVAL;
    }
    r = start(requested);
    if (r == 0)
        *provided = tern_job.thread_level;
    else
        tern_boot_set_reported(); /* a program that ends because of it needs no line of oshrun's */
    return r;
}

TERN_API(void, shmem_query_thread)(int *provided)
{
    *provided = tern_job_runs() ? tern_job.thread_level : SHMEM_THREAD_SINGLE;
}

TERN_API(void, shmem_query_initialized)(int *initialized)
{
    *initialized = tern_load_relaxed(&tern_job.inits) > 0;
}

TERN_API(void, shmem_finalize)(void)
{
    finalize(TERN_ROUTINE);
}

/* Set by shmem_global_exit: the exit handler then does not wait for other PEs. */
static TERN_PE_LOCAL bool exits_for_all;

/* A PE that exits with a nonzero status has failed, and does not wait either. */
static void finalize_at_exit(int status, void *routine)
{
    if (status == 0 && !exits_for_all && tern_job_runs())
        finalize(routine);
}

TERN_API(void, start_pes)(int npes)
{
    static TERN_PE_LOCAL bool called;

    if (called)
        return;
    called = true;
    start_or_exit();
    on_exit(finalize_at_exit, (void *)TERN_ROUTINE);
}

TERN_API(void, shmem_global_exit)(int status)
{
    require_job(TERN_ROUTINE);
    if (!__atomic_exchange_n(&exits_for_all, true, __ATOMIC_RELAXED)) {
        tern_exit_set_global(status);
        exit(status);
    }
    for (;;)
        pause(); /* another thread of this PE is exiting */
}

TERN_API(int, shmem_my_pe)(void)
{
    require_job(TERN_ROUTINE);
    return tern_job.pe;
}

TERN_API(int, shmem_n_pes)(void)
{
    require_job(TERN_ROUTINE);
    return tern_job.n_pes;
}

TERN_API(int, _my_pe)(void)
{
    require_job(TERN_ROUTINE);
    return tern_job.pe;
}

TERN_API(int, _num_pes)(void)
{
    require_job(TERN_ROUTINE);
    return tern_job.n_pes;
}

static bool is_accessible(int pe)
{
    return (unsigned)pe < (unsigned)tern_job.n_pes &&
           (tern_boot_node_pe(tern_job.boot, pe) >= 0 || tern_net->reaches(pe) == 0);
}

TERN_API(int, shmem_pe_accessible)(int pe)
{
    require_job(TERN_ROUTINE);
    return is_accessible(pe);
}

TERN_API(int, shmem_addr_accessible)(const void *addr, int pe)
{
    char text[256];

    require_job(TERN_ROUTINE);
    return is_accessible(pe) &&
           !tern_translation_explain(addr, 1, tern_boot_node_pe(tern_job.boot, pe) >= 0, text,
                                     sizeof text);
}

static void *pointer_to(const void *dest, int pe, const char *routine)
{
    void *at = tern_route_scalar(dest, pe);

    if (tern_likely(at != NULL))
        return at;
    require_job(routine);
    if ((unsigned)pe >= (unsigned)tern_job.n_pes)
        tern_require_refuse_pe(pe, tern_job.n_pes, routine);
    return tern_translation_resolve(dest, 1, pe);
}

TERN_API(void *, shmem_ptr)(const void *dest, int pe)
{
    return pointer_to(dest, pe, TERN_ROUTINE);
}

TERN_API(void *, shmem_team_ptr)(shmem_team_t team, const void *dest, int pe)
{
    const struct tern_team *t;

    if (team == SHMEM_TEAM_INVALID)
        return NULL;
    t = tern_team_get((uintptr_t)team, TERN_ROUTINE);
    if ((unsigned)pe >= (unsigned)t->pes.size)
        tern_require_refuse_pe(pe, t->pes.size, TERN_ROUTINE);
    return pointer_to(dest, tern_pe_range_world(&t->pes, pe), TERN_ROUTINE);
}
