/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library says of itself (9.1.11, 9.1.12), and the profiling switch (10). */
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
    /* For a profiling library to intercept; without one there is nothing to control. */
}
