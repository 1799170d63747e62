/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets a child up and executes a PE's program in it. */
#include "launch/job/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/plan/bind.h"

#define STACK_BYTES 65536

/*
 * The lifeline: when the last descriptor of the pipe's writing side is gone, the kernel sends
 * SIGKILL to the process group that owns this reading side. That survives exec, reaches wrappers
 * and what they start, and works as long as one process keeps the descriptor. The kernel knows
 * oshrun's own list of descriptors already; one for the child it has to make.
 */
static int arm_lifeline(const struct tern_birth *birth)
{
    int fd = openat(birth->descriptors, birth->lifeline_name, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        fd = open(birth->lifeline_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fcntl(fd, F_SETOWN, -getpid()) != 0 || fcntl(fd, F_SETSIG, SIGKILL) != 0 ||
        fcntl(fd, F_SETFL, O_ASYNC) != 0)
        return -1;
    return dup2(fd, birth->lifeline);
}

static int take_over(int from, int to)
{
    if (from == to)
        return 0;
    return dup2(from, to) < 0 ? -1 : 0;
}

/* Async-signal-safe throughout: oshrun's memory is the child's, too, at first also its descriptors.
 */
static const char *set_up(const struct tern_birth *birth)
{
    if (birth->own && close_range(birth->own, UINT_MAX, CLOSE_RANGE_UNSHARE) != 0)
        return "close_range";
    if (setpgid(0, 0) != 0)
        return "setpgid";
    /* Without /proc there is no lifeline; the PE itself still dies with oshrun. */
    arm_lifeline(birth);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != birth->launcher)
        _exit(1);
    if (take_over(birth->in, STDIN_FILENO) || take_over(birth->out, STDOUT_FILENO) ||
        take_over(birth->err, STDERR_FILENO))
        return "dup2";
    if (fcntl(birth->object, F_SETFD, 0) != 0)
        return "fcntl";
    if (birth->directory && chdir(birth->directory) != 0)
        return birth->directory;
    if (birth->cpus && sched_setaffinity(0, TERN_CPU_SET_BYTES, birth->cpus) != 0)
        return "binding it to a core";
    tern_inherited_restore(birth->inherited);
    return NULL;
}

static int live(void *arg)
{
    struct tern_birth *birth = arg;

    birth->failed = set_up(birth);
    if (!birth->failed) {
        execve(birth->path, birth->argv, birth->envp);
        if (errno == ENOEXEC && birth->shell_argv)
            execve(birth->shell_argv[0], birth->shell_argv, birth->envp);
        birth->failed = birth->path;
    }
    birth->error = errno;
    _exit(127);
}

pid_t tern_spawn(struct tern_birth *birth)
{
    /* Static: oshrun's own stack may be smaller (ulimit -s), and one child at a time uses it. */
    static char stack[STACK_BYTES] __attribute__((aligned(16)));
    int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
    pid_t pid;

    birth->error = 0;
    birth->failed = "starting a process";
    pid = clone(live, stack + sizeof stack, flags | (birth->own ? CLONE_FILES : 0), birth);
    if (pid < 0 && errno == EINVAL && birth->own) { /* an emulator */
        birth->own = 0;
        pid = clone(live, stack + sizeof stack, flags, birth);
    }
    if (pid < 0)
        return -errno;
    if (!birth->error)
        return pid;
    waitpid(pid, NULL, 0);
    return -birth->error;
}
