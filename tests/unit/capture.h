/* SPDX-License-Identifier: BSD-3-Clause */
/* Captures what a function writes to standard error, and the exit status of its process. */
#ifndef TERN_TESTS_CAPTURE_H
#define TERN_TESTS_CAPTURE_H

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

/* Runs it in a child; returns the child's wait status. text gets what it wrote, as a string. */
static inline int capture(void (*function)(void), char *text, size_t bytes)
{
    int fd = memfd_create("stderr", MFD_CLOEXEC), status;
    pid_t child;
    ssize_t n;

    CHECK(fd >= 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dup2(fd, STDERR_FILENO);
        function();
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    n = pread(fd, text, bytes - 1, 0);
    CHECK(n >= 0);
    text[n] = '\0';
    close(fd);
    return status;
}

#endif
