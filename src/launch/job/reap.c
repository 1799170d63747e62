/* SPDX-License-Identifier: BSD-3-Clause */
/* Reaps children, and has their exit statuses judged. */
#include "launch/job/reap.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/compat.h"
#include "base/os.h"
#include "launch/job/exit_status.h"
#include "launch/job/watch.h"

/* Children mostly end in the order of their starts, so the search begins at the last one found. */
static struct tern_pe *find(struct tern_launch_job *job, pid_t pid)
{
    for (uint32_t i = 0; i < job->n_started; i++) {
        uint32_t at = (job->reap_from + i) % job->n_started;

        if (job->pes[at].pid == pid && !job->pes[at].reaped) {
            job->reap_from = at;
            return &job->pes[at];
        }
    }
    return NULL;
}

static void report_stopped(struct tern_pe *pe, int signal)
{
    if (pe->was_stopped || (signal != SIGTTIN && signal != SIGTTOU))
        return;
    pe->was_stopped = true;
    tern_relay_report(&pe->job->relay, "warning: ",
                      "PE %u was stopped by SIG%s: PEs can't use the terminal itself, only their "
                      "standard input and output",
                      pe->number, tern_compat_signal_name(signal));
}

void tern_reap_children(struct tern_launch_job *job)
{
    for (;;) {
        siginfo_t end = {.si_pid = 0};
        struct tern_pe *pe;

        if (waitid(P_ALL, 0, &end, WEXITED | WSTOPPED | WNOHANG) != 0 || end.si_pid == 0)
            return;
        pe = find(job, end.si_pid);
        if (!pe)
            continue;
        if (end.si_code == CLD_STOPPED) {
            report_stopped(pe, end.si_status);
            continue;
        }
        pe->reaped = true;
        pe->group_empty = kill(-pe->pid, 0) != 0 && errno == ESRCH;
        tern_watch_find_inner(pe);
        tern_exit_status_child_ended(pe, end.si_code, end.si_status);
        tern_watch_judge_inner(pe, tern_os_now_ns());
    }
}
