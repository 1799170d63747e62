/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own file in memory, and numbers for symmetric addresses that all PEs share. */
#ifndef TERN_TOOLS_SYMMETRIC_H
#define TERN_TOOLS_SYMMETRIC_H

#include <stdbool.h>
#include <stdint.h>

/* What the file takes, and what it was moved by when it was loaded. */
struct tern_program {
    uintptr_t start, end, base;
};
extern struct tern_program tern_program;

/* Finds the program. */
void tern_symmetric_start(void);

/* A block that all PEs have allocated together: what lies on the heap is named by its distance. */
void tern_symmetric_set_heap(const void *block);

extern uintptr_t tern_symmetric_heap;

static inline bool tern_program_has(const void *address)
{
    return (uintptr_t)address - tern_program.start < tern_program.end - tern_program.start;
}

/* A number for a symmetric address, and this PE's address for such a number; 0 is NULL. */
uint64_t tern_symmetric_name(const void *address);
void *tern_symmetric_address(uint64_t name);

/* What such numbers count from: where the program, or that block of the heap, begins. */
static inline uintptr_t tern_symmetric_base(const void *address)
{
    return tern_program_has(address) ? tern_program.start : tern_symmetric_heap;
}

#endif
