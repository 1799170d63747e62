/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds blocks of the symmetric heap by addresses in them. */
#include "mem/heap.h"

#include "api/check.h"
#include "extensions/export.h"

/* The block that contains the offset starts at `start`. */
struct search {
    size_t offset, start;
};

static void compare(size_t start, size_t bytes, void *search_of)
{
    struct search *search = search_of;

    if (search->offset - start < bytes)
        search->start = start;
}

TERN_API(int, shmemx_heap_find)(const void *ptr, void **start)
{
    struct search search = {.start = TERN_HEAP_NONE};

    require_job(TERN_ROUTINE);
    search.offset = (uintptr_t)ptr - (uintptr_t)tern_job.heap_start;
    if (search.offset >= tern_job.heap.size)
        return SHMEMX_HEAP_OUTSIDE;
    if (tern_heap_bytes(&tern_job.heap, search.offset))
        search.start = search.offset; /* the most frequent case, in less time */
    else
        tern_heap_each(&tern_job.heap, compare, &search);
    if (search.start == TERN_HEAP_NONE)
        return SHMEMX_HEAP_FREE;
    *start = tern_job.heap_start + search.start;
    return SHMEMX_HEAP_BLOCK;
}
