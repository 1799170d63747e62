/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs another launcher as a child in oshrun's own process group. */
#include "launch/starters/hand_over.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"
#include "boot/job_area.h"
#include "launch/plan/program.h"
#include "launch/starters/command_line.h"
#include "launch/starters/starter.h"

#define STATUS_TIMEOUT 124

/* For the launcher to end its PEs after it was asked to. */
#define GRACE_NS UINT64_C(5000000000)

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

/* Without hosts the job is on this one, unless the launcher knows others. */
static int place_on_this_host(struct tern_options *options, const struct tern_remote *launcher,
                              int cores)
{
    int r;

    if (options->hosts.n > 0 || launcher->kind == TERN_SRUN)
        return 0;
    if (options->n_pes == 0) {
        options->n_pes = options->per_host ? options->per_host : (uint64_t)cores;
        options->programs[0].n_pes = options->n_pes;
    }
    r = tern_hosts_add_list(&options->hosts, "localhost");
    return r ? r : tern_hosts_distribute(&options->hosts, options->n_pes, options->per_host);
}

/*
 * A single program's settings and directory become our own: launchers pass both on. That of a
 * program in PATH is passed on as it was found here, but a missing one may be there elsewhere.
 */
static int put_in_place(struct tern_options *options)
{
    struct tern_launch_program *program = options->programs;

    for (size_t i = 0; i < options->n_programs; i++)
        if (!strchr(options->programs[i].argv[0], '/'))
            tern_program_search(options->programs[i].argv[0], &options->programs[i].path);
    if (options->n_programs > 1)
        return 0;
    for (size_t i = 0; i < program->n_settings; i++) {
        char *equals = strchr(program->settings[i], '=');
        int r;

        *equals = '\0';
        r = setenv(program->settings[i], equals + 1, 1);
        *equals = '=';
        if (r != 0)
            return -ENOMEM;
    }
    if (program->directory && chdir(program->directory) != 0) {
        tern_error("PEs can't run in the directory \"%s\": %s", program->directory,
                   strerror(errno));
        return -EINVAL;
    }
    return 0;
}

/* A PE that is an oshrun has the variables of the job that it belongs to. */
static void leave_own_job(void)
{
    unsetenv(TERN_BOOT_VARIABLE);
    unsetenv(TERN_PE_VARIABLE);
    unsetenv(TERN_N_PES_VARIABLE);
    unsetenv(TERN_LOCAL_PE_VARIABLE);
    unsetenv(TERN_LOCAL_N_PES_VARIABLE);
}

static void tell(const struct tern_options *options, const struct tern_remote *launcher,
                 const struct tern_command_line *command)
{
    size_t n_hosts = 0;
    char *words;

    for (size_t i = 0; i < options->hosts.n; i++)
        n_hosts += options->hosts.list[i].n_pes > 0;
    if (n_hosts == 0)
        tern_note("hands over to %s (%s)", launcher->title, launcher->path);
    else
        tern_note("hands over to %s (%s): %llu PE%s on %zu host%s", launcher->title, launcher->path,
                  (unsigned long long)options->n_pes, options->n_pes == 1 ? "" : "s", n_hosts,
                  n_hosts == 1 ? "" : "s");
    if (!options->verbose)
        return;
    for (size_t i = 0; i < options->hosts.n; i++)
        if (options->hosts.list[i].n_pes > 0)
            tern_note("%s: %llu", options->hosts.list[i].name,
                      (unsigned long long)options->hosts.list[i].n_pes);
    words = tern_command_line_quote(command);
    if (words)
        tern_note("%s", words);
    free(words);
}

/* ---- the child ---- */

static pid_t start(const struct tern_command_line *command, const struct tern_inherited *inherited)
{
    pid_t parent = getpid(), pid = fork();

    if (pid != 0)
        return pid < 0 ? -errno : pid;
    tern_inherited_restore(inherited);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* upon which launchers end their PEs */
    if (getppid() != parent)
        _exit(1);
    execv(command->words[0], command->words);
    tern_error("%s can't be executed: %s", command->words[0], strerror(errno));
    _exit(TERN_EXIT_NOT_EXECUTABLE);
}

static void block_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++) {
        struct sigaction action;

        if (sigaction(passed_on[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(set, passed_on[i]);
    }
    sigprocmask(SIG_BLOCK, set, NULL);
}

/* What the terminal sends reaches the launcher by itself: it is in the same process group. */
static void pass_on(pid_t pid, const siginfo_t *info)
{
    if (info->si_signo != SIGCHLD && info->si_code != SI_KERNEL)
        kill(pid, info->si_signo);
}

/* How long to wait for a signal: a minute, or until then. */
static struct timespec until(uint64_t when)
{
    uint64_t now = tern_os_now_ns(), wait = when > now ? when - now : 0;

    if (when == 0 || wait > UINT64_C(60000000000))
        wait = UINT64_C(60000000000);
    return (struct timespec){(time_t)(wait / 1000000000), (long)(wait % 1000000000)};
}

static int status_of(int wait_status)
{
    if (WIFSIGNALED(wait_status))
        return 128 + WTERMSIG(wait_status);
    return WEXITSTATUS(wait_status);
}

/* Waits for the child's end and brings it about when it is time. */
static int attend(pid_t pid, const sigset_t *signals, uint64_t timeout_ns)
{
    uint64_t end_at = timeout_ns ? tern_os_now_ns() + timeout_ns : 0;
    bool timed_out = false;
    int status;

    while (waitpid(pid, &status, WNOHANG) != pid) {
        struct timespec wait = until(end_at);
        siginfo_t info;

        if (sigtimedwait(signals, &info, &wait) > 0) {
            pass_on(pid, &info);
        } else if (end_at && tern_os_now_ns() >= end_at) {
            if (!timed_out)
                tern_error("the job did not end within %g s (--timeout)", (double)timeout_ns / 1e9);
            kill(pid, timed_out ? SIGKILL : SIGTERM);
            timed_out = true;
            end_at = tern_os_now_ns() + GRACE_NS;
        }
    }
    return timed_out ? STATUS_TIMEOUT : status_of(status);
}

static int run(const struct tern_command_line *command, const struct tern_inherited *inherited,
               uint64_t timeout_ns)
{
    sigset_t signals;
    pid_t pid;

    block_signals(&signals);
    pid = start(command, inherited);
    if (pid < 0) {
        tern_error("no process can be started: %s", strerror((int)-pid));
        return EXIT_FAILURE;
    }
    return attend(pid, &signals, timeout_ns);
}

int tern_hand_over(struct tern_options *options, const struct tern_inherited *inherited, int cores)
{
    struct tern_remote launcher;
    struct tern_command_line command = {.words = NULL};
    int status = tern_remote_choose(options->launcher, &launcher), r;

    if (status)
        return status;
    r = place_on_this_host(options, &launcher, cores);
    if (!r)
        r = put_in_place(options);
    leave_own_job();
    if (!r)
        r = tern_command_line_compose(&command, &launcher, options);
    if (r == -ENOMEM)
        tern_error("out of memory");
    status = r == -EINVAL ? 2 : EXIT_FAILURE;
    if (!r) {
        tell(options, &launcher, &command);
        status = run(&command, inherited, options->timeout_ns);
    }
    tern_command_line_free(&command);
    free(launcher.path);
    return status;
}
