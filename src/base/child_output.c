/* SPDX-License-Identifier: BSD-3-Clause */
/* A child made by vfork(): fork() would call handlers that take locks. */
#include "base/child_output.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/os.h"

#define MOST_VARIABLES 1024

bool tern_child_output_find(const char *program, char *path)
{
    const char *folders = getenv("PATH");

    for (size_t n; folders && *folders; folders += n + (folders[n] == ':')) {
        n = strcspn(folders, ":");
        if (snprintf(path, PATH_MAX, "%.*s/%s", (int)n, folders, program) < PATH_MAX &&
            access(path, X_OK) == 0)
            return true;
    }
    path[0] = '\0';
    return false;
}

/* The environment without LD_PRELOAD; variables beyond the room are dropped. */
static char **copy_environment(char *plain[MOST_VARIABLES])
{
    size_t n = 0;

    for (char **e = environ; e && *e && n < MOST_VARIABLES - 1; e++)
        if (strncmp(*e, "LD_PRELOAD=", 11) != 0)
            plain[n++] = *e;
    plain[n] = NULL;
    return plain;
}

/* Starts the program with its output in the pipe. Returns its process, or -1. */
static pid_t start(const char *path, char *const argv[], const int ends[2])
{
    char *plain[MOST_VARIABLES], **environment = copy_environment(plain);
    sigset_t none;
    pid_t pid;

    sigemptyset(&none);
    pid = vfork();
    if (pid == 0) {
        int nothing = open("/dev/null", O_RDWR);

        dup2(nothing, STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(path, argv, environment);
        _exit(127);
    }
    return pid;
}

/* Reads until the end or the deadline. False: the deadline has passed. */
static bool read_all(int fd, uint64_t deadline, char *text, size_t bytes, size_t *n)
{
    char rest[512];

    for (;;) {
        size_t room = bytes - 1 - *n;
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        uint64_t now = tern_os_now_ns();
        ssize_t got;

        if (now >= deadline || poll(&ready, 1, (int)((deadline - now) / 1000000) + 1) == 0)
            return false;
        got = room ? read(fd, text + *n, room) : read(fd, rest, sizeof rest);
        if (got <= 0)
            return true;
        *n += room ? (size_t)got : 0;
    }
}

long tern_child_output_read(const char *path, char *const argv[], int seconds, char *text,
                            size_t bytes)
{
    uint64_t deadline = tern_os_now_ns() + (uint64_t)seconds * 1000000000;
    int ends[2], status;
    size_t n = 0;
    pid_t pid;

    if (!path[0] || pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid = start(path, argv, ends);
    close(ends[1]);
    if (pid > 0) {
        if (!read_all(ends[0], deadline, text, bytes, &n))
            kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
    }
    close(ends[0]);
    text[n] = '\0';
    return pid > 0 ? (long)n : -1;
}
