/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends a program after a mistake, by public routines only. */
#include "client/fatal.h"

#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void tern_client_fatal(const char *routine, const char *fmt, ...)
{
    int initialized;
    char message[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    shmem_query_initialized(&initialized);
    if (!initialized) {
        fprintf(stderr, "tern: %s: %s\n", routine, message);
        exit(EXIT_FAILURE);
    }
    fprintf(stderr, "tern: PE %d of %d: %s: %s\n", shmem_my_pe(), shmem_n_pes(), routine, message);
    shmem_global_exit(EXIT_FAILURE);
    abort(); /* shmem_global_exit() is declared to return in C99 */
}
