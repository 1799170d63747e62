/* SPDX-License-Identifier: BSD-3-Clause */
/* The exit handlers, and the choice of one thread that reports to the launcher. */
#include "core/exit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/os.h"
#include "core/job.h"

/* Whether the launcher is to learn how this PE ends. */
enum connection {
    NOT_CONNECTED,
    CONNECTED, /* the PE has begun to join */
    ENDING,    /* a thread ends the connection, or the job */
    ENDED,
};

static TERN_PE_LOCAL const struct tern_boot *boot;
static TERN_PE_LOCAL uint32_t connection; /* enum connection */

/* The process that is the PE: its forked children inherit the exit handlers. */
static TERN_PE_LOCAL int pe_pid;

/* shmem_global_exit has been called: the job ends with this PE, whatever its status. */
static TERN_PE_LOCAL bool ends_for_all;

/* ---- one thread ends the connection ---- */

/* Time to print last messages, before the launcher is asked to end the job: it may do so at once.
 */
#define LAST_WORDS_US 100000

/* Time for the node's PEs to see the job's end and its status: see tern_exit_follow(). */
#define OTHERS_END_US 500000

/* Time for the launcher to end the job: if it is out of reach, its library may wait for ever. */
#define LAUNCHER_ENDS_US 1000000

/*
 * Returns true to one caller only. The acquire's partner is the release in
 * tern_exit_report_from_now().
 */
static bool begin_end(void)
{
    uint32_t connected = CONNECTED;

    return boot->exit_report != TERN_EXIT_SEEN &&
           __atomic_compare_exchange_n(&connection, &connected, ENDING, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

/* Waits for the caller that begin_end() chose, which mostly ends the process as well. */
static void await_end(void)
{
    if (boot->exit_report == TERN_EXIT_SEEN)
        return;
    for (int us = 0; tern_load_acquire(&connection) == ENDING; us += 10000) {
        if (us >= LAST_WORDS_US + OTHERS_END_US + LAUNCHER_ENDS_US)
            return;
        usleep(10000);
    }
}

/* ---- the end of the job ---- */

bool tern_exit_note(int pe, int status)
{
    uint32_t none = 0, word = (uint32_t)pe << TERN_GLOBAL_EXIT_PE_SHIFT | TERN_GLOBAL_EXIT |
                              ((uint32_t)status & 0xff);

    return boot->area && __atomic_compare_exchange_n(&boot->area->global_exit, &none, word, false,
                                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static bool others_have_ended(void)
{
    for (int i = 0; i < boot->node_n_pes; i++) {
        const struct tern_slot *slot = tern_boot_slot(boot, i);

        if (slot != boot->slot && !tern_load_acquire(&slot->exiting))
            return false;
    }
    return true;
}

/* True if all other PEs of the job have ended in time. */
static bool await_others(void)
{
    bool ended = false;

    for (int us = 0; boot->slot && !ended && us < OTHERS_END_US; us += 10000) {
        usleep(10000);
        ended = boot->n_nodes == 1 && others_have_ended();
    }
    return ended;
}

static void *end_anyway(void *status)
{
    usleep(LAUNCHER_ENDS_US);
    _exit((int)(intptr_t)status);
}

static void abort_in_time(int status)
{
    char limit[TERN_LIMIT_BYTES];
    pthread_t thread;
    int e = pthread_create(&thread, NULL, end_anyway, (void *)(intptr_t)status);

    if (e) {
        tern_limit_explain(TERN_LIMIT_THREADS, 0, limit);
        tern_warn("no thread to end this PE in case the launcher is out of reach: %s: %s",
                  strerror(e), limit);
    }
    tern_boot_abort(status);
}

static void end_job(int status)
{
    tern_exit_note(boot->pe, status);
    if (tern_boot_abort_keeps(status)) {
        usleep(LAST_WORDS_US);
        abort_in_time(status);
    } else if (await_others()) {
        tern_boot_leave();
    } else {
        abort_in_time(status);
    }
}

/* ---- the end of this PE ---- */

/* Whether the end of this PE ends the job. */
static bool ends_the_job(int status)
{
    bool finalized = boot->slot && tern_load_relaxed(&boot->slot->phase) == TERN_SLOT_FINALIZED;

    return ends_for_all || (status != 0 && !finalized);
}

/*
 * oshrun prints such a line itself. One PE of the node does, since often all exit alike. A start
 * that fails has printed why.
 */
static void explain(int status)
{
    bool was_initialized = tern_job.inits > 0;

    if (was_initialized && !ends_for_all && tern_exit_note(boot->pe, status))
        tern_error("exited with status %d before shmem_finalize: this ends the job", status);
}

/* Once, whichever handler runs first. */
static void report_exit(int status, void *unused)
{
    if (pe_pid != getpid())
        return;
    if (!begin_end()) {
        await_end();
        return;
    }
    if (ends_the_job(status)) {
        explain(status);
        tern_log_flush();
        end_job(status);
    } else {
        tern_boot_leave();
    }
    tern_store_release(&connection, ENDED); /* partner: await_end() */
}

/* The first of all handlers to be registered, so that it runs last, after those of MPI. */
static void at_exit(int status, void *unused)
{
    if (pe_pid != getpid())
        return;
    tern_boot_vacate_slot(status);
    report_exit(status, NULL);
}

static bool is_process(void)
{
    return !boot->alone && !boot->object;
}

void tern_exit_install(const struct tern_boot *own)
{
    boot = own;
    tern_log_on_fatal(tern_boot_set_reported);
    tern_log_on_end(tern_exit_abort);
    if (!is_process() || pe_pid)
        return;
    pe_pid = getpid();
    on_exit(at_exit, NULL);
}

void tern_exit_report_from_now(void)
{
    if (boot->exit_report == TERN_EXIT_SEEN)
        return;
    tern_store_release(&connection, CONNECTED); /* partner: begin_end() */
    if (boot->exit_report == TERN_EXIT_REPORT_EARLY)
        on_exit(report_exit, NULL);
}

void tern_exit_abort(int status)
{
    if (begin_end())
        end_job(status); /* the caller then ends this process, which other threads wait for */
    else
        await_end(); /* returns at once if the launcher sees how its PEs end */
}

/* ---- the end of another PE ---- */

void tern_exit_set_global(int status)
{
    ends_for_all = true;
    tern_exit_note(boot->pe, status);
}

/* Whether a launcher that kills for a status has had the time to. */
static bool launcher_is_late(void)
{
    static TERN_PE_LOCAL uint64_t since;

    if (!since)
        since = tern_os_now_ns();
    return tern_os_now_ns() - since > LAUNCHER_ENDS_US * UINT64_C(1000);
}

bool tern_exit_is_noted(int *pe, int *status)
{
    uint32_t word = boot->area ? tern_load_acquire(&boot->area->global_exit) : 0;

    *pe = (int)(word >> TERN_GLOBAL_EXIT_PE_SHIFT);
    *status = (int)(word & 0xff);
    return word != 0;
}

void tern_exit_follow(void)
{
    int pe, status;
    bool kills;

    if (!tern_exit_is_noted(&pe, &status) || tern_load_acquire(&connection) != CONNECTED ||
        pe == boot->pe)
        return;
    kills = tern_boot_abort_keeps(status);
    if (kills && !launcher_is_late())
        return;
    if (!begin_end())
        return;
    tern_log_flush();
    if (!kills)
        tern_boot_leave();
    tern_boot_vacate_slot(status);
    _exit(status);
}
