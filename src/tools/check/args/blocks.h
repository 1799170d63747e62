/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocks that this PE has allocated, and those that it has freed. The caller holds a lock. */
#ifndef TERN_CHECK_BLOCKS_H
#define TERN_CHECK_BLOCKS_H

#include "tools/call.h"
#include "tools/quick.h"

/* An allocation, or its end. No routine of these takes more arguments. */
struct tern_check_origin {
    const struct tern_routine *routine;
    const void *site;
    union tern_value arg[2];
};

struct tern_check_block {
    uintptr_t start;
    size_t size;
    struct tern_check_origin allocated;
    struct tern_check_origin freed; /* its routine is NULL while the block lives */
};

void tern_check_blocks_add(const struct tern_call *call, const void *start, size_t size);

/* The block is one of the freed from here on; false if it was none. */
bool tern_check_blocks_remove(const struct tern_call *call, const void *start);

/* The block that the address is in, or NULL. */
const struct tern_check_block *tern_check_blocks_find(uintptr_t address);

/* Where blocks are, or were, with some room behind them for what runs over the last one. */
static inline bool tern_check_blocks_span(uintptr_t address)
{
    return tern_span_has(&tern_quick.heap, address);
}

/* Of the freed blocks that it was in, the one that was freed last, or NULL. */
const struct tern_check_block *tern_check_blocks_find_freed(uintptr_t address);

/* The last block that begins before the address, or NULL. */
const struct tern_check_block *tern_check_blocks_find_before(uintptr_t address);

/*
 * Reports the blocks that are left, those from one place together: for all PEs, as these have
 * allocated the same.
 */
void tern_check_blocks_end(void);

/* "shmem_malloc(size=80) at heat.c:12" */
void tern_check_blocks_format_origin(const struct tern_check_origin *origin, char *text,
                                     size_t size);

/* What an allocation of this kind is called for: its bytes. */
size_t tern_check_blocks_size(struct tern_call *call);

#endif
