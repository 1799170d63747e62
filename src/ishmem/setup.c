/* SPDX-License-Identifier: BSD-3-Clause */
/* Start and end of Intel SHMEM's interface, its name and its version. */
#include <string.h>

#include "base/atomics.h"
#include "ishmem/convert.h"

/*
 * The number of initializations without their finalize, and which runtime started the processes.
 * Threads other than the initializing one read both.
 */
static TERN_PE_LOCAL int inits, runtime;

static void began(ishmemx_runtime_type_t by)
{
    if (tern_load_relaxed(&inits) == 0)
        tern_store_relaxed(&runtime, (int)by);
    tern_fetch_add(&inits, 1);
}

void ishmem_init(void)
{
    shmem_init();
    began(ISHMEMX_RUNTIME_OPENSHMEM);
}

int ishmem_init_thread(int requested, int *provided)
{
    int r = shmem_init_thread(requested, provided);

    if (r == 0)
        began(ISHMEMX_RUNTIME_OPENSHMEM);
    return r;
}

/* shmem_init counts its calls, so the program may have initialized OpenSHMEM itself. */
void ishmemx_init_attr(ishmemx_attr_t *attr)
{
    shmem_init();
    if (!attr)
        tern_client_fatal(__func__, "attr is NULL");
    switch (attr->runtime) {
    case ISHMEMX_RUNTIME_OPENSHMEM:
    case ISHMEMX_RUNTIME_MPI:
    case ISHMEMX_RUNTIME_PMI:
        began(attr->runtime);
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
    tern_fetch_add(&inits, -1);
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
