/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches the ends of the heap by asking the library which addresses are symmetric. */
#include "tools/check/args/heap_range.h"

#define SHMEM_CLASSIC
#include <pshmem.h>
#include <shmem.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/call.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/pages.h"
#include "tools/quick.h"

/* No heap is larger. */
#define MAX_HEAP ((uintptr_t)1 << 46)

static bool has_unseen;

static bool is_symmetric(uintptr_t address)
{
    return TERN_REAL(shmem_addr_accessible)((const void *)address, tern_check_my_pe()) != 0;
}

/*
 * The number of pages from `page` on, upward or downward (sign is 1 or -1), that are symmetric
 * without a gap. The page itself is.
 */
static uintptr_t count_pages(uintptr_t page, intptr_t sign)
{
    uintptr_t in = 0, out = 1; /* a distance in pages that is inside, and one that is not */

    while (out < MAX_HEAP / PAGE_BYTES && is_symmetric(page + (uintptr_t)sign * out * PAGE_BYTES)) {
        in = out;
        out *= 2;
    }
    while (out - in > 1) {
        uintptr_t middle = in + (out - in) / 2;

        if (is_symmetric(page + (uintptr_t)sign * middle * PAGE_BYTES))
            in = middle;
        else
            out = middle;
    }
    return in;
}

void tern_check_heap_range_find(const void *inside)
{
    uintptr_t page = (uintptr_t)inside & ~(PAGE_BYTES - 1), first;

    if (!is_symmetric(page)) /* a heap that does not begin at a page: blocks widen the range */
        return;
    first = page - count_pages(page, -1) * PAGE_BYTES;
    tern_quick.heap =
        (struct tern_span){first, page + (count_pages(page, 1) + 1) * PAGE_BYTES - first};
}

bool tern_check_heap_range_is_complete(void)
{
    return !__atomic_load_n(&has_unseen, __ATOMIC_RELAXED);
}

/* ---- allocations that bypass the tool ---- */

/* Within a call that the tool sees, a library behind the tool may call the profiling interface. */
#define UNSEEN(routine, parameters, arguments)                                                     \
    __attribute__((visibility("default"))) void *routine parameters                                \
    {                                                                                              \
        if (tern_thread_state != TERN_INSIDE)                                                      \
            __atomic_store_n(&has_unseen, true, __ATOMIC_RELAXED);                                 \
        return TERN_REAL(routine) arguments;                                                       \
    }

UNSEEN(pshmem_malloc, (size_t size), (size))
UNSEEN(pshmem_calloc, (size_t count, size_t size), (count, size))
UNSEEN(pshmem_align, (size_t alignment, size_t size), (alignment, size))
UNSEEN(pshmem_malloc_with_hints, (size_t size, long hints), (size, hints))
UNSEEN(pshmem_realloc, (void *ptr, size_t size), (ptr, size))
UNSEEN(pshmalloc, (size_t size), (size))
UNSEEN(pshmemalign, (size_t alignment, size_t size), (alignment, size))
UNSEEN(pshrealloc, (void *ptr, size_t size), (ptr, size))
