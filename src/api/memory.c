/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory management (9.3). All PEs make the same calls, so blocks have the same offsets in all
 * heaps.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "api/check.h"
#include "api/export.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/tool_hooks.h"
#include "core/dedup.h"
#include "core/job.h"
#include "core/multinode.h"
#include "core/order.h"

/* A PE's request to its heap, or the result of one. */
struct step {
    char routine[24];
    size_t size, align, offset;
};

_Static_assert(sizeof(struct step) <= TERN_SYNC_PAYLOAD, "it goes with a barrier");

/* The alignment of blocks that may begin on any granule of the heap. */
#define ANY_ALIGNMENT 1

static bool can_align(size_t align)
{
    return align && align <= TERN_ARENA_ALIGNMENT;
}

static void require_same(const char *what, size_t mine, size_t theirs, int pe, const char *routine)
{
    if (mine != theirs)
        tern_fatal(routine, "%s is %zu here but %zu on PE %d: all PEs must pass the same", what,
                   mine, theirs, pe);
}

static const char *place(size_t offset, char *text, size_t bytes)
{
    if (offset == TERN_HEAP_NONE)
        return "nowhere, for want of room,";
    snprintf(text, bytes, "at offset %zu of the heap", offset);
    return text;
}

/* PEs with different requests would get different offsets, and fail much later. */
static void compare(const void *my_step, const void *their_step, int pe)
{
    const struct step *mine = my_step;
    const char *routine = mine->routine;
    char here[64], there[64];
    struct step theirs;

    memcpy(&theirs, their_step, sizeof theirs);
    if (strncmp(theirs.routine, routine, sizeof theirs.routine) != 0)
        tern_fatal(routine, "PE %d is in another routine: all PEs must make the same calls", pe);
    require_same("size", mine->size, theirs.size, pe, routine);
    require_same("alignment", mine->align, theirs.align, pe, routine);
    if (mine->offset != theirs.offset)
        tern_fatal(
            routine, "the block is %s here but %s on PE %d: all PEs must make the same calls",
            place(mine->offset, here, sizeof here), place(theirs.offset, there, sizeof there), pe);
}

/* The barrier_all of each step. No PE passes it with a heap that may differ from the others'. */
static void barrier(const struct step *mine)
{
    if (tern_unlikely(tern_job.heap.starved))
        tern_limit_no_memory(mine->routine, "the block list of the symmetric heap",
                             TERN_HEAP_GRANULE);
    tern_order_complete();
    tern_team_sync_compared(&tern_team_world, mine, sizeof *mine, compare, mine->routine);
}

static struct step step_of(const char *routine, size_t size, size_t align, size_t offset)
{
    struct step step = {.size = size, .align = align, .offset = offset};

    snprintf(step.routine, sizeof step.routine, "%s", routine);
    return step;
}

static char *at(size_t offset)
{
    return offset == TERN_HEAP_NONE ? NULL : tern_job.heap_start + offset;
}

/* Reports lack of room. All PEs call this together, so PE 0 prints for the job. */
static void warn_no_room(const struct step *step)
{
    const struct tern_heap *heap = &tern_job.heap;

    if (tern_tool_is_allocating && tern_tool_is_allocating())
        return;
    if (tern_job.pe != 0 || !tern_dedup_warns_first(TERN_WARN_NO_ROOM))
        return;
    tern_warn("%s: no room for %zu bytes: %zu bytes of the symmetric heap are free, at most %zu of "
              "them in one piece: set SHMEM_SYMMETRIC_SIZE to more than %zu%s" TERN_SEE(
                  "The symmetric heap"),
              step->routine, step->size, heap->size - heap->used, tern_heap_largest(heap),
              heap->size, tern_settings()->symmetric_size ? "" : ", its default");
}

/* All PEs call this together, so PE 0 prints the warning of the job. */
static void warn_overflow(const char *routine, size_t count, size_t size)
{
    if (tern_job.pe == 0 && tern_dedup_warns_first(TERN_WARN_NO_ROOM))
        tern_warn("%s: count is %zu and size is %zu: their product exceeds the largest number of "
                  "bytes, %zu: NULL is returned",
                  routine, count, size, (size_t)SIZE_MAX);
}

/* Returns the address of the block, or NULL after a warning. */
static void *hand_out(const struct step *step)
{
    if (tern_unlikely(step->offset == TERN_HEAP_NONE && can_align(step->align)))
        warn_no_room(step);
    return at(step->offset);
}

/* Returns the offset of a block; ends the program if ptr is not the start of one. */
static size_t block_of(const void *ptr, const char *routine)
{
    size_t offset = (uintptr_t)ptr - (uintptr_t)tern_job.heap_start;

    if (offset >= tern_job.heap.size || !tern_heap_bytes(&tern_job.heap, offset))
        tern_fatal(routine,
                   "ptr %p is not a block of symmetric memory: it must come from shmem_malloc or "
                   "the like, and not have been freed",
                   ptr);
    return offset;
}

/* Allocates a block and updates the part of the heap that core files contain. No communication. */
static size_t take(size_t size, size_t align)
{
    size_t before = tern_job.heap.high_water;
    size_t offset =
        can_align(align) ? tern_heap_alloc(&tern_job.heap, size, align) : TERN_HEAP_NONE;

    if (tern_job.heap.high_water > before)
        tern_arena_dump_heap(&tern_job.arena, tern_job.boot->node_pe, tern_job.heap.high_water);
    return offset;
}

