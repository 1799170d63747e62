/* SPDX-License-Identifier: BSD-3-Clause */
/* PMI-1 and PMI-2, as Hydra, Flux and Slurm's pmi2 speak them on an inherited socket. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "boot/launcher.h"
#include "boot/text.h"

/*
 * Commands are "cmd=put kvsname=... key=... value=...\n" in version 1, and
 * "    34cmd=kvs-put;key=...;value=...;" with their length in six characters in version 2. Each is
 * answered before the next one is sent. An MPI library in the same program speaks to the same
 * socket, in calls of its own that do not overlap with ours; it closes the socket when it is done.
 */
#define MESSAGE_BYTES 4096
#define LENGTH_DIGITS 6

/* What each version guarantees, where the launcher does not say. */
#define LEAST_VALUE_BYTES 256
#define MOST_VALUE_BYTES 1024

/* A fence lasts until the last PE gets there; who waits for so long wants to know for what. */
#define PATIENCE_MS 30000

#define PARENT_BYTES 16

static TERN_PE_LOCAL struct {
    int fd;
    dev_t device; /* of the socket, to tell when the number has become another's */
    ino_t inode;
    int version;
    int pe, n_pes;
    bool connected;
    char kvs[256]; /* version 1: the key-value space; version 2: the job */
    char reply[MESSAGE_BYTES];
} pmi = {.fd = -1};

/* ---- messages ---- */

static bool still_ours(void)
{
    struct stat st;

    return pmi.connected && fstat(pmi.fd, &st) == 0 && st.st_dev == pmi.device &&
           st.st_ino == pmi.inode;
}

static int hung_up(void)
{
    tern_error("the launcher (PMI-%d) has hung up: has it ended, or has the wrapper run another "
               "OpenSHMEM or MPI program before?",
               pmi.version);
    return -ECONNRESET;
}

/* In an answer, what is not to be printed would spoil the message about it. */
static int misunderstood(const char *command)
{
    char shown[100];
    size_t n = strcspn(command, " ;\n");

    for (size_t i = 0; i < sizeof shown; i++)
        shown[i] = pmi.reply[i] == '\0' || (pmi.reply[i] >= ' ' && pmi.reply[i] <= '~')
                       ? pmi.reply[i]
                       : '?';
    shown[sizeof shown - 1] = '\0';
    tern_error("the launcher (PMI-%d) answers \"%s\" to \"%.*s\", which makes no sense here",
               pmi.version, shown, (int)n, command);
    return -EPROTO;
}

static int send_all(const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t sent = send(pmi.fd, bytes, n, MSG_NOSIGNAL);

        if (sent < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = pmi.fd, .events = POLLOUT}, 1, -1);
        else if (sent < 0 && errno != EINTR)
            return -errno;
        else if (sent > 0)
            bytes += sent, n -= (size_t)sent;
    }
    return 0;
}

/* A command without its frame, which the version in force adds. */
static int send_command(int version, const char *command)
{
    char framed[MESSAGE_BYTES + LENGTH_DIGITS + 1];
    int n;

    if (version == 1)
        n = snprintf(framed, sizeof framed, "%s\n", command);
    else
        n = snprintf(framed, sizeof framed, "%*zu%s", LENGTH_DIGITS, strlen(command), command);
    return n < (int)sizeof framed ? send_all(framed, (size_t)n) : -EMSGSIZE;
}

/* At least one byte, n at most: how many, or -errno; 0 if the launcher has hung up. */
static ssize_t receive(char *to, size_t n, const char *command)
{
    for (int waited = 0;; waited = 1) {
        struct pollfd p = {.fd = pmi.fd, .events = POLLIN};
        ssize_t got;

        if (poll(&p, 1, waited ? -1 : PATIENCE_MS) == 0) {
            tern_warn("the launcher (PMI-%d) has not answered \"%.*s\" for %d seconds: have all "
                      "PEs called shmem_init?",
                      pmi.version, (int)strcspn(command, " ;\n"), command, PATIENCE_MS / 1000);
            continue;
        }
        got = recv(pmi.fd, to, n, 0);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            return got < 0 ? -errno : got;
    }
}

static int receive_all(char *to, size_t n, const char *command)
{
    for (size_t have = 0; have < n;) {
        ssize_t got = receive(to + have, n - have, command);

        if (got <= 0)
            return hung_up();
        have += (size_t)got;
    }
    return 0;
}

/* Up to its newline, after which nothing comes before the next command. */
static int receive_line(const char *command)
{
    size_t have = 0;
    char *end = NULL;

    while (!end) {
        ssize_t got;

        if (have == sizeof pmi.reply - 1)
            return misunderstood(command);
        got = receive(pmi.reply + have, sizeof pmi.reply - 1 - have, command);
        if (got <= 0)
            return hung_up();
        end = memchr(pmi.reply + have, '\n', (size_t)got);
        have += (size_t)got;
        pmi.reply[have] = '\0';
    }
    if (end != pmi.reply + have - 1)
        return misunderstood(command);
    *end = '\0';
    return 0;
}

