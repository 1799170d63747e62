/* SPDX-License-Identifier: BSD-3-Clause */
/* PMI-1 and PMI-2, as Hydra, Flux and Slurm's pmi2 speak them on an inherited socket. */
#include <errno.h>
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

#include "base/atomics.h"
#include "base/limit.h"
#include "base/log.h"
#include "boot/external/pmi_share.h"
#include "boot/external/pmi_wire.h"
#include "boot/external/protocol.h"
#include "boot/text.h"

/* What each version guarantees, where the launcher does not say. */
#define LEAST_VALUE_BYTES 256
#define MOST_VALUE_BYTES 1024

#define NUMBER_BYTES 16

/*
 * An MPI library in the same program speaks to the same socket, in calls of its own that do not
 * overlap with ours; it closes the socket when it is done.
 */
static TERN_PE_LOCAL struct {
    struct tern_pmi_wire wire;
    dev_t device; /* of the socket, to tell when the number has become another's */
    ino_t inode;
    int pe, n_pes;
    bool is_slurm;
    bool connected;
    char kvs[256]; /* version 1: the key-value space; version 2: the job */
} pmi = {.wire = {.fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER}};

/* ---- messages ---- */

/* An answer; each call has its own, since one that leaves the launcher may overlap with others. */
struct reply {
    char text[TERN_PMI_MESSAGE_BYTES];
};

static bool still_ours(void)
{
    struct stat st;

    /* Acquire: partner of the releases in connect_to_launcher() and leave(). */
    return tern_load_acquire(&pmi.connected) && fstat(pmi.wire.fd, &st) == 0 &&
           st.st_dev == pmi.device && st.st_ino == pmi.inode;
}

static int hung_up(void)
{
    tern_error("the launcher (PMI-%d) has hung up: has it ended, or has the wrapper run another "
               "OpenSHMEM or MPI program before?",
               pmi.wire.version);
    return -ECONNRESET;
}

/* In an answer, what is not to be printed would spoil the message about it. */
static int misunderstood(const char *command, const struct reply *reply)
{
    char shown[100];
    size_t n = strcspn(command, " ;\n");

    for (size_t i = 0; i < sizeof shown; i++)
        shown[i] = reply->text[i] == '\0' || (reply->text[i] >= ' ' && reply->text[i] <= '~')
                       ? reply->text[i]
                       : '?';
    shown[sizeof shown - 1] = '\0';
    tern_error("the launcher (PMI-%d) answers \"%s\" to \"%.*s\", which makes no sense here",
               pmi.wire.version, shown, (int)n, command);
    return -EPROTO;
}

