/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own file in memory. */
#ifndef TERN_TOOLS_PROGRAM_H
#define TERN_TOOLS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* What the file takes, and what it was moved by when it was loaded. */
struct tern_program {
    uintptr_t start, end, base;
};
extern struct tern_program tern_program;

/* Before the program is asked about. */
void tern_program_locate(void);

static inline bool tern_program_has(const void *address)
{
    return (uintptr_t)address - tern_program.start < tern_program.end - tern_program.start;
}

#endif
