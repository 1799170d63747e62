/* SPDX-License-Identifier: BSD-3-Clause */
/* The protocol PMIx of Open MPI's mpirun, prterun and Slurm's pmix, by the installed library. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/dynamic.h"
#include "base/log.h"
#include "boot/external/pmix_abi.h"
#include "boot/external/protocol.h"
#include "boot/text.h"

/* PMIx itself has no limit; values.c splits longer values. */
#define MOST_VALUE_BYTES 1023

/*
 * The library counts its users in a process, so MPI may initialize and finalize it independently.
 * It is never unloaded, because its own threads run in it.
 */
static TERN_PE_LOCAL struct {
    struct tern_pmix_proc me;
    uint64_t job;
    int lost_fd; /* an eventfd, readable when the connection is lost */
#define FIELD(field, type, name, parameters) type(*field) parameters;
    TERN_PMIX_FUNCTIONS(FIELD)
#undef FIELD
} pmix = {.lost_fd = -1};

/* ---- before main ---- */

/* The address of the launcher's process on this machine: another job may have the same name. */
static const char *server_of(char *const *envp)
{
    static const char *const names[] = {
        "PMIX_SERVER_URI4", "PMIX_SERVER_URI41", "PMIX_SERVER_URI3",  "PMIX_SERVER_URI21",
        "PMIX_SERVER_URI2", "PMIX_SERVER_URI5",  "PMIX_SERVER_URI51", "PMIX_SERVER_URI"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *uri = tern_text_find(envp, names[i]);

        if (uri)
            return uri;
    }
    return NULL;
}

/* The job's size, if the variables are of the launcher that has set PMIX_RANK, or else 0. */
static int size_by(char *const *envp, const char *rank, const char *rank_name,
                   const char *size_name)
{
    const char *same = tern_text_find(envp, rank_name), *size = tern_text_find(envp, size_name);
    int n = 0;

    if (same && size && strcmp(same, rank) == 0 && !tern_text_number(size, INT_MAX, &n))
        n = 0;
    return n;
}

static bool find(char *const *envp, struct tern_protocol_place *place,
                 struct tern_start_error *start_error)
{
    const char *rank = tern_text_find(envp, "PMIX_RANK"), *server = server_of(envp);
    const char *job = tern_text_find(envp, "PMIX_NAMESPACE");

