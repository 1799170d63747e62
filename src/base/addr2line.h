/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the output of addr2line, for the library, the check and tern-profile. No object file. */
#ifndef TERN_BASE_ADDR2LINE_H
#define TERN_BASE_ADDR2LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Whether a line of addr2line's output is in one of the headers whose functions stand for calls.
 * addr2line -i lists inlined functions from the innermost outward, so the program's own line is a
 * later one.
 */
static inline bool tern_addr2line_is_in_header(const char *line)
{
    static const char *const headers[] = {
        "shmem-inline.h:", "shmem-overloads.h:", "ishmem.h:", "ishmemx.h:", "ishmemx-sycl.h:"};

    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        if (strncmp(line, headers[i], strlen(headers[i])) == 0)
            return true;
    return false;
}

#endif
