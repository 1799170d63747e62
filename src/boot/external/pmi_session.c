/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands and answers on the launcher's socket, while it is open. */
#include "boot/external/pmi_session.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/atomics.h"
#include "base/log.h"

static bool is_socket(struct tern_pmi_session *s, int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0 || !S_ISSOCK(st.st_mode))
        return false;
    s->device = st.st_dev;
    s->inode = st.st_ino;
    return true;
}

const char *tern_pmi_session_find_obstacle(struct tern_pmi_session *s, int fd)
{
    struct pollfd p = {.fd = fd};

    s->wire.fd = fd;
    if (!is_socket(s, fd))
        return "is not open: does a wrapper close descriptors?";
    if (poll(&p, 1, 0) > 0 && p.revents & POLLHUP)
        return "has hung up: has the wrapper run another OpenSHMEM or MPI program before?";
    return NULL;
}

pid_t tern_pmi_session_launcher(const struct tern_pmi_session *s)
{
    struct ucred peer = {0};
    socklen_t bytes = sizeof peer;

    return getsockopt(s->wire.fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 ? peer.pid : 0;
}

bool tern_pmi_session_is_open(const struct tern_pmi_session *s)
{
    struct stat st;

    /* Acquire: partner of the releases in tern_pmi_session_open() and _close(). */
    return tern_load_acquire(&s->connected) && fstat(s->wire.fd, &st) == 0 &&
           st.st_dev == s->device && st.st_ino == s->inode;
}

void tern_pmi_session_open(struct tern_pmi_session *s)
{
    tern_store_release(&s->connected, true); /* partner: tern_pmi_session_is_open() */
}

void tern_pmi_session_close(struct tern_pmi_session *s)
{
    tern_store_release(&s->connected, false); /* the same, in any thread */
}

/* What breaks while this PE leaves changes nothing for it. */
static int broken(const struct tern_pmi_session *s, int error)
{
    void (*print)(const char *fmt, ...) TERN_PRINTF(1, 2) = s->leaves ? tern_warn : tern_error;

    if (error == -ECONNRESET)
        print("the launcher (PMI-%d) has hung up: has it ended, or has the wrapper run another "
              "OpenSHMEM or MPI program before?" TERN_SEE("Launchers"),
              s->wire.version);
    else
        print("the launcher (PMI-%d) can't be reached: %s", s->wire.version, strerror(-error));
    return error;
}

/* Replaces the reply's unprintable characters, which would spoil the message. */
int tern_pmi_session_misunderstood(const struct tern_pmi_session *s, const char *command,
                                   const struct tern_pmi_reply *reply)
{
    char shown[100];
    size_t n = strcspn(command, " ;\n");

    for (size_t i = 0; i < sizeof shown; i++)
        shown[i] = reply->text[i] == '\0' || (reply->text[i] >= ' ' && reply->text[i] <= '~')
                       ? reply->text[i]
                       : '?';
    shown[sizeof shown - 1] = '\0';
    tern_error("the launcher (PMI-%d) answers \"%s\" to \"%.*s\", which makes no sense here",
               s->wire.version, shown, (int)n, command);
    return -EPROTO;
}

/* The value of a field of the answer, up to its end, or NULL. */
static const char *field(const struct tern_pmi_reply *reply, const char *name, size_t *length)
{
    const char *separators = reply->version == 1 ? " " : ";";
    size_t n = strlen(name);

    for (const char *at = reply->text; *at;) {
        size_t token = strcspn(at, separators);

        if (token > n && strncmp(at, name, n) == 0 && at[n] == '=') {
            *length = token - n - 1;
            return at + n + 1;
        }
        at += token;
        at += strspn(at, separators);
    }
    return NULL;
}

int tern_pmi_reply_copy(const struct tern_pmi_reply *reply, const char *name, char *to,
                        size_t bytes)
{
    size_t n;
    const char *value = field(reply, name, &n);

    if (!value || n >= bytes)
        return -EPROTO;
    memcpy(to, value, n);
    to[n] = '\0';
    return 0;
}

bool tern_pmi_reply_is(const struct tern_pmi_reply *reply, const char *name, const char *wanted)
{
    size_t n;
    const char *value = field(reply, name, &n);

    return value && n == strlen(wanted) && strncmp(value, wanted, n) == 0;
}

int tern_pmi_session_ask(struct tern_pmi_session *s, struct tern_pmi_reply *reply,
                         const char *answer, const char *format, ...)
{
    char command[TERN_PMI_MESSAGE_BYTES];
    size_t n;
    va_list args;
    int length, r;

    va_start(args, format);
    length = vsnprintf(command, sizeof command, format, args);
    va_end(args);
    if (!tern_pmi_session_is_open(s) || length >= (int)sizeof command)
        return broken(s, -ECONNRESET);
    reply->version = s->wire.version;
    r = tern_pmi_wire_ask(&s->wire, command, reply->text);
    if (r && r != -EPROTO)
        return broken(s, r);
    if (r)
        return tern_pmi_session_misunderstood(s, command, reply);
    if (!tern_pmi_reply_is(reply, "cmd", answer) ||
        (field(reply, "rc", &n) && !tern_pmi_reply_is(reply, "rc", "0")))
        return tern_pmi_session_misunderstood(s, command, reply);
    return 0;
}
