/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric memory of other PEs that shmem_ptr() has given to the program. */
#ifndef TERN_CHECK_PEER_MEMORY_H
#define TERN_CHECK_PEER_MEMORY_H

#include "tools/quick.h"

/* The range of all of it together; its size is 0 if there is none. */
extern struct tern_span tern_check_peer_memory_range;

/* shmem_ptr() has returned a pointer for a symmetric address of this PE. */
void tern_check_peer_memory_add(const void *pointer, const void *address, int pe);

/* The heap may have grown. */
void tern_check_peer_memory_note_allocation(void);

/* The address of this PE for one of another PE, whose number is stored in *pe; 0 for any other. */
uintptr_t tern_check_peer_memory_find(uintptr_t address, int *pe);

#endif
