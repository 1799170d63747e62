/* SPDX-License-Identifier: BSD-3-Clause */
/* The library's name as a Fortran CHARACTER: padded with blanks, without a terminating zero. */
#include <shmem.h>
#include <string.h>

#include "fortran/fortran.h"

TERN_FORTRAN(void, shmem_info_get_name, SHMEM_INFO_GET_NAME)(char *name, size_t name_length)
{
    char text[SHMEM_MAX_NAME_LEN];
    size_t used;

    shmem_info_get_name(text);
    used = strlen(text);
    if (used > name_length)
        used = name_length;
    memcpy(name, text, used);
    memset(name + used, ' ', name_length - used);
}
