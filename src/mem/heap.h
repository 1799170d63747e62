/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric heap's allocator: which parts of a region of bytes are taken. No communication. */
#ifndef TERN_MEM_HEAP_H
#define TERN_MEM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * It deals in offsets and never touches the region: its books are private memory, which a program
 * that writes past its blocks can't damage. It is deterministic: the same calls give the same
 * offsets on every PE, whatever lies in the region.
 *
 * Free blocks are kept in lists by size: a class for each power of two, each split in 16 (two-level
 * segregated fit). An allocation takes the first block of the smallest class in which every block
 * is large enough; neighbours are merged as soon as they are free. All operations take constant
 * time, but for a hash table's growth. A block handed out is larger than asked for by less than its
 * alignment; a free block is passed over only if it is less than 1/16 larger than the request.
 */
#define TERN_HEAP_ALIGN 16      /* of small blocks: enough for any C type */
#define TERN_HEAP_LINE 64       /* of blocks of that size and more: they share no cache line */
#define TERN_HEAP_NONE SIZE_MAX /* an offset that no block has */

#define TERN_HEAP_POWERS 64
#define TERN_HEAP_SPLITS 16

struct tern_heap_block;

struct tern_heap {
    size_t size;
    size_t used;       /* bytes in live blocks */
    size_t high_water; /* no live block ever reached beyond */
    size_t n_live;
    uint64_t powers; /* bit p: some class of that power has a free block */
    uint16_t splits[TERN_HEAP_POWERS];
    struct tern_heap_block *free_lists[TERN_HEAP_POWERS][TERN_HEAP_SPLITS];
    struct tern_heap_block **table; /* live blocks, hashed by offset */
    size_t table_size;              /* a power of two */
    struct tern_heap_block *spare;  /* descriptors for reuse */
    struct tern_heap_block *first;  /* by address */
};

/* Makes a heap of that many bytes with nothing in it; 0 or -ENOMEM. */
int tern_heap_init(struct tern_heap *heap, size_t size);

void tern_heap_fini(struct tern_heap *heap);

/*
 * The offset of a new block, a multiple of align (a power of two, or 0 for any); TERN_HEAP_NONE if
 * there is no room. bytes is not 0.
 */
size_t tern_heap_alloc(struct tern_heap *heap, size_t bytes, size_t align);

/* Frees the live block that starts at the offset; -EINVAL if none does. */
int tern_heap_free(struct tern_heap *heap, size_t offset);

/* What the live block at the offset holds, at least what was asked for; 0 if none starts there. */
size_t tern_heap_bytes(const struct tern_heap *heap, size_t offset);

/* Shrinks or grows a live block where it is; false, with nothing changed, if it has to move. */
bool tern_heap_resize(struct tern_heap *heap, size_t offset, size_t bytes);

/* Calls visit for each live block in the order of their offsets. */
void tern_heap_each(const struct tern_heap *heap,
                    void (*visit)(size_t offset, size_t bytes, void *arg), void *arg);

#endif