static void *allocate(size_t size, size_t align, const char *routine)
{
    struct step step;

    require_job(routine);
    if (size == 0)
        return NULL;
    step = step_of(routine, size, align, take(size, align));
    barrier(&step);
    return hand_out(&step);
}

/*
 * Rounds up to a power of two that a block can be aligned to. A value above all of them is returned
 * as it is.
 */
static size_t round_alignment(size_t alignment)
{
    size_t rounded = sizeof(void *);

    if (!can_align(alignment))
        return alignment;
    while (rounded < alignment)
        rounded *= 2;
    return rounded;
}

/* All PEs call this together, so PE 0 prints for the job. */
static void warn_alignment(size_t alignment, size_t rounded, const char *routine)
{
    char result[48] = "NULL is returned";

    if (tern_job.pe != 0 || !tern_dedup_warns_first(TERN_WARN_ALIGNMENT))
        return;
    if (can_align(rounded))
        snprintf(result, sizeof result, "%zu is taken", rounded);
    tern_warn("%s: alignment is %zu: it must be a power of two from %zu to %zu: %s", routine,
              alignment, sizeof(void *), TERN_ARENA_ALIGNMENT, result);
}

static void *allocate_aligned(size_t size, size_t alignment, const char *routine)
{
    size_t rounded = round_alignment(alignment);

    require_job(routine);
    if (tern_unlikely(rounded != alignment || !can_align(alignment)))
        warn_alignment(alignment, rounded, routine);
    return allocate(size, rounded, routine);
}

/* Memory that was never allocated still has the system's zeros. */
static void *allocate_zeroed(size_t count, size_t size, const char *routine)
{
    size_t used, bytes;
    bool overflows;
    struct step step;

    require_job(routine);
    if (count == 0 || size == 0)
        return NULL;
    used = tern_job.heap.high_water;
    overflows = __builtin_mul_overflow(count, size, &bytes);
    if (overflows)
        step = step_of(routine, SIZE_MAX, ANY_ALIGNMENT, TERN_HEAP_NONE);
    else
        step = step_of(routine, bytes, ANY_ALIGNMENT, take(bytes, ANY_ALIGNMENT));
    if (step.offset < used)
        memset(at(step.offset), 0, bytes < used - step.offset ? bytes : used - step.offset);
    barrier(&step);
    if (tern_likely(!overflows))
        return hand_out(&step);
    warn_overflow(routine, count, size);
    return NULL;
}

static void release(void *ptr, const char *routine)
{
    struct step step;

    require_job(routine);
    if (!ptr)
        return;
    step = step_of(routine, 0, 0, block_of(ptr, routine));
    barrier(&step); /* other PEs' puts land before the memory is allocated again */
    tern_heap_free(&tern_job.heap, step.offset);
}

/* Resizes a block, and may move it. NULL if there is no room; the block is then unchanged. */
static void *move(size_t offset, size_t size)
{
    size_t held = tern_heap_bytes(&tern_job.heap, offset), moved;

    if (tern_heap_resize(&tern_job.heap, offset, size))
        return at(offset);
    moved = take(size, ANY_ALIGNMENT);
    if (moved == TERN_HEAP_NONE)
        return NULL;
    memcpy(at(moved), at(offset), held < size ? held : size);
    tern_heap_free(&tern_job.heap, offset);
    return at(moved);
}

static void *reallocate(void *ptr, size_t size, const char *routine)
{
    struct step step;

    require_job(routine);
    if (!ptr)
        return allocate(size, ANY_ALIGNMENT, routine);
    if (size == 0) {
        release(ptr, routine);
        return NULL;
    }
    step = step_of(routine, size, ANY_ALIGNMENT, block_of(ptr, routine));
    barrier(&step); /* other PEs' puts land before the block is copied */
    ptr = move(step.offset, size);
    step.offset = ptr ? (size_t)((char *)ptr - tern_job.heap_start) : TERN_HEAP_NONE;
    barrier(&step);
    return hand_out(&step);
}

TERN_API(void *, shmem_malloc)(size_t size)
{
    return allocate(size, ANY_ALIGNMENT, TERN_ROUTINE);
}

TERN_API(void, shmem_free)(void *ptr)
{
    release(ptr, TERN_ROUTINE);
}

TERN_API(void *, shmem_realloc)(void *ptr, size_t size)
{
    return reallocate(ptr, size, TERN_ROUTINE);
}

TERN_API(void *, shmem_align)(size_t alignment, size_t size)
{
    return allocate_aligned(size, alignment, TERN_ROUTINE);
}

/* The hints have no effect: all symmetric memory serves atomics and signals equally well. */
TERN_API(void *, shmem_malloc_with_hints)(size_t size, long hints)
{
    return allocate(size, ANY_ALIGNMENT, TERN_ROUTINE);
}

TERN_API(void *, shmem_calloc)(size_t count, size_t size)
{
    return allocate_zeroed(count, size, TERN_ROUTINE);
}

TERN_API(void *, shmalloc)(size_t size)
{
    return allocate(size, ANY_ALIGNMENT, TERN_ROUTINE);
}

TERN_API(void, shfree)(void *ptr)
{
    release(ptr, TERN_ROUTINE);
}

TERN_API(void *, shrealloc)(void *ptr, size_t size)
{
    return reallocate(ptr, size, TERN_ROUTINE);
}

TERN_API(void *, shmemalign)(size_t alignment, size_t size)
{
    return allocate_aligned(size, alignment, TERN_ROUTINE);
}
