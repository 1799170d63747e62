/* SPDX-License-Identifier: BSD-3-Clause */
/* Abstract Unix sockets: connections, the check of the peer's user, passing of descriptors. */
#include "boot/external/local.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/os.h"

/* How many may connect at once; the kernel has a bound of its own. */
#define BACKLOG 65535

/* How long the kernel may block one call, while a queue is full for example. */
#define MOST_HELD_UP_S 10

/*
 * The name does not contain the user's number, because PEs of one user may see different numbers in
 * user namespaces. check_peer() asks the kernel for the peer's user.
 */
static socklen_t name_of(struct sockaddr_un *address, const char *kind, uint64_t id)
{
    int n;

    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    n = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "tern-%s-%016" PRIx64, kind,
                 id);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

/* SOCK_SEQPACKET: each message is received as it was sent, with its descriptors. */
static int open_socket(int flags)
{
    struct timeval patience = {.tv_sec = MOST_HELD_UP_S};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | flags, 0);

    if (fd < 0)
        return -errno;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience); /* connect() as well */
    return fd;
}

static int close_with(int fd, int error)
{
    close(fd);
    return -error;
}

int tern_local_listen(const char *kind, uint64_t id)
{
    struct sockaddr_un address;
    socklen_t bytes = name_of(&address, kind, id);
    int fd = open_socket(0);

    if (fd < 0)
        return fd;
    if (bind(fd, (struct sockaddr *)&address, bytes) != 0 || listen(fd, BACKLOG) != 0)
        return close_with(fd, errno);
    return fd;
}

/* 0, or -errno. The kernel names the process that connected, or that began to listen. */
static int check_peer(int fd, pid_t *pid)
{
    struct ucred peer;
    socklen_t bytes = sizeof peer;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0)
        return -errno;
    if (peer.uid != geteuid())
        return -EPERM;
    if (pid)
        *pid = peer.pid;
    return 0;
}

int tern_local_connect(const char *kind, uint64_t id, bool now)
{
    struct sockaddr_un address;
    socklen_t bytes = name_of(&address, kind, id);
    int fd = open_socket(now ? SOCK_NONBLOCK : 0), r;

    if (fd < 0)
        return fd;
    do
        r = connect(fd, (struct sockaddr *)&address, bytes);
    while (r != 0 && errno == EINTR);
    if (r != 0)
        return close_with(fd, errno);
    r = check_peer(fd, NULL);
    return r ? close_with(fd, -r) : fd;
}

static int wait_for(int fd, int timeout_ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int n;

    do
        n = poll(&p, 1, timeout_ms);
    while (n < 0 && errno == EINTR);
    return n > 0 ? 0 : n < 0 ? -errno : -ETIMEDOUT;
}

int tern_local_accept(int fd, int timeout_ms, pid_t *pid)
{
    uint64_t now = tern_os_now_ns(), until = now + (uint64_t)timeout_ms * 1000000;

    for (;; now = tern_os_now_ns()) {
        int r = wait_for(fd, until > now ? (int)((until - now) / 1000000) : 0), peer;

        if (r)
            return r;
        peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
        if (peer < 0 && errno != EINTR && errno != ECONNABORTED)
            return -errno;
        if (peer < 0)
            continue;
        if (check_peer(peer, pid) == 0)
            return peer;
        close(peer);
    }
}

void tern_local_explain(int error, char text[TERN_LOCAL_ERROR_BYTES])
{
    char why[TERN_LIMIT_ERROR_BYTES];

    tern_limit_explain_error(-error, why);
    snprintf(text, TERN_LOCAL_ERROR_BYTES, "%s%s", why,
             error == -EMFILE || error == -ETOOMANYREFS
                 ? ": raise the hard limit on open files (ulimit -Hn)"
                 : "");
}

union control {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(TERN_LOCAL_FDS * sizeof(int))];
};

/*
 * Descriptors that a user's processes have sent, and that were not received yet, count against the
 * sender's limit on open ones; root is exempt. They will be received in a moment.
 */
static bool rest(int *ms)
{
    usleep(1000);
    return ++*ms < MOST_HELD_UP_S * 1000;
}

int tern_local_send(int fd, const void *bytes, size_t n, const int *fds, int n_fds)
{
    struct iovec part = {(void *)bytes, n};
    union control control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    size_t length = (size_t)n_fds * sizeof(int);
    ssize_t sent;
    int ms = 0;

    if (n_fds > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(length);
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        control.head.cmsg_len = CMSG_LEN(length);
        memcpy(CMSG_DATA(&control.head), fds, length);
    }
    do
        sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (sent < 0 && (errno == EINTR || (errno == ETOOMANYREFS && rest(&ms))));
    return sent < 0 ? -errno : 0;
}

/* Takes the descriptors of a message; false if there are more than Tern sends. */
static bool take_fds(struct msghdr *message, int *fds, int n_fds)
{
    struct cmsghdr *c = CMSG_FIRSTHDR(message);
    int all[TERN_LOCAL_FDS], n = 0;

    for (int i = 0; i < n_fds; i++)
        fds[i] = -1;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
        n = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(all, CMSG_DATA(c), (size_t)n * sizeof(int));
    }
    for (int i = 0; i < n; i++)
        if (n <= n_fds)
            fds[i] = all[i];
        else
            close(all[i]);
    return n <= n_fds;
}

int tern_local_receive(int fd, int timeout_ms, void *bytes, size_t n, int *fds, int n_fds)
{
    struct iovec part = {bytes, n};
    union control control;
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
    };
    ssize_t got;
    int r = wait_for(fd, timeout_ms);

    if (r)
        return r;
    do
        got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return -errno;
    if (!take_fds(&message, fds, n_fds))
        return -EPROTO;
    if (got == 0)
        return -ECONNRESET;
    if (message.msg_flags & MSG_CTRUNC)
        return -EMFILE;
    return got == (ssize_t)n && !(message.msg_flags & MSG_TRUNC) ? 0 : -EPROTO;
}
