/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocks that this PE has allocated or freed. The caller holds the records lock. */
#ifndef TERN_CHECK_BLOCKS_H
#define TERN_CHECK_BLOCKS_H

#include "tools/call.h"
#include "tools/quick.h"

/* The call that allocated or freed a block. None of these routines takes more arguments. */
struct tern_check_origin {
    const struct tern_routine *routine;
    const void *site;
    union tern_value arg[2];
};

struct tern_check_block {
    uintptr_t start;
    size_t size;
    struct tern_check_origin allocated;
    struct tern_check_origin freed; /* its routine is NULL while the block is live */
};

void tern_check_blocks_add(const struct tern_call *call, const void *start, size_t size);

/* Moves the block to the freed ones. False if no block begins there. */
bool tern_check_blocks_remove(const struct tern_call *call, const void *start);

/* The block that contains the address, or NULL. */
const struct tern_check_block *tern_check_blocks_find(uintptr_t address);

/* Whether the address is in the symmetric heap, or in the range of all blocks so far. */
static inline bool tern_check_blocks_span(uintptr_t address)
{
    return tern_span_has(&tern_quick.heap, address);
}

/* Of the freed blocks that contained the address, the one freed last, or NULL. */
const struct tern_check_block *tern_check_blocks_find_freed(uintptr_t address);

/*
 * The last block that begins at the address or before it, and the first one that begins behind it;
 * or NULL.
 */
const struct tern_check_block *tern_check_blocks_find_before(uintptr_t address);
const struct tern_check_block *tern_check_blocks_find_behind(uintptr_t address);

/*
 * Reports the blocks that were not freed, those of one site together. PE 0 reports for all PEs,
 * which have allocated the same.
 */
void tern_check_blocks_end(void);

/* "shmem_malloc(size=80) at heat.c:12" */
void tern_check_blocks_format_origin(const struct tern_check_origin *origin, char *text,
                                     size_t size);

/* How many bytes a call of an allocating routine asks for. */
size_t tern_check_blocks_size(struct tern_call *call);

#endif
