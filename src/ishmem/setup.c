/* SPDX-License-Identifier: BSD-3-Clause */
/* Start and end of Intel SHMEM's interface, and what it says of itself. */
#include <stdio.h>
#include <string.h>

#include "base/atomics.h"
#include "ishmem/convert.h"

/* Who started the processes; read by threads other than the one that initializes. */
static TERN_PE_LOCAL int runtime = ISHMEMX_RUNTIME_INVALID;

void tern_ishmem_fatal(const char *routine, const char *what)
{
    fprintf(stderr, "tern: PE %d of %d: %s: %s\n", shmem_my_pe(), shmem_n_pes(), routine, what);
    shmem_global_exit(1);
}

void ishmem_init(void)
{
    shmem_init();
    tern_store_relaxed(&runtime, ISHMEMX_RUNTIME_OPENSHMEM);
}

int ishmem_init_thread(int requested, int *provided)
{
    int r = shmem_init_thread(requested, provided);

    if (r == 0)
        tern_store_relaxed(&runtime, ISHMEMX_RUNTIME_OPENSHMEM);
    return r;
}

/* shmem_init counts its calls, so it serves a program that initialized by itself just as well. */
void ishmemx_init_attr(ishmemx_attr_t *attr)
{
    shmem_init();
    if (!attr)
        tern_ishmem_fatal(__func__, "attr is NULL");
    switch (attr->runtime) {
    case ISHMEMX_RUNTIME_OPENSHMEM:
    case ISHMEMX_RUNTIME_MPI:
    case ISHMEMX_RUNTIME_PMI:
        tern_store_relaxed(&runtime, (int)attr->runtime);
        return;
    default:
        tern_ishmem_fatal(__func__, "attr->runtime is none of ISHMEMX_RUNTIME_OPENSHMEM, MPI, PMI");
    }
}

void ishmem_finalize(void)
{
    tern_store_relaxed(&runtime, ISHMEMX_RUNTIME_INVALID);
    shmem_finalize();
}

ishmemx_runtime_type_t ishmemx_runtime_get_type(void)
{
    return (ishmemx_runtime_type_t)tern_load_relaxed(&runtime);
}

void ishmemx_query_initialized(int *initialized)
{
    *initialized = tern_load_relaxed(&runtime) != ISHMEMX_RUNTIME_INVALID;
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
