/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a program and captures its output. */
#include "launch/process/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os.h"

#define PATIENCE_NS UINT64_C(10000000000)

/* The process, 0 if the program can't be run, or -errno. */
static pid_t start(char *const *argv, int out)
{
    posix_spawn_file_actions_t files;
    pid_t pid = 0;
    int e = posix_spawn_file_actions_init(&files);

    if (e)
        return -e;
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDERR_FILENO);
    e = posix_spawn(&pid, argv[0], &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    if (e == EAGAIN || e == ENOMEM || e == EMFILE || e == ENFILE)
        return -e;
    return e ? 0 : pid;
}

/*
 * Reads until the end of the output. 0; -ENOBUFS when the buffer is full, -ETIMEDOUT when the time
 * is up, or read()'s -errno.
 */
static int take(int in, char *answer, size_t bytes, size_t *taken)
{
    uint64_t until = tern_os_now_ns() + PATIENCE_NS, now;
    size_t n = 0;
    int r = -EAGAIN;

    while (r == -EAGAIN && n < bytes && (now = tern_os_now_ns()) < until) {
        struct pollfd ready = {.fd = in, .events = POLLIN};
        ssize_t got;

        if (poll(&ready, 1, (int)((until - now) / 1000000) + 1) <= 0)
            continue;
        got = read(in, answer + n, bytes - n);
        if (got <= 0)
            r = got < 0 ? -errno : 0;
        else
            n += (size_t)got;
    }
    *taken = n;
    if (r == -EAGAIN)
        r = n < bytes ? -ETIMEDOUT : -ENOBUFS;
    return r;
}

int tern_capture(char *const *argv, char *answer, size_t bytes)
{
    int pipe_ends[2];
    size_t n = 0;
    pid_t pid;
    int r = 0;

    answer[0] = '\0';
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        return -errno;
    pid = start(argv, pipe_ends[1]);
    close(pipe_ends[1]);
    if (pid > 0) {
        r = take(pipe_ends[0], answer, bytes - 1, &n);
        if (r)
            kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        answer[n] = '\0';
    }
    close(pipe_ends[0]);
    if (pid < 0)
        return pid;
    return r == -ENOBUFS || r == -ETIMEDOUT ? 0 : r;
}
