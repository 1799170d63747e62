/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a program that passes what a Fortran routine can't make sense of. */
#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fortran/fortran.h"

void tern_fortran_fatal(const char *routine, const char *fmt, ...)
{
    char message[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    fprintf(stderr, "tern: PE %d of %d: %s: %s\n", shmem_my_pe(), shmem_n_pes(), routine, message);
    shmem_global_exit(EXIT_FAILURE);
    abort(); /* shmem_global_exit() is declared to return in C99 */
}
