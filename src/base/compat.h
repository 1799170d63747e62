/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the oldest supported systems lack: Linux 4.18 and glibc 2.28. Each function uses the newer
 * system call where the kernel has it and a sandbox permits it, and does the same without it
 * elsewhere. docs/platforms.md lists what the replacements cost.
 */
#ifndef TERN_BASE_COMPAT_H
#define TERN_BASE_COMPAT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/compiler.h"

/*
 * Whether libc's fork() makes the child by calling _Fork(), which a static program may replace: in
 * glibc since 2.34. The library may have been built for an older version than a program is linked
 * with.
 */
bool tern_compat_fork_is_split(void);

/*
 * Opens a process, which need not be a child; a close-on-exec descriptor or -errno, -ESRCH if the
 * process has ended and was waited for, -EINVAL if the number is not positive, which stands for a
 * process of another namespace. The descriptor never comes to mean a later process with the
 * same number. It is a pidfd (Linux 5.3), which becomes readable when the process ends; or else the
 * process's folder in /proc, which poll() and epoll can't wait for.
 */
int tern_compat_open_process(pid_t pid);

/*
 * The descriptor to give to poll(): fd itself, or -1, which poll() ignores, for a folder in /proc.
 * Its owner then has to ask tern_compat_process_has_ended() now and then.
 */
int tern_compat_poll_fd(int fd);

/*
 * Whether the process has ended, waited for or not. Of a descriptor that is no process's: whether
 * it is readable or was hung up. False for a negative number.
 */
bool tern_compat_process_has_ended(int fd);

/*
 * Sends a signal to the process `pid` of the descriptor. Before Linux 5.1, the signal goes to that
 * number after a check that the process has not ended.
 */
void tern_compat_signal_process(int fd, pid_t pid, int signal);

/*
 * Makes the descriptors from `first` on this process's own if it shares them, and closes them; 0,
 * or -1 with errno. It has no replacement: before Linux 5.9 it fails with ENOSYS.
 */
int tern_compat_close_range_unshared(unsigned first);

/*
 * Gives memory to each page of a new mapping, which is zero. Before Linux 5.14 by clearing it: then
 * a lack of memory ends the process by SIGBUS, as it would later.
 */
void tern_compat_populate_zeros(void *start, size_t bytes);

/* The name of a signal without "SIG"; NULL for real-time signals and other numbers. */
const char *tern_compat_signal_name(int signal);

/* Room for the text below. */
#define TERN_COMPAT_BYTES 256

/*
 * The end of a message about a system call that has failed with `error` and that Tern can't do
 * without: strerror()'s text and, if the call is missing, the kernel and the version that has it,
 * `since`.
 */
void tern_compat_explain(const char *call, const char *since, int error,
                         char text[TERN_COMPAT_BYTES]) TERN_COLD;

#endif
