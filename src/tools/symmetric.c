/* SPDX-License-Identifier: BSD-3-Clause */
/* Names symmetric addresses by their distance from an address that all PEs have in common. */
#include "tools/symmetric.h"

#include <stddef.h>

/* The lowest bits of a name say from where the rest, a distance, is measured. */
enum { FROM_PROGRAM = 1, FROM_HEAP = 2, KIND_BITS = 2 };

uintptr_t tern_symmetric_heap;

void tern_symmetric_set_heap(const void *block)
{
    tern_symmetric_heap = (uintptr_t)block & ~(uintptr_t)4095;
}

uint64_t tern_symmetric_name(const void *address)
{
    if (!address)
        return 0;
    return ((uintptr_t)address - tern_symmetric_base(address)) << KIND_BITS |
           (tern_program_has(address) ? FROM_PROGRAM : FROM_HEAP);
}

void *tern_symmetric_address(uint64_t name)
{
    if (!name)
        return NULL;
    if (name & FROM_PROGRAM)
        return (void *)(tern_program.start + (name >> KIND_BITS));
    return (void *)(tern_symmetric_heap + (uint64_t)((int64_t)name >> KIND_BITS));
}
