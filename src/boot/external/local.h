/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names by which processes of one machine and one user find each other: abstract Unix sockets, of
 * which each network namespace has its own. They are no files, so none has to be removed. Each
 * function returns within a bounded time.
 */
#ifndef TERN_BOOT_EXTERNAL_LOCAL_H
#define TERN_BOOT_EXTERNAL_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/compiler.h"
#include "base/limit.h"

/*
 * Takes the name that consists of the kind and the number, and listens to it: a descriptor;
 * -EADDRINUSE if another process has the name; or another -errno. The name is free again once the
 * descriptor is closed here and in all children.
 */
int tern_local_listen(const char *kind, uint64_t id);

/*
 * Connects to the process that has the name: a descriptor; -EPERM if the process is another user's;
 * -EAGAIN if too many others are connecting; or another -errno. `now`: does not wait for the
 * others.
 */
int tern_local_connect(const char *kind, uint64_t id, bool now);

/*
 * Waits for a process to connect: a descriptor, -ETIMEDOUT, or another -errno. *pid is the
 * process's number, or 0 if it is in another process namespace. Closes connections of other users.
 */
int tern_local_accept(int fd, int timeout_ms, pid_t *pid);

/*
 * Sends one message, with descriptors for the other side. 0, or -errno: -ETOOMANYREFS if this
 * user's processes have sent too many descriptors that were not received yet.
 */
int tern_local_send(int fd, const void *bytes, size_t n, const int *fds, int n_fds);

/* Room for the text below. */
#define TERN_LOCAL_ERROR_BYTES (TERN_LIMIT_ERROR_BYTES + 64)

/* Writes what that -errno means, and what the user can do about it, for the end of a message. */
void tern_local_explain(int error, char text[TERN_LOCAL_ERROR_BYTES]) TERN_COLD;

/* The most descriptors of one message. */
#define TERN_LOCAL_FDS 64

/*
 * Receives a message of n bytes, with up to n_fds descriptors, which are close-on-exec; the rest of
 * fds is -1. 0, -ETIMEDOUT, or another -errno: -EMFILE if this process can't have that many
 * descriptors.
 */
int tern_local_receive(int fd, int timeout_ms, void *bytes, size_t n, int *fds, int n_fds);

#endif
