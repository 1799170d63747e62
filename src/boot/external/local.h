/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names by which processes of one machine and one user find each other: Unix sockets of the
 * abstract namespace, which belongs to the network namespace. They are no files: nothing remains.
 * Each function returns within a bounded time.
 */
#ifndef TERN_BOOT_EXTERNAL_LOCAL_H
#define TERN_BOOT_EXTERNAL_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Takes the name made of the kind and the number, and listens to it: a descriptor, or -EADDRINUSE
 * if another process has it, or another -errno. The name is free again when the descriptor is
 * closed here and in all children.
 */
int tern_local_listen(const char *kind, uint64_t id);

/*
 * Connects to the process that has the name: a descriptor, -EPERM if its user is another one, or
 * another -errno: -EAGAIN if too many others connect, with `now` at once.
 */
int tern_local_connect(const char *kind, uint64_t id, bool now);

/*
 * Waits for a process that connects: a descriptor and the process's number, which is 0 if it is in
 * another process namespace; -ETIMEDOUT; or another -errno. Other users' connections are closed.
 */
int tern_local_accept(int fd, int timeout_ms, pid_t *pid);

/*
 * One message, with descriptors for the other side. 0, or -errno: -ETOOMANYREFS if too many
 * descriptors of this user's processes are on their way.
 */
int tern_local_send(int fd, const void *bytes, size_t n, const int *fds, int n_fds);

/* What a user can do about that -errno, with a colon before it; or "". */
const char *tern_local_remedy(int error);

/* The most descriptors of one message. */
#define TERN_LOCAL_FDS 64

/*
 * The next message, of n bytes, with n_fds descriptors at most, which are close-on-exec; in place
 * of those that did not come is -1. 0, -ETIMEDOUT, or -errno: -EMFILE if this process can't have as
 * many descriptors as came.
 */
int tern_local_receive(int fd, int timeout_ms, void *bytes, size_t n, int *fds, int n_fds);

#endif
