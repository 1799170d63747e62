/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares a child process, and executes a PE's program in it. */
#include "launch/job/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compat.h"
#include "launch/plan/bind.h"
#include "launch/process/exit_codes.h"

#define STACK_BYTES 65536

/*
 * Arms the lifeline: when the last descriptor of the pipe's writing end is closed, the kernel sends
 * SIGKILL to the process group that owns this reading end. This survives exec, reaches wrappers and
 * their children, and works as long as one process keeps the descriptor. Opening it by oshrun's own
 * /proc/self/fd is the faster way, since the kernel has that directory already.
 */
static int arm_lifeline(const struct tern_spawn_request *request)
{
    int fd = openat(request->descriptors, request->lifeline_name, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        fd = open(request->lifeline_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fcntl(fd, F_SETOWN, -getpid()) != 0 || fcntl(fd, F_SETSIG, SIGKILL) != 0 ||
        fcntl(fd, F_SETFL, O_ASYNC) != 0)
        return -1;
    return dup2(fd, request->lifeline);
}

static int take_over(int from, int to)
{
    if (from == to)
        return 0;
    return dup2(from, to) < 0 ? -1 : 0;
}

/* Async-signal-safe: the child shares oshrun's memory and, at first, its descriptors. */
static const char *set_up(const struct tern_spawn_request *request)
{
    if (request->own && tern_compat_close_range_unshared(request->own) != 0)
        return "close_range";
    if (setpgid(0, 0) != 0)
        return "setpgid";
    /* Without /proc there is no lifeline, but PR_SET_PDEATHSIG kills the PE itself. */
    arm_lifeline(request);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != request->launcher)
        _exit(EXIT_FAILURE);
    if (take_over(request->in, STDIN_FILENO) || take_over(request->out, STDOUT_FILENO) ||
        take_over(request->err, STDERR_FILENO))
        return "dup2";
    if (fcntl(request->object, F_SETFD, 0) != 0)
        return "fcntl";
    if (request->directory && chdir(request->directory) != 0)
        return request->directory;
    if (request->cpus && sched_setaffinity(0, TERN_CPU_SET_BYTES, request->cpus) != 0)
        return "binding it to a core";
    tern_inherited_restore(request->inherited);
    return NULL;
}

static int run_child(void *arg)
{
    struct tern_spawn_request *request = arg;

    request->failed = set_up(request);
    if (!request->failed) {
        execve(request->path, request->argv, request->envp);
        if (errno == ENOEXEC && request->shell_argv)
            execve(request->shell_argv[0], request->shell_argv, request->envp);
        request->failed = request->path;
    }
    request->error = errno;
    _exit(TERN_EXIT_NOT_EXECUTABLE);
}

pid_t tern_spawn(struct tern_spawn_request *request)
{
    /*
     * Static, because oshrun's own stack may be smaller (ulimit -s). One child at a time uses it.
     */
    static char stack[STACK_BYTES] __attribute__((aligned(16)));
    int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
    pid_t pid;

    request->error = 0;
    request->failed = "starting a process";
    pid = clone(run_child, stack + sizeof stack, flags | (request->own ? CLONE_FILES : 0), request);
    if (pid < 0 && errno == EINVAL && request->own) { /* qemu refuses CLONE_FILES here */
        request->own = 0;
        pid = clone(run_child, stack + sizeof stack, flags, request);
    }
    if (pid < 0)
        return -errno;
    if (!request->error)
        return pid;
    waitpid(pid, NULL, 0);
    return -request->error;
}
