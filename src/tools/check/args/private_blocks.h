/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks of the process's private heap, malloc's, with the sizes that were asked for. Any
 * thread may call these functions at any time, with blocks that are its own.
 */
#ifndef TERN_CHECK_PRIVATE_BLOCKS_H
#define TERN_CHECK_PRIVATE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tern_check_private_block {
    uintptr_t start;
    size_t size;
    const void *site; /* of the program's call that allocated it, or NULL: not known */
};

/* Notes a block that was allocated by a call that returns to the site. */
void tern_check_private_blocks_add(const void *start, size_t size, const void *site);

/*
 * Forgets the block that begins there, if one does; call it before the block is freed. The result,
 * 0 for none, puts the block back if freeing it has failed.
 */
uint64_t tern_check_private_blocks_remove(const void *start);
void tern_check_private_blocks_put_back(const void *start, uint64_t removed);

/* Whether a known block contains the address; if so, *found is that block. */
bool tern_check_private_blocks_find(uintptr_t address, struct tern_check_private_block *found);

#endif
