/* SPDX-License-Identifier: BSD-3-Clause */
/* The executable in memory. */
#ifndef TERN_TOOLS_PROGRAM_H
#define TERN_TOOLS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/quick.h"

/* The executable's addresses [start, end), its load bias, and the segment with its code. */
struct tern_program {
    uintptr_t start, end, base;
    struct tern_span code;
};
extern struct tern_program tern_program;

/* Sets tern_program. Call before all functions that use it. */
void tern_program_locate(void);

static inline bool tern_program_has(const void *address)
{
    return (uintptr_t)address - tern_program.start < tern_program.end - tern_program.start;
}

#endif
