/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the output of addr2line, for the library, the check and tern-profile. No object file. */
#ifndef TERN_BASE_ADDR2LINE_H
#define TERN_BASE_ADDR2LINE_H

#include <stdbool.h>
#include <string.h>

/*
 * Whether a line of addr2line's output is in shmem-inline.h. addr2line -i lists inlined functions
 * from the innermost outward, so the program's own line is a later one.
 */
static inline bool tern_addr2line_is_in_line(const char *line)
{
    return strncmp(line, "shmem-inline.h:", 15) == 0;
}

#endif