static int receive_counted(const char *command)
{
    char digits[LENGTH_DIGITS + 1] = "", *number;
    int n, r = receive_all(digits, LENGTH_DIGITS, command);

    if (r)
        return r;
    memcpy(pmi.reply, digits, sizeof digits);
    number = digits + strspn(digits, " "); /* Slurm puts the blanks behind the number */
    number[strcspn(number, " ")] = '\0';
    if (!tern_text_number(number, sizeof pmi.reply - 1, &n))
        return misunderstood(command);
    r = receive_all(pmi.reply, (size_t)n, command);
    pmi.reply[r ? 0 : n] = '\0';
    return r;
}

/* The value of a field of the answer, up to its end, or NULL. */
static const char *field(const char *name, size_t *length)
{
    const char *separators = pmi.version == 1 ? " " : ";";
    size_t n = strlen(name);

    for (const char *at = pmi.reply; *at;) {
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

static int copy_field(const char *name, char *to, size_t bytes)
{
    size_t n;
    const char *value = field(name, &n);

    if (!value || n >= bytes)
        return -EPROTO;
    memcpy(to, value, n);
    to[n] = '\0';
    return 0;
}

static bool field_is(const char *name, const char *wanted)
{
    size_t n;
    const char *value = field(name, &n);

    return value && n == strlen(wanted) && strncmp(value, wanted, n) == 0;
}

/* Sends a command and takes the answer, which has to be of that name and without an error. */
static int ask(const char *answer, const char *format, ...) TERN_PRINTF(2, 3);
static int ask(const char *answer, const char *format, ...)
{
    char command[MESSAGE_BYTES];
    size_t n;
    va_list args;
    int length, r;

    va_start(args, format);
    length = vsnprintf(command, sizeof command, format, args);
    va_end(args);
    if (!still_ours() || length >= (int)sizeof command || send_command(pmi.version, command) != 0)
        return hung_up();
    r = pmi.version == 1 ? receive_line(command) : receive_counted(command);
    if (r)
        return r;
    if (!field_is("cmd", answer) || (field("rc", &n) && !field_is("rc", "0")))
        return misunderstood(command);
    return 0;
}

/* ---- the launcher ---- */

static bool is_socket(int fd)
{
    struct stat st;

    if (fstat(fd, &st) != 0 || !S_ISSOCK(st.st_mode))
        return false;
    pmi.device = st.st_dev;
    pmi.inode = st.st_ino;
    return true;
}

/* NULL, or why nobody answers there. */
static const char *find_obstacle(int fd)
{
    struct pollfd p = {.fd = fd};

    if (!is_socket(fd))
        return "is not open: does a wrapper close descriptors?";
    if (poll(&p, 1, 0) > 0 && p.revents & POLLHUP)
        return "has hung up: has the wrapper run another OpenSHMEM or MPI program before?";
    return NULL;
}

static bool find(char *const *envp, struct tern_place *place, struct tern_trouble *trouble)
{
    const char *fd = tern_text_find(envp, "PMI_FD"), *rank = tern_text_find(envp, "PMI_RANK");
    const char *size = tern_text_find(envp, "PMI_SIZE");
    const char *job = tern_text_find(envp, "PMI_JOBID"), *obstacle;

    if (!fd || !rank)
        return false;
    if (!tern_text_number(fd, INT_MAX, &pmi.fd) || !size ||
        !tern_text_number(size, INT_MAX, &place->n_pes) || place->n_pes < 1 ||
        !tern_text_number(rank, place->n_pes - 1, &place->pe)) {
        snprintf(trouble->error, sizeof trouble->error,
                 "PMI_FD=%.20s, PMI_RANK=%.20s and PMI_SIZE=%.20s make no sense: they are the "
                 "launcher's to set",
                 fd, rank, size ? size : "");
        return false;
    }
    obstacle = find_obstacle(pmi.fd);
    if (obstacle) {
        if (place->n_pes > 1)
            snprintf(trouble->warning, sizeof trouble->warning,
                     "the job that the launcher has started can't be joined, so this program is "
                     "one of its own: PMI_FD=%d %s",
                     pmi.fd, obstacle);
        return false;
    }
    pmi.version = job ? 2 : 1;
    snprintf(pmi.kvs, sizeof pmi.kvs, "%s", job ? job : "");
    pmi.pe = place->pe;
    pmi.n_pes = place->n_pes;
    /* Sockets have numbers of their own, so this one stands for the PE. */
    place->claim = (uint64_t)pmi.inode;
    return true;
}

/* The process at the other end, which is the launcher's on this machine; 0 if it can't be seen. */
static pid_t launchers_process(void)
{
    struct ucred peer = {0};
    socklen_t bytes = sizeof peer;

    return getsockopt(pmi.fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 ? peer.pid : 0;
}

/* Both versions begin with this exchange, in the form of version 1. */
static int agree_on_version(void)
{
    int wanted = pmi.version, r;

    pmi.version = 1;
    r = ask("response_to_init", "cmd=init pmi_version=%d pmi_subversion=%d", wanted,
            wanted == 1 ? 1 : 0);
    if (!r && !field_is("pmi_version", wanted == 1 ? "1" : "2"))
        r = misunderstood("cmd=init");
    pmi.version = wanted;
    return r;
}

static int limit_on_values(size_t *bytes)
{
    char text[PARENT_BYTES];
    int most;

    if (copy_field("vallen_max", text, sizeof text) != 0 ||
        !tern_text_number(text, INT_MAX, &most) || most < 2)
        most = LEAST_VALUE_BYTES;
    *bytes = (size_t)(most < MOST_VALUE_BYTES ? most : MOST_VALUE_BYTES) - 1;
    return 0;
}

static int begin_1(struct tern_launcher_job *job)
{
    int r = ask("maxes", "cmd=get_maxes");

    if (!r)
        r = limit_on_values(&job->most_value_bytes);
    if (!r)
        r = ask("my_kvsname", "cmd=get_my_kvsname");
    if (!r && copy_field("kvsname", pmi.kvs, sizeof pmi.kvs) != 0)
        r = misunderstood("cmd=get_my_kvsname");
    return r;
}

/* Names of jobs count up from 1: two Slurms on one machine have the same. */
static int begin_2(struct tern_launcher_job *job)
{
    job->most_value_bytes = MOST_VALUE_BYTES - 1;
    job->id = (uint64_t)launchers_process();
    return ask("fullinit-response", "cmd=fullinit;pmijobid=%s;pmirank=%d;threaded=FALSE;", pmi.kvs,
               pmi.pe);
}

static int connect_to_launcher(struct tern_launcher_job *job)
{
    int r;

    pmi.connected = true;
    r = agree_on_version();
    if (r)
        return r;
    *job = (struct tern_launcher_job){.pe = pmi.pe, .n_pes = pmi.n_pes};
    r = pmi.version == 1 ? begin_1(job) : begin_2(job);
    job->id = tern_text_hash(job->id, pmi.kvs);
    return r;
}

static int put(const char *key, const char *value)
{
    if (pmi.version == 1)
        return ask("put_result", "cmd=put kvsname=%s key=%s-%d value=%s", pmi.kvs, key, pmi.pe,
                   value);
    return ask("kvs-put-response", "cmd=kvs-put;key=%s-%d;value=%s;", key, pmi.pe, value);
}

static int fence(void)
{
    return pmi.version == 1 ? ask("barrier_out", "cmd=barrier_in")
                            : ask("kvs-fence-response", "cmd=kvs-fence;");
}

static int get(int pe, const char *key, char *value, size_t value_bytes)
{
    int r = pmi.version == 1 ? ask("get_result", "cmd=get kvsname=%s key=%s-%d", pmi.kvs, key, pe)
                             : ask("kvs-get-response", "cmd=kvs-get;jobid=%s;srcid=%d;key=%s-%d;",
                                   pmi.kvs, pe, key, pe);

    if (!r && copy_field("value", value, value_bytes) != 0)
        r = misunderstood(pmi.version == 1 ? "cmd=get" : "cmd=kvs-get");
    return r;
}

/* Needs no answer; where MPI has closed the socket, the exit status has to do. */
static void abort_job(int status)
{
    char command[100];

    if (!still_ours())
        return;
    if (pmi.version == 1)
        snprintf(command, sizeof command, "cmd=abort exitcode=%d", status);
    else
        snprintf(command, sizeof command, "cmd=abort;isworld=TRUE;msg=exit status %d;", status);
    send_command(pmi.version, command);
}

/*
 * Hydra ends the job when a process goes without this. If MPI has been in the program, it has said
 * so, and has closed the socket.
 */
static void leave(void)
{
    if (!still_ours())
        return;
    if (pmi.version == 1)
        ask("finalize_ack", "cmd=finalize");
    else
        ask("finalize-response", "cmd=finalize;");
    pmi.connected = false;
}

/* The socket itself says nothing: it is closed as well when MPI is done with it. */
static int watch(void)
{
    pid_t launcher = still_ours() ? launchers_process() : 0;

    return launcher > 0 ? (int)syscall(SYS_pidfd_open, launcher, 0) : -1;
}

const struct tern_launcher tern_launcher_pmi = {
    .name = "PMI",
    .find = find,
    .connect = connect_to_launcher,
    .put = put,
    .fence = fence,
    .get = get,
    .abort = abort_job,
    .leave = leave,
    .watch = watch,
};
