/* SPDX-License-Identifier: BSD-3-Clause */
/* What both who ask addr2line for lines of source have to know. */
#ifndef TERN_TOOLS_LINES_H
#define TERN_TOOLS_LINES_H

#include <stdbool.h>
#include <string.h>

/*
 * Asked for inlined functions (-i), it names the line of the innermost first. A routine that was
 * compiled in line is called from shmem-inline.h, which is nobody's place: the next line is.
 */
static inline bool tern_line_is_in_line(const char *line)
{
    return strncmp(line, "shmem-inline.h:", 15) == 0;
}

#endif
