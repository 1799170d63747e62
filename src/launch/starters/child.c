/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a starter, passes signals on to it, and ends it when the time is up. */
#include "launch/starters/child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/log.h"
#include "base/os.h"
#include "launch/plan/limits.h"
#include "launch/process/exit_codes.h"
#include "launch/process/signal_set.h"

/* The time that the starter has to end its PEs after SIGTERM. */
#define GRACE_NS UINT64_C(5000000000)

static pid_t start(const struct tern_command_line *line, const struct tern_inherited *inherited)
{
    pid_t parent = getpid(), pid = fork();

    if (pid != 0)
        return pid < 0 ? -errno : pid;
    tern_inherited_restore(inherited);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* starters end their PEs when they get it */
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    execv(line->words[0], line->words);
    tern_limit_report(errno, "%s can't be executed", line->words[0]);
    _exit(TERN_EXIT_NOT_EXECUTABLE);
}

static void block_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    tern_signal_set_add_passed_on(set);
    sigprocmask(SIG_BLOCK, set, NULL);
}

/* The terminal sends its signals to the whole process group, of which the starter is a member. */
static void pass_on(pid_t pid, const siginfo_t *info)
{
    if (info->si_signo != SIGCHLD && info->si_code != SI_KERNEL)
        kill(pid, info->si_signo);
}

/* The time from now to `when` (0: no such time), or a minute if that is less. */
static struct timespec time_left(uint64_t when)
{
    uint64_t now = tern_os_now_ns(), wait = when > now ? when - now : 0;

    if (when == 0 || wait > UINT64_C(60000000000))
        wait = UINT64_C(60000000000);
    return (struct timespec){(time_t)(wait / 1000000000), (long)(wait % 1000000000)};
}

static int exit_status(int wait_status)
{
    if (WIFSIGNALED(wait_status))
        return TERN_EXIT_SIGNAL + WTERMSIG(wait_status);
    return WEXITSTATUS(wait_status);
}

/* Waits for the child's end. After the timeout sends SIGTERM, and then SIGKILL. */
static int wait_for(pid_t pid, const sigset_t *signals, uint64_t timeout_ns)
{
    uint64_t end_at = timeout_ns ? tern_os_now_ns() + timeout_ns : 0;
    bool timed_out = false;
    int status;

    while (waitpid(pid, &status, WNOHANG) != pid) {
        struct timespec wait = time_left(end_at);
        siginfo_t info;

        if (sigtimedwait(signals, &info, &wait) > 0) {
            pass_on(pid, &info);
        } else if (end_at && tern_os_now_ns() >= end_at) {
            if (!timed_out)
                tern_error("the job did not end within %g s (--timeout)" TERN_SEE("A hang"),
                           (double)timeout_ns / 1e9);
            kill(pid, timed_out ? SIGKILL : SIGTERM);
            timed_out = true;
            end_at = tern_os_now_ns() + GRACE_NS;
        }
    }
    return timed_out ? TERN_EXIT_TIMEOUT : exit_status(status);
}

int tern_child_run(const struct tern_command_line *line, const struct tern_inherited *inherited,
                   uint64_t timeout_ns)
{
    sigset_t signals;
    pid_t pid;

    block_signals(&signals);
    pid = start(line, inherited);
    if (pid < 0) {
        char why[TERN_LIMITS_START_BYTES];

        tern_limits_explain_start((int)-pid, why);
        tern_error("no process can be started: %s", why);
        return EXIT_FAILURE;
    }
    return wait_for(pid, &signals, timeout_ns);
}
