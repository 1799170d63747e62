/* SPDX-License-Identifier: BSD-3-Clause */
/* Start and end of Intel SHMEM's interface, its name and its version. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomics.h"
#include "ishmem/convert.h"
#include "ishmem/team.h"

/*
 * The number of initializations without their finalize, and which runtime started the processes.
 * Threads other than the initializing one read both.
 */
static TERN_PE_LOCAL int inits, runtime;

/* Libraries in one program may initialize and finalize at the same time. */
static TERN_PE_LOCAL pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER;

static void begin(ishmemx_runtime_type_t by)
{
    pthread_mutex_lock(&life);
    if (inits == 0) {
        tern_store_relaxed(&runtime, (int)by);
        tern_ishmem_team_start();
    }
    tern_fetch_add(&inits, 1);
    pthread_mutex_unlock(&life);
}

/*
 * Any thread may call the interface, whichever level the program has requested: queues run calls on
 * threads of their own.
 */
static int start_shmem(int *provided)
{
    return shmem_init_thread(SHMEM_THREAD_MULTIPLE, provided);
}

/* The library has printed the reason if it can't start. */
static void start_shmem_or_exit(void)
{
    int provided;

    if (start_shmem(&provided))
        exit(EXIT_FAILURE);
}

void ishmem_init(void)
{
    start_shmem_or_exit();
    begin(ISHMEMX_RUNTIME_OPENSHMEM);
}

int ishmem_init_thread(int requested, int *provided)
{
    int r;

    if (requested < ISHMEM_THREAD_SINGLE || requested > ISHMEM_THREAD_MULTIPLE)
        return shmem_init_thread(requested, provided); /* reports the mistake */
    r = start_shmem(provided);
    if (r == 0)
        begin(ISHMEMX_RUNTIME_OPENSHMEM);
    return r;
}

/* shmem_init_thread counts its calls, so the program may have initialized OpenSHMEM itself. */
void ishmemx_init_attr(ishmemx_attr_t *attr)
{
    start_shmem_or_exit();
    if (!attr)
        tern_client_fatal(__func__, "attr is NULL");
    switch (attr->runtime) {
    case ISHMEMX_RUNTIME_OPENSHMEM:
    case ISHMEMX_RUNTIME_MPI:
    case ISHMEMX_RUNTIME_PMI:
        begin(attr->runtime);
        return;
    default:
        tern_client_fatal(__func__, "attr->runtime is none of ISHMEMX_RUNTIME_OPENSHMEM, MPI, PMI");
    }
}

/* Does not finalize OpenSHMEM for a shmem_init of the program itself. */
void ishmem_finalize(void)
{
    if (tern_load_relaxed(&inits) == 0)
        tern_client_fatal(__func__,
                          "called without an ishmem_init before it: call it once for each");
    pthread_mutex_lock(&life);
    if (inits == 1)
        tern_ishmem_team_stop();
    tern_fetch_add(&inits, -1);
    pthread_mutex_unlock(&life);
    shmem_finalize();
}

ishmemx_runtime_type_t ishmemx_runtime_get_type(void)
{
    return tern_load_relaxed(&inits) ? (ishmemx_runtime_type_t)tern_load_relaxed(&runtime)
                                     : ISHMEMX_RUNTIME_INVALID;
}

void ishmemx_query_initialized(int *initialized)
{
    *initialized = tern_load_relaxed(&inits) > 0;
}

void ishmem_info_get_version(int *major, int *minor)
{
    *major = ISHMEM_MAJOR_VERSION;
    *minor = ISHMEM_MINOR_VERSION;
}

void ishmem_info_get_name(char *name)
{
    _Static_assert(sizeof ISHMEM_VENDOR_STRING <= ISHMEM_MAX_NAME_LEN, "the name fits");
    strcpy(name, ISHMEM_VENDOR_STRING);
}
