/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether the end of a PE ends the job, with which status and message. */
#include "launch/job/exit_status.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomics.h"
#include "base/compat.h"
#include "base/os.h"
#include "base/tool_protocol.h"
#include "launch/job/activity.h"
#include "launch/job/core_file.h"
#include "launch/process/exit_codes.h"

/* After shmem_global_exit: time for its caller to run exit handlers, then for the other PEs. */
#define EXIT_GRACE_NS (400 * TERN_MS)
#define PEERS_GRACE_NS (100 * TERN_MS)

/* After a signal has ended a PE: time for the others to clean up. */
#define SIGNAL_GRACE_NS (3000 * TERN_MS)

void tern_exit_status_decide(struct tern_launch_job *job, int status, uint64_t when)
{
    if (!job->decided)
        job->status = status;
    job->decided = true;
    if (!job->kill_at || when < job->kill_at)
        job->kill_at = when;
    tern_launch_job_check_by(job, job->kill_at);
}

bool tern_exit_status_check_global_exit(struct tern_launch_job *job)
{
    uint32_t word = tern_load_acquire(&job->object.shared->global_exit);

    if (!word)
        return false;
    if (!job->decided)
        tern_relay_report(&job->relay, "", "PE %u of %u has called shmem_global_exit(%u)",
                          word >> TERN_GLOBAL_EXIT_PE_SHIFT, job->n_pes, word & 0xff);
    tern_exit_status_decide(job, (int)(word & 0xff), tern_os_now_ns() + EXIT_GRACE_NS);
    return true;
}

static void format_end(char *text, size_t size, int code, int status)
{
    const char *name;

    if (code == CLD_EXITED) {
        snprintf(text, size, "exited with status %d", status);
        return;
    }
    name = tern_compat_signal_name(status);
    snprintf(text, size, "was killed by signal %d (%s%s: %s)%s", status, name ? "SIG" : "",
             name ? name : "real-time", strsignal(status),
             code == CLD_DUMPED ? ", core dumped" : "");
}

/* Reports the failure of a PE, unless it has printed a message itself, and ends the job. */
static void fail(struct tern_pe *pe, const char *how, int status)
{
    struct tern_launch_job *job = pe->job;
    char others[1024];

    tern_relay_drain(&pe->out);
    tern_relay_drain(&pe->err);
    if (!tern_load_acquire(&tern_launch_job_slot(pe)->reported)) {
        tern_activity_describe(job, pe, others, sizeof others);
        tern_relay_report(&job->relay, "error: ", "PE %u of %u %s%s", pe->number, job->n_pes, how,
                          others);
    }
    tern_exit_status_decide(job, status, tern_os_now_ns());
}

/* Whether the user asks for details of crashes, so that the lack of a core file is worth a line. */
static bool wants_details(const struct tern_launch_job *job)
{
    return job->options->verbose || job->options->check || getenv("SHMEM_DEBUG") ||
           getenv(TERN_BACKTRACE_VARIABLE);
}

/* Reports where the PE's core file is, or why there is none. */
static void report_core_file(struct tern_pe *pe, int code, int signal)
{
    char text[2048];

    if (code == CLD_DUMPED)
        tern_core_file_describe(pe, signal, text, sizeof text);
    else if (tern_core_file_belongs_to(signal) && wants_details(pe->job))
        tern_core_file_explain(text, sizeof text);
    else
        return;
    tern_relay_report(&pe->job->relay, "", "%s", text);
}

static void ended(struct tern_pe *pe)
{
    if (pe->running)
        pe->job->n_running--;
    pe->running = false;
}

/* Marks a PE that ended regularly as departed, for PEs that wait for it. */
static void depart(struct tern_pe *pe)
{
    struct tern_job_area *area = pe->job->object.shared;

    if (pe->departed)
        return;
    pe->departed = true;
    tern_store_relaxed(&area->last_departed, pe->number);
    tern_fetch_add(&area->departed, 1);
}

/*
 * Judges the process behind a wrapper, of which only the slot is known. Returns true if it ended as
 * a PE may.
 */
static bool judge_inner(struct tern_pe *pe)
{
    const struct tern_slot *slot = tern_launch_job_slot(pe);
    uint32_t exiting = tern_load_acquire(&slot->exiting);
    int status = (int)(exiting & 0xff);
    char how[64];

    if (tern_load_acquire(&slot->phase) != TERN_SLOT_INITIALIZED)
        return true;
    if (!exiting) {
        fail(pe, "ended before shmem_finalize without exit(), behind a wrapper", EXIT_FAILURE);
        return false;
    }
    if (status) {
        format_end(how, sizeof how, CLD_EXITED, status);
        fail(pe, how, status);
        return false;
    }
    return true;
}

/* Handles the end of a PE, or of its inner process, that looks regular so far. */
static void settle(struct tern_pe *pe)
{
    uint32_t phase = tern_load_acquire(&tern_launch_job_slot(pe)->phase);

    if (pe->inner && !judge_inner(pe))
        return;
    if (phase == TERN_SLOT_INITIALIZED || pe->reaped)
        depart(pe);
}

void tern_exit_status_inner_ended(struct tern_pe *pe)
{
    pe->inner_judged = true;
    if (pe->reaped)
        ended(pe);
    if (!pe->job->decided && !tern_exit_status_check_global_exit(pe->job))
        settle(pe);
}

void tern_exit_status_child_ended(struct tern_pe *pe, int code, int status)
{
    struct tern_launch_job *job = pe->job;
    uint32_t phase = tern_load_acquire(&tern_launch_job_slot(pe)->phase);
    bool inner_lives = pe->inner && !pe->inner_ended;
    char how[128];

    format_end(how, sizeof how, code, status);
    if (job->options->verbose)
        tern_relay_report(&job->relay, "", "PE %u %s", pe->number, how);
    if (!inner_lives)
        ended(pe);
    if (tern_exit_status_check_global_exit(job)) {
        /* The PE that ends first is a caller, which needs no more time for exit handlers. */
        tern_exit_status_decide(job, job->status, tern_os_now_ns() + PEERS_GRACE_NS);
        return;
    }
    if (job->decided)
        return;
    if (code == CLD_EXITED && status == TERN_CHECK_STATUS && job->options->check) {
        /*
         * The PE has reported findings of the check, and would have ended with status 0. The job
         * gets its status, but the others continue as they would: they may have findings, too.
         */
        job->status = status;
        status = 0;
    }
    if (code != CLD_EXITED)
        status += TERN_EXIT_SIGNAL;
    if (status != 0 && job->passed_on) {
        tern_exit_status_decide(job, status, tern_os_now_ns() + SIGNAL_GRACE_NS);
    } else if (status != 0) {
        if (code == CLD_EXITED && phase == TERN_SLOT_INITIALIZED)
            strcat(how, " before shmem_finalize");
        fail(pe, how, status);
        if (code != CLD_EXITED)
            report_core_file(pe, code, status - TERN_EXIT_SIGNAL);
    } else if (!inner_lives) {
        pe->inner_judged = true;
        settle(pe);
    }
}
