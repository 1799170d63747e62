/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the live blocks sorted by address, and the last freed ones in a ring. */
#include "tools/check/args/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/check/args/heap_range.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/source_location.h"
#include "tools/no_memory.h"

#define MOST_FREED 10000

static struct tern_check_block *blocks, *freed;
static size_t n_blocks, room, n_freed; /* n_freed is not bounded by the size of the ring */
static size_t latest;                  /* index of the block found last */

/* A block was freed: the block that tern_quick knows may be that one. */
static void forget_known(void)
{
    tern_quick.known.size = 0;
}

static void note_origin(struct tern_check_origin *origin, const struct tern_call *call)
{
    origin->routine = call->routine;
    origin->site = tern_check_source_location_site(call);
    memcpy(origin->arg, call->arg, sizeof origin->arg);
}

/* The number of blocks that begin at the address or before it. */
static size_t count_up_to(uintptr_t address)
{
    size_t low = 0, high = n_blocks;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (blocks[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void grow(void)
{
    size_t more = room ? 2 * room : 64;
    struct tern_check_block *moved;

    if (n_blocks < room)
        return;
    moved = reallocarray(blocks, more, sizeof *moved);
    if (!moved) /* each access to the block would count as a mistake */
        tern_tool_no_memory("--check", "the list of symmetric blocks", more * sizeof *moved);
    blocks = moved;
    room = more;
}

/* Extends the range of the heap, for blocks of a further heap, and where its ends are unknown. */
static void widen(uintptr_t lowest, uintptr_t highest)
{
    struct tern_span *heap = &tern_quick.heap;

    if (heap->size && heap->start < lowest)
        lowest = heap->start;
    if (heap->size && heap->start + heap->size > highest)
        highest = heap->start + heap->size;
    *heap = (struct tern_span){lowest, highest - lowest};
}

void tern_check_blocks_add(const struct tern_call *call, const void *start, size_t size)
{
    uintptr_t address = (uintptr_t)start;
    size_t i = count_up_to(address);

    grow();
    memmove(&blocks[i + 1], &blocks[i], (n_blocks - i) * sizeof *blocks);
    blocks[i] = (struct tern_check_block){.start = address, .size = size};
    note_origin(&blocks[i].allocated, call);
    n_blocks++;
    if (tern_quick.heap.size == 0)
        tern_check_heap_range_find(start);
    if (!tern_check_blocks_span(address))
        widen(address, address + size);
}

static void remember(const struct tern_check_block *block, const struct tern_call *call)
{
    if (!freed)
        freed = calloc(MOST_FREED, sizeof *freed);
    if (!freed)
        return;
    freed[n_freed % MOST_FREED] = *block;
    note_origin(&freed[n_freed++ % MOST_FREED].freed, call);
}

bool tern_check_blocks_remove(const struct tern_call *call, const void *start)
{
    size_t i = count_up_to((uintptr_t)start);

    if (i == 0 || blocks[i - 1].start != (uintptr_t)start)
        return false;
    remember(&blocks[i - 1], call);
    memmove(&blocks[i - 1], &blocks[i], (n_blocks - i) * sizeof *blocks);
    n_blocks--;
    forget_known();
    return true;
}

const struct tern_check_block *tern_check_blocks_find_before(uintptr_t address)
{
    size_t i = count_up_to(address);

    return i > 0 ? &blocks[i - 1] : NULL;
}

const struct tern_check_block *tern_check_blocks_find_behind(uintptr_t address)
{
    size_t i = count_up_to(address);

    return i < n_blocks ? &blocks[i] : NULL;
}

const struct tern_check_block *tern_check_blocks_find(uintptr_t address)
{
    const struct tern_check_block *block;

    if (!tern_check_blocks_span(address))
        return NULL;
    if (latest < n_blocks && address - blocks[latest].start < blocks[latest].size)
        return &blocks[latest];
    block = tern_check_blocks_find_before(address);
    if (!block || address - block->start >= block->size)
        return NULL;
    latest = (size_t)(block - blocks);
    return block;
}

const struct tern_check_block *tern_check_blocks_find_freed(uintptr_t address)
{
    size_t n = n_freed < MOST_FREED ? n_freed : MOST_FREED;

    for (size_t i = 1; i <= n; i++) {
        const struct tern_check_block *block = &freed[(n_freed - i) % MOST_FREED];

        if (address >= block->start && address - block->start < block->size)
            return block;
    }
    return NULL;
}

void tern_check_blocks_format_origin(const struct tern_check_origin *origin, char *text,
                                     size_t size)
{
    struct tern_call call = {.routine = origin->routine};
    size_t n;

    memcpy(call.arg, origin->arg, sizeof origin->arg);
    tern_check_findings_format_call(&call, text, size);
    n = strlen(text);
    snprintf(text + n, size - n, " at %s", tern_check_source_location_text(origin->site));
}

/*
 * Reports all remaining blocks that were allocated at the same site as this one, and removes them.
 */
static void report_like(size_t first)
{
    const struct tern_check_origin origin = blocks[first].allocated;
    size_t n = 0, bytes = 0, kept = 0;
    char text[512];

    for (size_t i = 0; i < n_blocks; i++)
        if (blocks[i].allocated.site == origin.site) {
            n++;
            bytes += blocks[i].size;
        } else {
            blocks[kept++] = blocks[i];
        }
    n_blocks = kept;
    tern_check_blocks_format_origin(&origin, text, sizeof text);
    if (n == 1)
        tern_check_findings_add_leak("a block of %zu bytes, allocated by %s", bytes, text);
    else
        tern_check_findings_add_leak("%zu blocks of %zu bytes together, the first allocated by %s",
                                     n, bytes, text);
}

void tern_check_blocks_end(void)
{
    while (n_blocks > 0 && tern_check_my_pe() == 0)
        report_like(0);
    n_blocks = 0;
    forget_known();
}

size_t tern_check_blocks_size(struct tern_call *call)
{
    return (size_t)(tern_call_number(call, TERN_SIZE, 0) * tern_call_number(call, TERN_COUNT, 1));
}
