/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of symmetric addresses: numbers that are equal on all PEs. Needs tern_program_locate(). */
#ifndef TERN_TOOLS_SYMMETRIC_H
#define TERN_TOOLS_SYMMETRIC_H

#include <stdint.h>

#include "tools/program.h"

/*
 * Sets the block from whose page distances in the heap are measured: one that all PEs have
 * allocated together, or NULL for none.
 */
void tern_symmetric_set_heap(const void *block);
extern uintptr_t tern_symmetric_heap;

/* Convert this PE's address to its name, and a name to this PE's address; 0 names NULL. */
uint64_t tern_symmetric_name(const void *address);
void *tern_symmetric_address(uint64_t name);

/* The address from which the name counts: the start of the executable, or of that block. */
static inline uintptr_t tern_symmetric_base(const void *address)
{
    return tern_program_has(address) ? tern_program.start : tern_symmetric_heap;
}

#endif
