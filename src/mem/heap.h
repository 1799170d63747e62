/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric heap's allocator: which parts of a region are in use. No communication. */
#ifndef TERN_MEM_HEAP_H
#define TERN_MEM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/*
 * It works on offsets and never touches the region: its records are private memory, which a program
 * that writes past its blocks can't damage. It is deterministic: the same calls give the same
 * offsets on every PE, whatever lies in the region.
 *
 * A block is placed at the lowest offset where it fits (first fit in the order of addresses), and
 * is merged with free neighbours as soon as it is freed. That keeps live data together at the
 * heap's start, and fragmentation has a bound: if the live blocks never take more than M bytes, and
 * none more than n granules, no request fails in a heap of about M * log2(n) bytes (J. M. Robson,
 * "Worst case fragmentation of first fit and best fit storage allocation strategies", 1977; best
 * fit and its kin may need M * n). Blocks are whole granules, so less than one is lost in each.
 *
 * All operations take O(log blocks) time, except that a request with an alignment above a
 * granule may visit each free block that is large enough but not aligned. The records take some 100
 * bytes for each block, live or free, whatever the heap's size.
 */
#define TERN_HEAP_GRANULE TERN_LINE /* of offsets and sizes: no two blocks share a cache line */
#define TERN_HEAP_NONE SIZE_MAX     /* an offset that no block has */

struct tern_heap_block;

struct tern_heap {
    size_t size;
    size_t used;       /* bytes in live blocks */
    size_t high_water; /* no live block ever reached beyond */
    size_t n_live;
    struct tern_heap_block *root;  /* all blocks, live and free, as a tree by offset */
    struct tern_heap_block *first; /* and as a list */
    bool starved; /* no memory for a block's record: from now on the PEs' heaps may differ */
};

/* Makes a heap of that many bytes, rounded down to whole granules; 0 or -ENOMEM. */
int tern_heap_init(struct tern_heap *heap, size_t size);

void tern_heap_fini(struct tern_heap *heap);

/*
 * The offset of a new block, a multiple of align (a power of two, or 0 for any) and of a granule;
 * TERN_HEAP_NONE if there is no room. bytes is not 0.
 */
size_t tern_heap_alloc(struct tern_heap *heap, size_t bytes, size_t align);

/* Whether tern_heap_alloc() would find room for such a block now. */
bool tern_heap_has_room(const struct tern_heap *heap, size_t bytes, size_t align);

/* Frees the live block that starts at the offset; -EINVAL if none does. */
int tern_heap_free(struct tern_heap *heap, size_t offset);

/* The bytes of the live block at the offset, at least those requested; 0 if none starts there. */
size_t tern_heap_bytes(const struct tern_heap *heap, size_t offset);

/*
 * Makes a live block shrink or grow where it is (to 1 byte at least); false, with nothing changed,
 * if it has to move.
 */
bool tern_heap_resize(struct tern_heap *heap, size_t offset, size_t bytes);

/* The largest size of a request that would succeed now. */
size_t tern_heap_largest(const struct tern_heap *heap);

/* Calls visit for each live block in the order of their offsets. */
void tern_heap_each(const struct tern_heap *heap,
                    void (*visit)(size_t offset, size_t bytes, void *arg), void *arg);

#endif
