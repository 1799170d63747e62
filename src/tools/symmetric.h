/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for symmetric addresses that all PEs share, after tern_program_locate(). */
#ifndef TERN_TOOLS_SYMMETRIC_H
#define TERN_TOOLS_SYMMETRIC_H

#include <stdint.h>

#include "tools/program.h"

/*
 * A block that all PEs have allocated together: what lies on the heap is named by its distance.
 * NULL for none.
 */
void tern_symmetric_set_heap(const void *block);
extern uintptr_t tern_symmetric_heap;

/* A number for a symmetric address, and this PE's address for such a number; 0 is NULL. */
uint64_t tern_symmetric_name(const void *address);
void *tern_symmetric_address(uint64_t name);

/* What such numbers count from: where the program, or that block of the heap, begins. */
static inline uintptr_t tern_symmetric_base(const void *address)
{
    return tern_program_has(address) ? tern_program.start : tern_symmetric_heap;
}

#endif
