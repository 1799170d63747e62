/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of control memory that all PEs of the node share: one for each team. */
#ifndef TERN_CORE_POOL_H
#define TERN_CORE_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/*
 * Lives in the arena's control memory, zero at first. Blocks have sizes of powers of two, so a list
 * for each size is the whole bookkeeping.
 */
#define TERN_POOL_CLASSES 40

struct tern_pool {
    uint32_t lock;
    uint32_t reserved;
    uint64_t end; /* of the blocks that were ever allocated, as an offset from the pool's start */
    uint64_t free_lists[TERN_POOL_CLASSES];
};

/* Zeroed bytes: an offset from the pool's start, a multiple of the cache line; 0: no room. */
uint64_t tern_pool_alloc(struct tern_pool *pool, size_t pool_bytes, size_t bytes);

/* The same, but the block's bytes have any values. */
uint64_t tern_pool_alloc_uncleared(struct tern_pool *pool, size_t pool_bytes, size_t bytes);

void tern_pool_free(struct tern_pool *pool, size_t pool_bytes, uint64_t offset, size_t bytes);

TERN_NORETURN TERN_COLD void tern_pool_refuse(uint64_t offset, size_t bytes);

/*
 * The address of a block of so many bytes in this PE's mapping. Offsets come from memory that other
 * PEs can write: one of no block ends the program.
 */
static inline void *tern_pool_at(struct tern_pool *pool, size_t pool_bytes, uint64_t offset,
                                 size_t bytes)
{
    if (tern_unlikely(offset < sizeof *pool || offset % 64 || offset > pool_bytes ||
                      bytes > pool_bytes - offset))
        tern_pool_refuse(offset, bytes);
    return (char *)pool + offset;
}

#endif
