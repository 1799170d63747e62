/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks PEs behind wrappers, --timeout, the output, and PEs that have to be killed. */
#include "launch/job/watch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/compat.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/os.h"
#include "launch/job/activity.h"
#include "launch/job/exit_status.h"
#include "launch/job/kill.h"
#include "launch/process/exit_codes.h"

#define TICK_NS (250 * TERN_MS)

/* How often the PEs are killed again: they may have started processes meanwhile. */
#define KILL_AGAIN_NS (20 * TERN_MS)

/* Time for a wrapper to end with its PE's status. */
#define WRAPPER_GRACE_NS (100 * TERN_MS)

/* Time for the kernel to end killed processes. */
#define KILL_GRACE_NS (5000 * TERN_MS)

static pid_t parent_of(pid_t pid)
{
    char path[32], text[512], *after_name;
    FILE *f;
    int parent = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    f = fopen(path, "re");
    if (!f)
        return 0;
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    after_name = strrchr(text, ')');
    if (!after_name || sscanf(after_name, ") %*c %d", &parent) != 1)
        return 0;
    return parent;
}

static bool is_descendant(pid_t pid)
{
    for (int depth = 0; pid > 1 && depth < 100; depth++) {
        pid = parent_of(pid);
        if (pid == getpid())
            return true;
    }
    return false;
}

/* Makes all PEs be checked at `when` at the latest. */
static void check_pes_by(struct tern_launch_job *job, uint64_t when)
{
    if (when < job->check_pes_at)
        job->check_pes_at = when;
    tern_launch_job_check_by(job, when);
}

static void inner_has_ended(struct tern_pe *pe)
{
    pe->inner_ended = true;
    pe->inner_ended_at = tern_os_now_ns();
    tern_loop_close(&pe->job->loop, &pe->inner_pidfd);
    check_pes_by(pe->job, pe->inner_ended_at + (pe->reaped ? 0 : WRAPPER_GRACE_NS));
}

static void inner_ready(struct tern_source *source)
{
    inner_has_ended(tern_source_owner(source, struct tern_pe, inner_pidfd));
}

void tern_watch_find_inner(struct tern_pe *pe)
{
    pid_t pid = tern_load_acquire(&tern_launch_job_slot(pe)->pid);
    int fd, e;

    if (pid == 0 || pid == pe->pid || pe->inner || pe->inner_foreign)
        return;
    fd = tern_compat_open_process(pid);
    e = fd < 0 ? -fd : 0;
    if (e != ESRCH && !is_descendant(pid)) { /* it is in another process namespace */
        pe->inner_foreign = true;
        if (fd >= 0)
            close(fd);
        return;
    }
    pe->inner = pid;
    pe->inner_pidfd = (struct tern_source){.fd = fd < 0 ? -1 : fd, .ready = inner_ready};
    if (e == ESRCH) {
        inner_has_ended(pe);
        return;
    }
    if (tern_compat_poll_fd(fd) >= 0)
        tern_loop_watch_input(&pe->job->loop, &pe->inner_pidfd);
    if (!pe->running) { /* the wrapper has ended before it */
        pe->running = true;
        pe->inner_judged = false;
        pe->job->n_running++;
    }
}

/* Whether the inner process has ended. Polls, for processes whose end is no event of the loop. */
static bool inner_is_seen_to_have_ended(const struct tern_pe *pe)
{
    if (pe->inner_pidfd.fd >= 0)
        return !pe->inner_pidfd.watched && tern_compat_process_has_ended(pe->inner_pidfd.fd);
    return kill(pe->inner, 0) != 0 && errno == ESRCH;
}

void tern_watch_judge_inner(struct tern_pe *pe, uint64_t now)
{
    if (!pe->inner || pe->inner_judged)
        return;
    if (!pe->inner_ended && inner_is_seen_to_have_ended(pe))
        inner_has_ended(pe);
    if (!pe->inner_ended)
        return;
    if (pe->reaped || now >= pe->inner_ended_at + WRAPPER_GRACE_NS)
        tern_exit_status_inner_ended(pe);
    else
        check_pes_by(pe->job, pe->inner_ended_at + WRAPPER_GRACE_NS);
}

static void check_timeout(struct tern_launch_job *job, uint64_t now)
{
    uint64_t limit = job->options->timeout_ns;
    char activity[1024];

    if (!limit || job->decided || job->n_running == 0)
        return;
    if (now < job->started_at + limit) {
        tern_launch_job_check_by(job, job->started_at + limit);
        return;
    }
    tern_activity_describe(job, NULL, activity, sizeof activity);
    tern_relay_report(&job->relay,
                      "error: ", "the job did not end within %g s (--timeout)%s" TERN_SEE("A hang"),
                      (double)limit / 1e9, activity);
    tern_exit_status_decide(job, TERN_EXIT_TIMEOUT, now);
}

static void check_output(struct tern_launch_job *job, uint64_t now)
{
    struct tern_relay *relay = &job->relay;

    if (relay->error && !job->output_failed) {
        char why[TERN_LIMIT_ERROR_BYTES];

        job->output_failed = true;
        tern_limit_explain_error(relay->error, why);
        tern_relay_report(relay, "error: ", "%s: %s; the job is ended", relay->failed, why);
        tern_exit_status_decide(job, EXIT_FAILURE, now);
    }
    tern_launch_job_check_by(job, tern_relay_tick(relay, now));
}

static void check_kill(struct tern_launch_job *job, uint64_t now)
{
    if (!job->kill_at || job->n_running == 0)
        return;
    if (now < job->kill_at) {
        tern_launch_job_check_by(job, job->kill_at);
        return;
    }
    if (!job->killed_at)
        job->killed_at = now;
    tern_kill_pes(job);
    job->kill_at = now + KILL_AGAIN_NS;
    tern_launch_job_check_by(job, job->kill_at);
    if (now > job->killed_at + KILL_GRACE_NS) {
        tern_relay_report(&job->relay, "error: ", "%u PEs can't be killed", job->n_running);
        job->abandoned = true;
    }
}

void tern_watch_pes(struct tern_launch_job *job, uint64_t now)
{
    job->check_pes_at = now + TICK_NS;
    for (uint32_t i = 0; i < job->n_started; i++) {
        tern_watch_find_inner(&job->pes[i]);
        tern_watch_judge_inner(&job->pes[i], now);
    }
    tern_kill_forget_empty_groups(job);
}

void tern_watch(struct tern_launch_job *job, uint64_t now)
{
    job->check_at = now + TICK_NS;
    if (now >= job->check_pes_at)
        tern_watch_pes(job, now);
    tern_launch_job_check_by(job, job->check_pes_at);
    tern_input_tick(&job->input);
    check_output(job, now);
    if (!job->decided)
        tern_exit_status_check_global_exit(job);
    check_timeout(job, now);
    check_kill(job, now);
}
