/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of the program, and routines that a debugger can stop at. */
#include <stdio.h>
#include <stdlib.h>

#include "ishmem/convert.h"

static const char *name_of(ishmemx_print_msg_type_t type)
{
    switch (type) {
    case DEBUG:
        return "DEBUG";
    case WARNING:
        return "WARNING";
    case ERROR:
        return "ERROR";
    case STDOUT:
        return "STDOUT";
    case STDERR:
        break;
    }
    return "STDERR";
}

static int my_pe(void)
{
    int initialized;

    shmem_query_initialized(&initialized);
    return initialized ? shmem_my_pe() : -1;
}

/* Each message is one call of stdio, so threads' messages do not mix. */
static void print_verbose(FILE *stream, const char *file, long line, const char *func,
                          const char *out, const char *type)
{
    char place[512] = "";

    if (file)
        snprintf(place, sizeof place, "%s:%ld: %s: ", file, line, func ? func : "?");
    fprintf(stream, "PE %d: %s: %s%s", my_pe(), type, place, out);
}

void ishmemx_print(const char *file, long int line, const char *func, const char *out,
                   ishmemx_print_msg_type_t msg_type)
{
    FILE *stream = msg_type == STDOUT ? stdout : stderr;

    if (msg_type == DEBUG && !getenv("ISHMEM_DEBUG"))
        return;
    if (getenv("ISHMEM_ENABLE_VERBOSE_PRINT"))
        print_verbose(stream, file, line, func, out, name_of(msg_type));
    else
        fputs(out, stream);
}

void ishmemx_nop(void)
{
}

void ishmemx_nop_no_r(void)
{
}

void ishmemx_debug_test(void)
{
}
