/* SPDX-License-Identifier: BSD-3-Clause */
/* The protocols PMI-1 and PMI-2, as Hydra, Flux and Slurm's pmi2 speak them. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/limit.h"
#include "base/log.h"
#include "boot/external/pmi_session.h"
#include "boot/external/pmi_share.h"
#include "boot/external/protocol.h"
#include "boot/text.h"

/* What each version guarantees, where the launcher does not say. */
#define LEAST_VALUE_BYTES 256
#define MOST_VALUE_BYTES 1024

#define NUMBER_BYTES 16

static TERN_PE_LOCAL struct {
    struct tern_pmi_session session;
    int pe, n_pes;
    bool is_slurm;
    char kvs[256]; /* version 1: the key-value space; version 2: the job */
} pmi = {.session.wire = {.fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER}};

static bool find(char *const *envp, struct tern_protocol_place *place,
                 struct tern_start_error *start_error)
{
    const char *fd = tern_text_find(envp, "PMI_FD"), *rank = tern_text_find(envp, "PMI_RANK");
    const char *size = tern_text_find(envp, "PMI_SIZE");
    const char *job = tern_text_find(envp, "PMI_JOBID"), *obstacle;
    int number;

    if (!fd || !rank)
        return false;
    if (!tern_text_number(fd, INT_MAX, &number) || !size ||
        !tern_text_number(size, INT_MAX, &place->n_pes) || place->n_pes < 1 ||
        !tern_text_number(rank, place->n_pes - 1, &place->pe)) {
        snprintf(start_error->error, sizeof start_error->error,
                 "PMI_FD=%.20s, PMI_RANK=%.20s and PMI_SIZE=%.20s make no sense: they are the "
                 "launcher's to set",
                 fd, rank, size ? size : "");
        return false;
    }
    obstacle = tern_pmi_session_find_obstacle(&pmi.session, number);
    if (obstacle) {
        if (place->n_pes > 1)
            snprintf(start_error->warning, sizeof start_error->warning,
                     "the job that the launcher has started can't be joined, so this program is "
                     "one of its own: PMI_FD=%d %s" TERN_SEE("One PE each"),
                     number, obstacle);
        return false;
    }
    pmi.is_slurm = job != NULL; /* only Slurm offers version 2 alone, and numbers its jobs */
    pmi.session.wire.version = job ? 2 : 1;
    snprintf(pmi.kvs, sizeof pmi.kvs, "%s", job ? job : "");
    pmi.pe = place->pe;
    pmi.n_pes = place->n_pes;
    /* Each PE has a socket of its own, so its inode is unique. */
    place->lock_key = (uint64_t)pmi.session.inode;
    return true;
}

/* Both versions begin with this exchange, in the form of version 1. */
static int agree_on_version(void)
{
    int wanted = pmi.session.wire.version, r;
    struct tern_pmi_reply reply;

    pmi.session.wire.version = 1;
    r = tern_pmi_session_ask(&pmi.session, &reply, "response_to_init",
                             "cmd=init pmi_version=%d pmi_subversion=%d", wanted,
                             wanted == 1 ? 1 : 0);
    if (!r && !tern_pmi_reply_is(&reply, "pmi_version", wanted == 1 ? "1" : "2"))
        r = tern_pmi_session_misunderstood(&pmi.session, "cmd=init", &reply);
    pmi.session.wire.version = wanted;
    return r;
}

static size_t limit_on_values(const struct tern_pmi_reply *maxes)
{
    char text[NUMBER_BYTES];
    int most;

    if (tern_pmi_reply_copy(maxes, "vallen_max", text, sizeof text) != 0 ||
        !tern_text_number(text, INT_MAX, &most) || most < 2)
        most = LEAST_VALUE_BYTES;
    return (size_t)(most < MOST_VALUE_BYTES ? most : MOST_VALUE_BYTES) - 1;
}

static int begin_1(struct tern_protocol_job *job)
{
    struct tern_pmi_reply reply;
    int r = tern_pmi_session_ask(&pmi.session, &reply, "maxes", "cmd=get_maxes");

    if (r)
        return r;
    job->most_value_bytes = limit_on_values(&reply);
    r = tern_pmi_session_ask(&pmi.session, &reply, "my_kvsname", "cmd=get_my_kvsname");
    if (!r && tern_pmi_reply_copy(&reply, "kvsname", pmi.kvs, sizeof pmi.kvs) != 0)
        r = tern_pmi_session_misunderstood(&pmi.session, "cmd=get_my_kvsname", &reply);
    return r;
}

static int begin_2(struct tern_protocol_job *job)
{
    struct tern_pmi_reply reply;

    job->most_value_bytes = MOST_VALUE_BYTES - 1;
    return tern_pmi_session_ask(&pmi.session, &reply, "fullinit-response",
                                "cmd=fullinit;pmijobid=%s;pmirank=%d;threaded=FALSE;", pmi.kvs,
                                pmi.pe);
}

