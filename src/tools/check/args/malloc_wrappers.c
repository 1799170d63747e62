/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wrappers of malloc and its relatives, which note the blocks of the private heap. Blocks of other
 * allocators than glibc's are not noted: these may have further routines that free them.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/check/args/private_blocks.h"

#define EXPORT __attribute__((visibility("default")))
#define SITE __builtin_return_address(0)

/* glibc's own name of its malloc. */
extern __typeof__(malloc) __libc_malloc __attribute__((weak));

/* clang-format off */
#define ROUTINES(X)                                                                                \
    X(malloc) X(calloc) X(realloc) X(reallocarray) X(posix_memalign) X(aligned_alloc) X(memalign)  \
    X(free) X(malloc_usable_size)
/* clang-format on */

/* The next library's. */
static struct {
#define POINTER(name) __typeof__(name) *name;
    ROUTINES(POINTER)
#undef POINTER
} next;

static bool is_noted, is_finding;

/*
 * At the process's first allocation, before there are other threads. dlsym() of glibc before 2.34
 * may allocate; without memory it uses a buffer of its own.
 */
static void __attribute__((noinline, cold)) find_routines(void)
{
    if (is_finding)
        return;
    is_finding = true;
#define FIND(name) next.name = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);
    ROUTINES(FIND)
#undef FIND
    is_noted = __libc_malloc && next.malloc == __libc_malloc;
    is_finding = false;
}

/* Whether the next library's routines are known; if not, the caller has to fail. */
static inline bool is_ready(void)
{
    if (__builtin_expect(!next.malloc_usable_size, 0))
        find_routines();
    return __builtin_expect(next.malloc_usable_size != NULL, 1);
}

static inline void *note(void *start, size_t size, const void *site)
{
    if (start && is_noted)
        tern_check_private_blocks_add(start, size, site);
    return start;
}

EXPORT void *malloc(size_t size)
{
    return is_ready() ? note(next.malloc(size), size, SITE) : NULL;
}

EXPORT void *calloc(size_t count, size_t size)
{
    return is_ready() ? note(next.calloc(count, size), count * size, SITE) : NULL;
}

/* After a failure the old block is still there, unless the new size is 0. */
static void *note_moved(const void *old, uint64_t removed, void *start, size_t size,
                        const void *site)
{
    if (!start && size)
        tern_check_private_blocks_put_back(old, removed);
    return note(start, size, site);
}

EXPORT void *realloc(void *old, size_t size)
{
    uint64_t removed;

    if (!is_ready())
        return NULL;
    removed = tern_check_private_blocks_remove(old);
    return note_moved(old, removed, next.realloc(old, size), size, SITE);
}

EXPORT void *reallocarray(void *old, size_t count, size_t size)
{
    uint64_t removed;
    size_t bytes;

    if (!is_ready())
        return NULL;
    if (__builtin_mul_overflow(count, size, &bytes))
        return next.reallocarray(old, count, size); /* fails */
    removed = tern_check_private_blocks_remove(old);
    return note_moved(old, removed, next.reallocarray(old, count, size), bytes, SITE);
}

EXPORT int posix_memalign(void **start, size_t alignment, size_t size)
{
    int error = is_ready() ? next.posix_memalign(start, alignment, size) : ENOMEM;

    if (error == 0)
        note(*start, size, SITE);
    return error;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return is_ready() ? note(next.aligned_alloc(alignment, size), size, SITE) : NULL;
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    return is_ready() ? note(next.memalign(alignment, size), size, SITE) : NULL;
}

EXPORT void free(void *start)
{
    if (!start || !is_ready())
        return;
    tern_check_private_blocks_remove(start);
    next.free(start);
}

/* C23's, which later versions of glibc have. */
EXPORT void free_sized(void *start, size_t size);
EXPORT void free_sized(void *start, size_t size)
{
    free(start);
}

EXPORT void free_aligned_sized(void *start, size_t alignment, size_t size);
EXPORT void free_aligned_sized(void *start, size_t alignment, size_t size)
{
    free(start);
}

/* A program that asks may use all bytes that the answer counts. */
EXPORT size_t malloc_usable_size(void *start)
{
    size_t size = is_ready() ? next.malloc_usable_size(start) : 0;

    if (start && tern_check_private_blocks_remove(start))
        note(start, size, NULL);
    return size;
}
