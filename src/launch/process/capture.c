/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a program and captures its output. */
#include "launch/process/capture.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os.h"

#define PATIENCE_NS UINT64_C(10000000000)

static pid_t start(char *const *argv, int out)
{
    posix_spawn_file_actions_t files;
    pid_t pid = -1;

    if (posix_spawn_file_actions_init(&files) != 0)
        return -1;
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDERR_FILENO);
    if (posix_spawn(&pid, argv[0], &files, NULL, argv, environ) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&files);
    return pid;
}

/*
 * Reads until the end of the output, and returns true. Returns false when the buffer is full or the
 * time is up.
 */
static bool take(int in, char *answer, size_t bytes, size_t *taken)
{
    uint64_t until = tern_os_now_ns() + PATIENCE_NS, now;
    size_t n = 0;
    bool ended = false;

    while (!ended && n < bytes && (now = tern_os_now_ns()) < until) {
        struct pollfd ready = {.fd = in, .events = POLLIN};
        ssize_t got;

        if (poll(&ready, 1, (int)((until - now) / 1000000) + 1) <= 0)
            continue;
        got = read(in, answer + n, bytes - n);
        ended = got <= 0;
        n += ended ? 0 : (size_t)got;
    }
    *taken = n;
    return ended;
}

void tern_capture(char *const *argv, char *answer, size_t bytes)
{
    int pipe_ends[2];
    size_t n = 0;
    pid_t pid;

    answer[0] = '\0';
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        return;
    pid = start(argv, pipe_ends[1]);
    close(pipe_ends[1]);
    if (pid > 0) {
        if (!take(pipe_ends[0], answer, bytes - 1, &n))
            kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        answer[n] = '\0';
    }
    close(pipe_ends[0]);
}