/*
 * Slurm accepts one introduction for each socket. If MPI has made it, Tern continues on that
 * socket. If MPI has not been initialized yet, it gets a socket of its own from Tern.
 */
static int introduce_beside_mpi(enum tern_pmi_mpi mpi)
{
    char limit[TERN_LIMIT_BYTES] = "";
    int r;

    pmi.session.wire.version = tern_pmi_share_version();
    if (mpi == TERN_PMI_MPI_RUNS)
        return 0;
    r = agree_on_version();
    if (!r)
        r = tern_pmi_share_begin(&pmi.session.wire);
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

    if (mpi == TERN_PMI_MPI_FINALIZED && !tern_pmi_session_is_open(&pmi.session)) {
        tern_error("MPI_Finalize has closed the launcher's socket: call shmem_init before it");
        return -ENOTCONN;
    }
    if (mpi == TERN_PMI_NO_MPI || !pmi.is_slurm)
        return agree_on_version();
    return introduce_beside_mpi(mpi);
}

/* Slurm numbers jobs from 1: two Slurms on one machine have jobs of the same name. */
static uint64_t identify_job(void)
{
    return tern_text_hash(pmi.is_slurm ? (uint64_t)tern_pmi_session_launcher(&pmi.session) : 0,
                          pmi.kvs);
}

static int connect_to_launcher(struct tern_protocol_job *job)
{
    int r;

    tern_pmi_session_open(&pmi.session);
    r = introduce();
    if (r)
        return r;
    *job = (struct tern_protocol_job){.pe = pmi.pe, .n_pes = pmi.n_pes};
    r = pmi.session.wire.version == 1 ? begin_1(job) : begin_2(job);
    job->id = identify_job();
    return r;
}

static int put(const char *key, const char *value)
{
    struct tern_pmi_reply reply;

    if (pmi.session.wire.version == 1)
        return tern_pmi_session_ask(&pmi.session, &reply, "put_result",
                                    "cmd=put kvsname=%s key=%s-%d value=%s", pmi.kvs, key, pmi.pe,
                                    value);
    return tern_pmi_session_ask(&pmi.session, &reply, "kvs-put-response",
                                "cmd=kvs-put;key=%s-%d;value=%s;", key, pmi.pe, value);
}

static int fence(void)
{
    struct tern_pmi_reply reply;

    return pmi.session.wire.version == 1
               ? tern_pmi_session_ask(&pmi.session, &reply, "barrier_out", "cmd=barrier_in")
               : tern_pmi_session_ask(&pmi.session, &reply, "kvs-fence-response", "cmd=kvs-fence;");
}

static int get(int pe, const char *key, char *value, size_t value_bytes)
{
    struct tern_pmi_reply reply;
    int r = pmi.session.wire.version == 1
                ? tern_pmi_session_ask(&pmi.session, &reply, "get_result",
                                       "cmd=get kvsname=%s key=%s-%d", pmi.kvs, key, pe)
                : tern_pmi_session_ask(&pmi.session, &reply, "kvs-get-response",
                                       "cmd=kvs-get;jobid=%s;srcid=%d;key=%s-%d;", pmi.kvs, pe, key,
                                       pe);

    if (!r && tern_pmi_reply_copy(&reply, "value", value, value_bytes) != 0)
        r = tern_pmi_session_misunderstood(
            &pmi.session, pmi.session.wire.version == 1 ? "cmd=get" : "cmd=kvs-get", &reply);
    return r;
}

/* There is no answer. If MPI has closed the socket, the exit status must suffice. */
static void abort_job(int status)
{
    char command[100];

    if (!tern_pmi_session_is_open(&pmi.session))
        return;
    if (pmi.session.wire.version == 1)
        snprintf(command, sizeof command, "cmd=abort exitcode=%d", status);
    else
        snprintf(command, sizeof command, "cmd=abort;isworld=TRUE;msg=exit status %d;", status);
    tern_pmi_wire_send(pmi.session.wire.fd, pmi.session.wire.version, command);
}

/* Slurm kills all tasks, and its status is the highest of theirs. */
static bool abort_keeps(int status)
{
    return !pmi.is_slurm;
}

/*
 * Hydra ends the job when a process ends without this. MPI_Finalize has sent it already, and has
 * closed the socket.
 */
static void leave(void)
{
    struct tern_pmi_reply reply;

    if (!tern_pmi_session_is_open(&pmi.session))
        return;
    pmi.session.leaves = true;
    if (pmi.session.wire.version == 1)
        tern_pmi_session_ask(&pmi.session, &reply, "finalize_ack", "cmd=finalize");
    else
        tern_pmi_session_ask(&pmi.session, &reply, "finalize-response", "cmd=finalize;");
    tern_pmi_session_close(&pmi.session);
}

/* Not the socket, which MPI_Finalize may close. */
static int watch(void)
{
    pid_t launcher =
        tern_pmi_session_is_open(&pmi.session) ? tern_pmi_session_launcher(&pmi.session) : 0;

    return launcher > 0 ? tern_compat_open_process(launcher) : -1;
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
