/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes memory of the program symmetric: heap_preinit, heap_create and heap_postinit. */
#include <string.h>

#include "api/check.h"
#include "base/log.h"
#include "base/os.h"
#include "core/multinode.h"
#include "core/order.h"
#include "extensions/export.h"
#include "mem/alias.h"

/* The arguments of heap_create, until heap_postinit makes the memory symmetric. */
static TERN_PE_LOCAL struct region {
    void *base;
    size_t size;
} region;

TERN_API(void, shmemx_heap_preinit)(void)
{
    region = (struct region){0};
    pshmem_init();
}

TERN_API(int, shmemx_heap_preinit_thread)(int requested, int *provided)
{
    region = (struct region){0};
    return pshmem_init_thread(requested, provided);
}

/* Ends the program unless the memory can become an alias mapping. */
static void check_region(void *base, size_t size, const char *routine)
{
    size_t page = tern_os_page_size();
    const char *problem;

    if ((uintptr_t)base % page || size % page)
        tern_fatal(routine,
                   "base %p and size %zu are not multiples of a page, %zu bytes: allocate it by "
                   "mmap, or aligned_alloc with that alignment",
                   base, size, page);
    problem = tern_alias_refuses(base, size);
    if (problem)
        tern_fatal(routine, "base %p: it %s", base, problem);
}

TERN_API(void, shmemx_heap_create)
(void *base, size_t size, int device_type, int device_index)
{
    require_job(TERN_ROUTINE);
    if (region.size || tern_alias_own()->bytes)
        tern_fatal(TERN_ROUTINE, "called twice: one piece of memory can become symmetric");
    if (device_type != SHMEMX_EXTERNAL_HEAP_ZE && device_type != SHMEMX_EXTERNAL_HEAP_CUDA)
        tern_fatal(TERN_ROUTINE, "device_type is %d: use SHMEMX_EXTERNAL_HEAP_ZE or _CUDA",
                   device_type);
    if (!size)
        return;
    check_region(base, size, TERN_ROUTINE);
    region = (struct region){base, size};
}

static void compare(const void *mine, const void *theirs, int pe)
{
    size_t here, there;

    memcpy(&here, mine, sizeof here);
    memcpy(&there, theirs, sizeof there);
    if (here != there)
        tern_fatal("shmemx_heap_postinit",
                   "shmemx_heap_create was given %zu bytes here but %zu on PE %d: all PEs must "
                   "pass the same",
                   here, there, pe);
}

/* Asks for room first: shmem_align would warn of a lack that the caller is about to report. */
static char *allocate(size_t size)
{
    size_t page = tern_os_page_size();

    return tern_heap_has_room(&tern_job.heap, size, page) ? pshmem_align(page, size) : NULL;
}

static struct tern_alias_block block_for(size_t size, const char *routine)
{
    const struct tern_arena *arena = &tern_job.arena;
    size_t used = tern_job.heap.high_water, offset;
    char *at = allocate(size);

    if (!at)
        tern_fatal(routine,
                   "%zu bytes of shmemx_heap_create do not fit into the symmetric heap of %zu: set "
                   "SHMEM_SYMMETRIC_SIZE to more",
                   size, tern_job.heap.size);
    offset = (size_t)(at - tern_job.heap_start);
    return (struct tern_alias_block){
        .at = at,
        .fd = tern_job.boot->fd,
        .offset = tern_job.boot->offset + (size_t)(at - arena->base),
        .zeros_from = offset < used ? used - offset : 0,
    };
}

/* All PEs call this, even without a heap_create: they must agree on that, too. */
TERN_API(void, shmemx_heap_postinit)(void)
{
    struct region mine = region;
    struct tern_alias_block block;
    int r;

    require_job(TERN_ROUTINE);
    tern_order_quiet();
    tern_team_sync_compared(&tern_team_world, &mine.size, sizeof mine.size, compare, TERN_ROUTINE);
    region = (struct region){0};
    if (!mine.size)
        return;
    block = block_for(mine.size, TERN_ROUTINE);
    r = tern_alias_open(mine.base, mine.size, &block);
    if (r)
        tern_fatal(TERN_ROUTINE, "the memory at %p can't be shared: %s", mine.base, strerror(-r));
    pshmem_barrier_all();
}
