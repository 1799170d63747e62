/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads oshrun's signals from a descriptor, and passes them on to the PEs' process groups. */
#include "launch/job/signals.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/os.h"
#include "launch/job/activity.h"
#include "launch/job/exit_status.h"
#include "launch/job/kill.h"
#include "launch/job/reap.h"
#include "launch/process/exit_codes.h"
#include "launch/process/signal_set.h"

/* A second SIGQUIT within this time ends the PEs. */
#define AGAIN_NS (2000 * TERN_MS)

/*
 * Passes the first terminating signal on to the PEs, which may handle it. A second one, or one
 * during the start of the PEs, kills them.
 */
static void terminate(struct tern_launch_job *job, int signal)
{
    if (!job->passed_on && job->n_started == job->n_pes) {
        job->passed_on = signal;
        tern_kill_groups(job, signal);
        tern_kill_groups(job, SIGCONT); /* wakes those that are stopped, so that they get it */
        return;
    }
    if (job->n_running == 0)
        job->abandoned = true;
    tern_exit_status_decide(job, TERN_EXIT_SIGNAL + signal, tern_os_now_ns());
}

/*
 * Sends SIGQUIT to one PE that runs with the check: the tool in it reports for all PEs of this
 * machine. Returns false if there is none.
 */
static bool request_hang_report(const struct tern_launch_job *job)
{
    if (!job->options->check)
        return false;
    for (uint32_t i = 0; i < job->n_started; i++) {
        const struct tern_pe *pe = &job->pes[i];
        pid_t pid = pe->inner ? pe->inner : pe->pid;

        if (pe->running && !pe->inner_foreign && !pe->program->is_static &&
            tern_load_acquire(&tern_launch_job_slot(pe)->phase) == TERN_SLOT_INITIALIZED &&
            tern_load_acquire(&tern_launch_job_slot(pe)->pid) == pid)
            return kill(pid, SIGQUIT) == 0;
    }
    return false;
}

/*
 * Prints what the library knows of each PE: the call in which it sleeps, and for how long. Returns
 * false if no PE has used OpenSHMEM, or if the last table is so recent that the user asks for more
 * than a table.
 */
static bool print_activity(struct tern_launch_job *job)
{
    uint64_t now = tern_os_now_ns();
    char list[1800];

    if (job->activity_at && now - job->activity_at < AGAIN_NS)
        return false;
    if (!tern_activity_list(job, list, sizeof list))
        return false;
    job->activity_at = now;
    tern_relay_report(&job->relay, "",
                      "after %.1f s; again within 2 s, Ctrl-\\ (SIGQUIT) goes to the PEs:%s",
                      (double)(now - job->started_at) / 1e9, list);
    return true;
}

static void act(struct tern_launch_job *job, int signal)
{
    switch (signal) {
    case SIGCHLD:
        tern_reap_children(job);
        break;
    case SIGTSTP:
        tern_kill_groups(job, SIGTSTP);
        raise(SIGSTOP);
        break;
    case SIGCONT:
    case SIGUSR1:
    case SIGUSR2:
        tern_kill_groups(job, signal);
        break;
    case SIGQUIT:
        if (!request_hang_report(job) && !print_activity(job))
            terminate(job, signal);
        break;
    default:
        terminate(job, signal);
    }
}

static void signals_ready(struct tern_source *source)
{
    struct tern_launch_job *job = tern_source_owner(source, struct tern_launch_job, signals);
    struct signalfd_siginfo info[8];
    ssize_t n = read(source->fd, info, sizeof info);

    for (size_t i = 0; n > 0 && i < (size_t)n / sizeof info[0]; i++)
        act(job, (int)info[i].ssi_signo);
}

int tern_signals_open(struct tern_launch_job *job)
{
    sigset_t set;
    int fd;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGCONT);
    tern_signal_set_add_passed_on(&set);
    tern_signal_set_add(&set, SIGTSTP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        return -errno;
    job->signals = (struct tern_source){.fd = fd, .ready = signals_ready};
    return tern_loop_watch_input(&job->loop, &job->signals);
}
