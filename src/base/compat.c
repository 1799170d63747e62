/* SPDX-License-Identifier: BSD-3-Clause */
/* Newer system calls, by their numbers, and what replaces them on older systems. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The headers of older systems lack these; the numbers are the same on all architectures. */
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2u
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* ---- processes ---- */

bool tern_compat_fork_is_split(void)
{
    char *end;
    long major = strtol(gnu_get_libc_version(), &end, 10);
    long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;

    return major > 2 || (major == 2 && minor >= 34);
}

static int open_folder(pid_t pid)
{
    char path[32];
    int fd;

    if (kill(pid, 0) != 0 && errno == ESRCH)
        return -ESRCH;
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    return fd;
}

int tern_compat_open_process(pid_t pid)
{
    int fd;

    if (pid <= 0)
        return -EINVAL;
    fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd >= 0)
        return fd;
    return errno == ESRCH ? -ESRCH : open_folder(pid);
}

static bool is_folder(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && flags & O_DIRECTORY;
}

int tern_compat_poll_fd(int fd)
{
    return fd < 0 || is_folder(fd) ? -1 : fd;
}

/*
 * The state in a process's /proc/PID/stat and, further on, its number of threads: a process whose
 * first thread has ended is shown as a zombie while others run. A missing file is that of a process
 * that was waited for.
 */
static bool stat_shows_end(int folder)
{
    int fd = openat(folder, "stat", O_RDONLY | O_CLOEXEC), threads;
    char text[1024], state, *after_name;
    ssize_t n;

    if (fd < 0)
        return errno == ENOENT || errno == ESRCH;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return true;
    text[n] = '\0';
    after_name = strrchr(text, ')');
    if (!after_name || sscanf(after_name,
                              ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
                              "%*d %d",
                              &state, &threads) != 2)
        return false;
    return (state == 'Z' || state == 'X') && threads <= 1;
}

bool tern_compat_process_has_ended(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};

    return is_folder(fd) ? stat_shows_end(fd) : poll(&p, 1, 0) > 0;
}

void tern_compat_signal_process(int fd, pid_t pid, int signal)
{
    if (syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) == 0 || errno == ESRCH)
        return;
    if (!tern_compat_process_has_ended(fd))
        kill(pid, signal);
}

/* ---- descriptors and memory ---- */

int tern_compat_close_range_unshared(unsigned first)
{
    return (int)syscall(SYS_close_range, first, UINT_MAX, CLOSE_RANGE_UNSHARE);
}

void tern_compat_populate_zeros(void *start, size_t bytes)
{
    if (madvise(start, bytes, MADV_POPULATE_WRITE) != 0)
        memset(start, 0, bytes);
}

/* ---- texts ---- */

/* sigabbrev_np() is glibc's alone, and since 2.32. */
const char *tern_compat_signal_name(int signal)
{
#define NAME(name)                                                                                 \
    case SIG##name:                                                                                \
        return #name
    switch (signal) {
        NAME(HUP);
        NAME(INT);
        NAME(QUIT);
        NAME(ILL);
        NAME(TRAP);
        NAME(ABRT);
        NAME(BUS);
        NAME(FPE);
        NAME(KILL);
        NAME(USR1);
        NAME(SEGV);
        NAME(USR2);
        NAME(PIPE);
        NAME(ALRM);
        NAME(TERM);
        NAME(STKFLT);
        NAME(CHLD);
        NAME(CONT);
        NAME(STOP);
        NAME(TSTP);
        NAME(TTIN);
        NAME(TTOU);
        NAME(URG);
        NAME(XCPU);
        NAME(XFSZ);
        NAME(VTALRM);
        NAME(PROF);
        NAME(WINCH);
        NAME(POLL);
        NAME(PWR);
        NAME(SYS);
    }
#undef NAME
    return NULL;
}

void tern_compat_explain(const char *call, const char *since, int error,
                         char text[TERN_COMPAT_BYTES])
{
    struct utsname kernel;

    if (error == ENOSYS && uname(&kernel) == 0)
        snprintf(text, TERN_COMPAT_BYTES,
                 "%s: the system call %s, in Linux since %s, is missing or blocked here; this is "
                 "Linux %.40s, and Tern needs 4.18 or later",
                 strerror(error), call, since, kernel.release);
    else
        snprintf(text, TERN_COMPAT_BYTES, "%s", strerror(error));
}
