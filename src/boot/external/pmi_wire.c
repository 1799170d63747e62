/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages on a socket: lines in version 1, texts with their lengths in version 2. */
#include "boot/external/pmi_wire.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "boot/text.h"

#define LENGTH_DIGITS 6

/* A fence lasts until the last PE gets there: after this time the user is warned. */
#define PATIENCE_MS 30000

/* How often a command is sent again, every 10 ms, if the kernel has no memory for it. */
#define MOST_ATTEMPTS 500

static int send_all(int fd, const char *bytes, size_t n)
{
    int attempts = 0;

    while (n > 0) {
        ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);

        if (sent < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        else if (sent < 0 && (errno == ENOBUFS || errno == ENOMEM) && ++attempts < MOST_ATTEMPTS)
            usleep(10000);
        else if (sent < 0 && errno != EINTR)
            return -errno;
        else if (sent > 0)
            bytes += sent, n -= (size_t)sent;
    }
    return 0;
}

int tern_pmi_wire_send(int fd, int version, const char *message)
{
    char framed[TERN_PMI_MESSAGE_BYTES + LENGTH_DIGITS + 1];
    int n;

    if (version == 1)
        n = snprintf(framed, sizeof framed, "%s\n", message);
    else
        n = snprintf(framed, sizeof framed, "%*zu%s", LENGTH_DIGITS, strlen(message), message);
    return n < (int)sizeof framed ? send_all(fd, framed, (size_t)n) : -EMSGSIZE;
}

/* Receives 1 to n bytes: returns how many, or -errno; -ECONNRESET if the other side has hung up. */
static ssize_t receive_some(int fd, char *bytes, size_t n, const char *to)
{
    for (int patience = to ? PATIENCE_MS : -1;; patience = -1) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        ssize_t got;

        if (poll(&p, 1, patience) == 0) {
            tern_warn("the launcher (PMI) has not answered \"%.*s\" for %d seconds: have all PEs "
                      "called shmem_init?" TERN_SEE("Launchers"),
                      (int)strcspn(to, " ;\n"), to, PATIENCE_MS / 1000);
            continue;
        }
        got = recv(fd, bytes, n, 0);
        if (got > 0)
            return got;
        if (got == 0)
            return -ECONNRESET;
        if (errno != EINTR && errno != EAGAIN)
            return -errno;
    }
}

/* A line ends the data: the launcher sends nothing that was not asked for. */
static int receive_line(int fd, char *message, const char *to)
{
    size_t have = 0;
    char *end = NULL;

    while (!end) {
        ssize_t got;

        if (have == TERN_PMI_MESSAGE_BYTES - 1)
            return -EPROTO;
        got = receive_some(fd, message + have, TERN_PMI_MESSAGE_BYTES - 1 - have, to);
        if (got < 0)
            return (int)got;
        end = memchr(message + have, '\n', (size_t)got);
        have += (size_t)got;
        message[have] = '\0';
    }
    if (end != message + have - 1)
        return -EPROTO;
    *end = '\0';
    return 0;
}

static int receive_all(int fd, char *bytes, size_t n, const char *to)
{
    for (size_t have = 0; have < n;) {
        ssize_t got = receive_some(fd, bytes + have, n - have, to);

        if (got < 0)
            return (int)got;
        have += (size_t)got;
    }
    bytes[n] = '\0';
    return 0;
}

static int receive_counted(int fd, char *message, const char *to)
{
    char digits[LENGTH_DIGITS + 1], *number;
    int n, r = receive_all(fd, digits, LENGTH_DIGITS, to);

    if (r)
        return r;
    memcpy(message, digits, sizeof digits);
    number = digits + strspn(digits, " "); /* Slurm puts the blanks behind the number */
    number[strcspn(number, " ")] = '\0';
    if (!tern_text_number(number, TERN_PMI_MESSAGE_BYTES - 1, &n))
        return -EPROTO;
    return receive_all(fd, message, (size_t)n, to);
}

int tern_pmi_wire_receive(int fd, int version, char message[TERN_PMI_MESSAGE_BYTES], const char *to)
{
    message[0] = '\0';
    return version == 1 ? receive_line(fd, message, to) : receive_counted(fd, message, to);
}

int tern_pmi_wire_ask(struct tern_pmi_wire *wire, const char *command,
                      char answer[TERN_PMI_MESSAGE_BYTES])
{
    int r;

    pthread_mutex_lock(&wire->lock);
    r = tern_pmi_wire_send(wire->fd, wire->version, command);
    if (r == -EPIPE)
        r = -ECONNRESET;
    if (!r)
        r = tern_pmi_wire_receive(wire->fd, wire->version, answer, command);
    pthread_mutex_unlock(&wire->lock);
    return r;
}
