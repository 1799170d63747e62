/* SPDX-License-Identifier: BSD-3-Clause */
/* Kills the processes of a job by their process groups, and as oshrun's own descendants. */
#include "launch/job/kill.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/os.h"

#define LEFTOVERS_NS (UINT64_C(300) * TERN_MS)

void tern_kill_groups(struct tern_launch_job *job, int signal)
{
    for (uint32_t i = 0; i < job->n_started; i++)
        if (!job->pes[i].group_empty)
            kill(-job->pes[i].pid, signal);
}

void tern_kill_pes(struct tern_launch_job *job)
{
    tern_kill_groups(job, SIGKILL);
    for (uint32_t i = 0; i < job->n_started; i++) {
        const struct tern_pe *pe = &job->pes[i];

        if (pe->inner_pidfd.fd >= 0)
            tern_compat_signal_process(pe->inner_pidfd.fd, pe->inner, SIGKILL);
    }
}

void tern_kill_forget_empty_groups(struct tern_launch_job *job)
{
    for (uint32_t i = 0; i < job->n_started; i++) {
        struct tern_pe *pe = &job->pes[i];

        if (pe->reaped && !pe->group_empty && kill(-pe->pid, 0) != 0 && errno == ESRCH)
            pe->group_empty = true;
    }
}

static void kill_children(void)
{
    FILE *f = fopen("/proc/thread-self/children", "re");
    int pid;

    while (f && fscanf(f, "%d", &pid) == 1)
        kill(pid, SIGKILL);
    if (f)
        fclose(f);
}

/* Reaps the children that have ended. Returns whether others are left. */
static bool has_children(void)
{
    pid_t pid;

    do
        pid = waitpid(-1, NULL, WNOHANG);
    while (pid > 0);
    return pid == 0;
}

void tern_kill_leftovers(struct tern_launch_job *job)
{
    uint64_t until = tern_os_now_ns() + LEFTOVERS_NS;

    tern_kill_forget_empty_groups(job);
    tern_kill_groups(job, SIGKILL);
    while (job->adopts && has_children() && tern_os_now_ns() < until) {
        const struct timespec moment = {.tv_nsec = 200000};

        kill_children();
        nanosleep(&moment, NULL);
    }
}