/* The value of a field of the answer, up to its end, or NULL. */
static const char *field(const struct reply *reply, const char *name, size_t *length)
{
    const char *separators = pmi.wire.version == 1 ? " " : ";";
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

static int copy_field(const struct reply *reply, const char *name, char *to, size_t bytes)
{
    size_t n;
    const char *value = field(reply, name, &n);

    if (!value || n >= bytes)
        return -EPROTO;
    memcpy(to, value, n);
    to[n] = '\0';
    return 0;
}

static bool field_is(const struct reply *reply, const char *name, const char *wanted)
{
    size_t n;
    const char *value = field(reply, name, &n);

    return value && n == strlen(wanted) && strncmp(value, wanted, n) == 0;
}

/* Sends a command and takes the answer, which has to be of that name and without an error. */
static int ask(struct reply *reply, const char *answer, const char *format, ...) TERN_PRINTF(3, 4);
static int ask(struct reply *reply, const char *answer, const char *format, ...)
{
    char command[TERN_PMI_MESSAGE_BYTES];
    size_t n;
    va_list args;
    int length, r;

    va_start(args, format);
    length = vsnprintf(command, sizeof command, format, args);
    va_end(args);
    if (!still_ours() || length >= (int)sizeof command)
        return hung_up();
    r = tern_pmi_wire_ask(&pmi.wire, command, reply->text);
    if (r == -ECONNRESET)
        return hung_up();
    if (r)
        return misunderstood(command, reply);
    if (!field_is(reply, "cmd", answer) || (field(reply, "rc", &n) && !field_is(reply, "rc", "0")))
        return misunderstood(command, reply);
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

static bool find(char *const *envp, struct tern_protocol_place *place,
                 struct tern_start_error *start_error)
{
    const char *fd = tern_text_find(envp, "PMI_FD"), *rank = tern_text_find(envp, "PMI_RANK");
    const char *size = tern_text_find(envp, "PMI_SIZE");
    const char *job = tern_text_find(envp, "PMI_JOBID"), *obstacle;

    if (!fd || !rank)
        return false;
    if (!tern_text_number(fd, INT_MAX, &pmi.wire.fd) || !size ||
        !tern_text_number(size, INT_MAX, &place->n_pes) || place->n_pes < 1 ||
        !tern_text_number(rank, place->n_pes - 1, &place->pe)) {
        snprintf(start_error->error, sizeof start_error->error,
                 "PMI_FD=%.20s, PMI_RANK=%.20s and PMI_SIZE=%.20s make no sense: they are the "
                 "launcher's to set",
                 fd, rank, size ? size : "");
        return false;
    }
    obstacle = find_obstacle(pmi.wire.fd);
    if (obstacle) {
        if (place->n_pes > 1)
            snprintf(start_error->warning, sizeof start_error->warning,
                     "the job that the launcher has started can't be joined, so this program is "
                     "one of its own: PMI_FD=%d %s",
                     pmi.wire.fd, obstacle);
        return false;
    }
    pmi.is_slurm = job != NULL; /* nobody else speaks version 2 alone, or counts its jobs */
    pmi.wire.version = job ? 2 : 1;
    snprintf(pmi.kvs, sizeof pmi.kvs, "%s", job ? job : "");
    pmi.pe = place->pe;
    pmi.n_pes = place->n_pes;
    /* Sockets have numbers of their own, so this one stands for the PE. */
    place->lock_key = (uint64_t)pmi.inode;
    return true;
}

/* The process at the other end, which is the launcher's on this machine; 0 if it can't be seen. */
static pid_t launchers_process(void)
{
    struct ucred peer = {0};
    socklen_t bytes = sizeof peer;

    return getsockopt(pmi.wire.fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 ? peer.pid : 0;
}

/* Both versions begin with this exchange, in the form of version 1. */
static int agree_on_version(void)
{
    int wanted = pmi.wire.version, r;
    struct reply reply;

    pmi.wire.version = 1;
    r = ask(&reply, "response_to_init", "cmd=init pmi_version=%d pmi_subversion=%d", wanted,
            wanted == 1 ? 1 : 0);
    if (!r && !field_is(&reply, "pmi_version", wanted == 1 ? "1" : "2"))
        r = misunderstood("cmd=init", &reply);
    pmi.wire.version = wanted;
    return r;
}

static size_t limit_on_values(const struct reply *maxes)
{
    char text[NUMBER_BYTES];
    int most;

    if (copy_field(maxes, "vallen_max", text, sizeof text) != 0 ||
        !tern_text_number(text, INT_MAX, &most) || most < 2)
        most = LEAST_VALUE_BYTES;
    return (size_t)(most < MOST_VALUE_BYTES ? most : MOST_VALUE_BYTES) - 1;
}

static int begin_1(struct tern_protocol_job *job)
{
    struct reply reply;
    int r = ask(&reply, "maxes", "cmd=get_maxes");

    if (r)
        return r;
    job->most_value_bytes = limit_on_values(&reply);
    r = ask(&reply, "my_kvsname", "cmd=get_my_kvsname");
    if (!r && copy_field(&reply, "kvsname", pmi.kvs, sizeof pmi.kvs) != 0)
        r = misunderstood("cmd=get_my_kvsname", &reply);
    return r;
}

static int begin_2(struct tern_protocol_job *job)
{
    struct reply reply;

    job->most_value_bytes = MOST_VALUE_BYTES - 1;
    return ask(&reply, "fullinit-response", "cmd=fullinit;pmijobid=%s;pmirank=%d;threaded=FALSE;",
               pmi.kvs, pmi.pe);
}

/*
 * Slurm takes one introduction a socket. If MPI has made it, we go on from there; if it is still to
 * come, it gets a socket of its own from us.
 */
static int introduce_beside_mpi(enum tern_pmi_mpi mpi)
{
    char limit[TERN_LIMIT_BYTES] = "";
    int r;

    pmi.wire.version = tern_pmi_share_version();
    if (mpi == TERN_PMI_MPI_RUNS)
        return 0;
    r = agree_on_version();
    if (!r)
        r = tern_pmi_share_begin(&pmi.wire);
    if (r == -EAGAIN)
        tern_limit_explain(TERN_LIMIT_THREADS, 0, limit);
    if (r)
        tern_error("the launcher's socket can't be shared with MPI: %s%s%s", strerror(-r),
                   limit[0] ? ": no thread: " : "", limit);
    return r;
}

static int introduce(void)
{
    enum tern_pmi_mpi mpi = tern_pmi_share_find_mpi();

    if (mpi == TERN_PMI_MPI_FINALIZED && !still_ours()) {
        tern_error("MPI_Finalize has closed the launcher's socket: call shmem_init before it");
        return -ENOTCONN;
    }
    if (mpi == TERN_PMI_NO_MPI || !pmi.is_slurm)
        return agree_on_version();
    return introduce_beside_mpi(mpi);
}

/* Slurm's names of jobs count up from 1: those of two Slurms on one machine are the same. */
static uint64_t identify_job(void)
{
    return tern_text_hash(pmi.is_slurm ? (uint64_t)launchers_process() : 0, pmi.kvs);
}

static int connect_to_launcher(struct tern_protocol_job *job)
{
    int r;

    tern_store_release(&pmi.connected, true); /* partner: still_ours() */
    r = introduce();
    if (r)
        return r;
    *job = (struct tern_protocol_job){.pe = pmi.pe, .n_pes = pmi.n_pes};
    r = pmi.wire.version == 1 ? begin_1(job) : begin_2(job);
    job->id = identify_job();
    return r;
}

static int put(const char *key, const char *value)
{
    struct reply reply;

    if (pmi.wire.version == 1)
        return ask(&reply, "put_result", "cmd=put kvsname=%s key=%s-%d value=%s", pmi.kvs, key,
                   pmi.pe, value);
    return ask(&reply, "kvs-put-response", "cmd=kvs-put;key=%s-%d;value=%s;", key, pmi.pe, value);
}

static int fence(void)
{
    struct reply reply;

    return pmi.wire.version == 1 ? ask(&reply, "barrier_out", "cmd=barrier_in")
                                 : ask(&reply, "kvs-fence-response", "cmd=kvs-fence;");
}

static int get(int pe, const char *key, char *value, size_t value_bytes)
{
    struct reply reply;
    int r = pmi.wire.version == 1
                ? ask(&reply, "get_result", "cmd=get kvsname=%s key=%s-%d", pmi.kvs, key, pe)
                : ask(&reply, "kvs-get-response", "cmd=kvs-get;jobid=%s;srcid=%d;key=%s-%d;",
                      pmi.kvs, pe, key, pe);

    if (!r && copy_field(&reply, "value", value, value_bytes) != 0)
        r = misunderstood(pmi.wire.version == 1 ? "cmd=get" : "cmd=kvs-get", &reply);
    return r;
}

/* Needs no answer; where MPI has closed the socket, the exit status has to do. */
static void abort_job(int status)
{
    char command[100];

    if (!still_ours())
        return;
    if (pmi.wire.version == 1)
        snprintf(command, sizeof command, "cmd=abort exitcode=%d", status);
    else
        snprintf(command, sizeof command, "cmd=abort;isworld=TRUE;msg=exit status %d;", status);
    tern_pmi_wire_send(pmi.wire.fd, pmi.wire.version, command);
}

/* Slurm kills all tasks, and its status is the highest of theirs. */
static bool abort_keeps(int status)
{
    return !pmi.is_slurm;
}

/*
 * Hydra ends the job when a process goes without this. If MPI has been in the program, it has said
 * so, and has closed the socket.
 */
static void leave(void)
{
    struct reply reply;

    if (!still_ours())
        return;
    if (pmi.wire.version == 1)
        ask(&reply, "finalize_ack", "cmd=finalize");
    else
        ask(&reply, "finalize-response", "cmd=finalize;");
    tern_store_release(&pmi.connected, false); /* partner: still_ours(), in any thread */
}

/* The socket itself says nothing: it is closed as well when MPI is done with it. */
static int watch(void)
{
    pid_t launcher = still_ours() ? launchers_process() : 0;

    return launcher > 0 ? (int)syscall(SYS_pidfd_open, launcher, 0) : -1;
}

const struct tern_protocol tern_protocol_pmi = {
    .name = "PMI",
    .find = find,
    .connect = connect_to_launcher,
    .put = put,
    .fence = fence,
    .get = get,
    .abort = abort_job,
    .abort_keeps = abort_keeps,
    .leave = leave,
    .watch = watch,
};
