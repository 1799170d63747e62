/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's name and version (9.1.11, 9.1.12), and shmem_pcontrol (10). */
#include <string.h>

#include "api/export.h"

TERN_API(void, shmem_info_get_version)(int *major, int *minor)
{
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
}

TERN_API(void, shmem_info_get_name)(char *name)
{
    memcpy(name, SHMEM_VENDOR_STRING, sizeof SHMEM_VENDOR_STRING);
}

TERN_API(void, shmem_pcontrol)(int level, ...)
{
    /* Profiling libraries intercept this routine; the library itself has no profiling. */
}