    if (!rank || !job || !server)
        return false;
    if (!tern_text_number(rank, INT_MAX, &place->pe)) {
        snprintf(start_error->error, sizeof start_error->error,
                 "PMIX_RANK=%.20s makes no sense: it is the launcher's to set", rank);
        return false;
    }
    place->n_pes = size_by(envp, rank, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE");
    if (!place->n_pes)
        place->n_pes = size_by(envp, rank, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS");
    if (place->pe >= place->n_pes)
        place->n_pes = 0;
    pmix.job = tern_text_hash(tern_text_hash(0, job), server);
    place->lock_key = tern_text_hash(pmix.job, rank);
    return true;
}

/* ---- the library ---- */

static int failed(const char *what, int status)
{
    tern_error("the launcher (PMIx) fails in %s: %s", what, pmix.name_error(status));
    return -EPROTO;
}

static int load(void)
{
    void *library;

    if (!tern_dynamic_works()) {
        tern_error("this program is linked statically, and can't load " TERN_PMIX_LIBRARY
                   " to speak with its launcher: link it dynamically, or start it by oshrun, "
                   "mpiexec.hydra or srun --mpi=pmi2");
        return -ENOTSUP;
    }
    library = tern_dynamic_load(TERN_PMIX_LIBRARY);
    if (!library) {
        tern_error("the launcher speaks PMIx, but its library can't be loaded (%s): install "
                   "libpmix2, or add its folder to LD_LIBRARY_PATH" TERN_SEE("Launchers"),
                   dlerror());
        return -ENOENT;
    }
#define LOAD(field, type, name, parameters)                                                        \
    *(void **)&pmix.field = dlsym(library, #name);                                                 \
    if (!pmix.field) {                                                                             \
        tern_error(TERN_PMIX_LIBRARY " has no " #name ": install a newer libpmix2");               \
        return -ENOENT;                                                                            \
    }
    TERN_PMIX_FUNCTIONS(LOAD)
#undef LOAD
    return 0;
}

static int take_job_size(int *n_pes)
{
    struct tern_pmix_proc all = pmix.me;
    struct tern_pmix_value *value = NULL;
    int status;

    all.rank = TERN_PMIX_RANK_WILDCARD;
    status = pmix.get(&all, TERN_PMIX_JOB_SIZE, NULL, 0, &value);
    if (status != TERN_PMIX_SUCCESS)
        return failed("PMIx_Get of the job's size", status);
    *n_pes = value && value->type == TERN_PMIX_UINT32 && value->data.uint32 <= INT_MAX
                 ? (int)value->data.uint32
                 : 0;
    free(value);
    if (*n_pes > 0)
        return 0;
    tern_error("the launcher (PMIx) does not say how many PEs the job has");
    return -EPROTO;
}

/* ---- the watch ---- */

static void lost_connection(size_t id, int status, const struct tern_pmix_proc *source,
                            struct tern_pmix_info *info, size_t n_info,
                            struct tern_pmix_info *results, size_t n_results,
                            tern_pmix_handled *handled, void *arg)
{
    uint64_t one = 1;

    if (write(pmix.lost_fd, &one, sizeof one) < 0)
        return; /* it is readable already */
    if (handled)
        handled(TERN_PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, arg);
}

static int watch(void)
{
    static int codes[] = {TERN_PMIX_ERR_LOST_CONNECTION, TERN_PMIX_ERR_LOST_CONNECTION_TO_SERVER};

    pmix.lost_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (pmix.lost_fd >= 0)
        pmix.handle_event(codes, sizeof codes / sizeof codes[0], NULL, 0, lost_connection, NULL,
                          NULL);
    return pmix.lost_fd;
}

/* ---- the launcher ---- */

static int connect_to_launcher(struct tern_protocol_job *job)
{
    int r = load(), status;

    if (r)
        return r;
    status = pmix.init(&pmix.me, NULL, 0);
    if (status != TERN_PMIX_SUCCESS)
        return failed("PMIx_Init", status);
    *job = (struct tern_protocol_job){
        .pe = (int)pmix.me.rank,
        .id = pmix.job,
        .most_value_bytes = MOST_VALUE_BYTES,
    };
    return take_job_size(&job->n_pes);
}

static int put(const char *key, const char *value)
{
    struct tern_pmix_value v = {.type = TERN_PMIX_STRING, .data.string = (char *)value};
    int status = pmix.put(TERN_PMIX_GLOBAL, key, &v);

    return status == TERN_PMIX_SUCCESS ? 0 : failed("PMIx_Put", status);
}

/* A fence fails if a PE has ended. The PE has printed why, and the launcher is about to end all. */
#define PEER_GRACE_MS 1000

static int fence(void)
{
    struct tern_pmix_info collect = {
        .key = TERN_PMIX_COLLECT_DATA,
        .value = {.type = TERN_PMIX_BOOL, .data.flag = true},
    };
    int status = pmix.commit();

    if (status != TERN_PMIX_SUCCESS)
        return failed("PMIx_Commit", status);
    status = pmix.fence(NULL, 0, &collect, 1);
    if (status == TERN_PMIX_SUCCESS)
        return 0;
    usleep(PEER_GRACE_MS * 1000);
    return failed("PMIx_Fence", status);
}

static int get(int pe, const char *key, char *text, size_t text_bytes)
{
    struct tern_pmix_proc proc = pmix.me;
    struct tern_pmix_value *value = NULL;
    int status, n = -1;

    proc.rank = (uint32_t)pe;
    status = pmix.get(&proc, key, NULL, 0, &value);
    if (status != TERN_PMIX_SUCCESS)
        return failed("PMIx_Get", status);
    if (value && value->type == TERN_PMIX_STRING && value->data.string) {
        n = snprintf(text, text_bytes, "%s", value->data.string);
        free(value->data.string);
    }
    free(value);
    if (n >= 0 && (size_t)n < text_bytes)
        return 0;
    tern_error("the launcher (PMIx) gives another value for \"%s\" than PE %d has put", key, pe);
    return -EPROTO;
}

static void abort_job(int status)
{
    if (pmix.me.nspace[0])
        pmix.abort(status, NULL, NULL, 0);
}

/* With status 0 the job may end like a killed one, or not at all. */
static bool abort_keeps(int status)
{
    return status != 0;
}

static void leave(void)
{
    if (pmix.me.nspace[0])
        pmix.finalize(NULL, 0);
}

const struct tern_protocol tern_protocol_pmix = {
    .name = "PMIx",
    .is_library = true,
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
