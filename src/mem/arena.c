/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes and maps the arena. */
#include "mem/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/atomics.h"
#include "base/bytes.h"
#include "base/compat.h"
#include "base/log.h"
#include "base/memory_budget.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t heap_of_share(uint64_t share)
{
    uint64_t each = least(share, GIB), stride = MIB;

    while (stride * 2 <= each)
        stride *= 2;
    return stride - tern_os_page_size();
}

uint64_t tern_arena_default_heap(const struct tern_os_memory_limits *limits, int n)
{
    return heap_of_share(tern_memory_budget(limits) / (unsigned)n);
}

/*
 * The stride: a power of two that is at least a page longer than the heap, so that no address
 * reaches the next heap; at least a huge page, so that every heap begins at a multiple of one.
 */
static unsigned heap_shift(uint64_t heap_bytes)
{
    unsigned shift = 21;

    while ((UINT64_C(1) << shift) < heap_bytes + tern_os_page_size())
        shift++;
    return shift;
}

/* "a symmetric heap of 4096 bytes", for each of the PEs. */
struct heap_words {
    char text[96];
};

static struct heap_words words_for(uint64_t bytes, int n)
{
    struct heap_words words;
    int at =
        snprintf(words.text, sizeof words.text, "a symmetric heap of %" PRIu64 " bytes", bytes);

    if (n > 1)
        snprintf(words.text + at, sizeof words.text - (size_t)at, " for each of %d PEs", n);
    return words;
}

static int check_limit(uint64_t bytes, int n, uint64_t limit, const char *what)
{
    if (bytes <= limit / (unsigned)n)
        return 0;
    tern_error("%s exceeds the %s of %" PRIu64
               " bytes: lower SHMEM_SYMMETRIC_SIZE" TERN_SEE("The symmetric heap"),
               words_for(bytes, n).text, what, limit);
    return -ENOMEM;
}

static int check_address_space(uint64_t bytes, int n, unsigned shift, uint64_t limit)
{
    if (UINT64_C(1) << shift <= limit / (unsigned)n)
        return 0;
    tern_error("%s needs %" PRIu64 " bytes of addresses and exceeds the limit of %" PRIu64
               " (ulimit -v): lower SHMEM_SYMMETRIC_SIZE" TERN_SEE("The symmetric heap"),
               words_for(bytes, n).text, (uint64_t)n << shift, limit);
    return -ENOMEM;
}

/*
 * Makes all PEs use the size that the first of them publishes. An explicit size must be the same on
 * all PEs; it does not agree with a default.
 */
static int agree(const struct tern_boot *boot, uint64_t *bytes, bool explicit)
{
    uint64_t mine = *bytes | (explicit ? TERN_HEAP_EXPLICIT : 0), agreed = 0;

    if (!boot->area ||
        __atomic_compare_exchange_n(&boot->area->heap_bytes, &agreed, mine, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE) ||
        agreed == mine)
        return 0;
    if (!explicit && !(agreed & TERN_HEAP_EXPLICIT)) {
        *bytes = agreed;
        return 0;
    }
    tern_error("a symmetric heap of %" PRIu64 " bytes here but of %" PRIu64
               " bytes on another PE: give all PEs the same SHMEM_SYMMETRIC_SIZE" TERN_SEE(
                   "The symmetric heap"),
               *bytes, agreed & ~(uint64_t)TERN_HEAP_EXPLICIT);
    return -EINVAL;
}

static int choose_heap_size(struct tern_arena *arena, const struct tern_boot *boot,
                            const struct tern_arena_options *options)
{
    uint64_t asked = options->heap_bytes;
    struct tern_os_memory_limits limits;
    uint64_t bytes;
    int n = boot->machine_n_pes, r = 0;

    if (!asked && options->least > heap_of_share(boot->memory))
        asked = options->least;
    bytes = asked ? tern_bytes_round_up(asked, tern_os_page_size()) : heap_of_share(boot->memory);
    if (bytes < asked || bytes > (UINT64_C(1) << 46)) {
        tern_error("%s exceeds any address space: lower SHMEM_SYMMETRIC_SIZE",
                   words_for(asked, n).text);
        return -ENOMEM;
    }
    if (asked) {
        tern_os_memory_limits(&limits); /* reads a dozen files, so only if needed */
        r = check_limit(bytes, n, limits.physical, "physical memory");
        if (!r)
            r = check_limit(bytes, n, limits.cgroup, "control group's memory limit");
        if (!r)
            r = check_address_space(bytes, boot->node_n_pes, heap_shift(bytes),
                                    limits.address_space);
    }
    if (!r)
        r = agree(boot, &bytes, asked != 0);
    arena->heap_bytes = bytes;
    arena->shift = heap_shift(bytes);
    return r;
}

/*
 * Maps below the job area. The system gives out addresses from the top down, so those are free as a
 * rule, and one call is enough. NULL if they are not, or the system does not know the flag.
 */
static char *map_below(const struct tern_job_area *area, size_t bytes, int flags, int fd,
                       uint64_t offset)
{
    uintptr_t at = ((uintptr_t)area - bytes) & -(uintptr_t)TERN_ARENA_ALIGNMENT;
    char *p;

    if ((uintptr_t)area <= bytes)
        return NULL;
    p = mmap((char *)at, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, fd,
             (off_t)offset);
    if (p == MAP_FAILED)
        return NULL;
    if ((uintptr_t)p == at)
        return p;
    munmap(p, bytes);
    return NULL;
}

/* Maps at a multiple of the huge page's size, so that file offsets and addresses agree modulo it.
 */
static char *map_aligned(const struct tern_job_area *area, size_t bytes, int fd, uint64_t offset)
{
    int flags = MAP_SHARED | MAP_NORESERVE | (fd < 0 ? MAP_ANONYMOUS : 0);
    char *p = map_below(area, bytes, flags, fd, offset), *at;

    if (p)
        return p;
    p = mmap(NULL, bytes + TERN_ARENA_ALIGNMENT, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    at = (char *)tern_bytes_round_up((uintptr_t)p, TERN_ARENA_ALIGNMENT);
    if (mmap(at, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, (off_t)offset) ==
        MAP_FAILED) {
        munmap(p, bytes + TERN_ARENA_ALIGNMENT);
        return NULL;
    }
    if (at > p)
        munmap(p, (size_t)(at - p));
    munmap(at + bytes, (size_t)(p + TERN_ARENA_ALIGNMENT - at));
    return at;
}

int tern_arena_map(struct tern_arena *arena, const struct tern_boot *boot,
                   const struct tern_arena_options *options)
{
    uint64_t heaps;
    char *own;
    int r = choose_heap_size(arena, boot, options);

    if (r)
        return r;
    arena->control_bytes = tern_bytes_round_up(options->control_bytes, tern_os_page_size());
    heaps = tern_bytes_round_up(arena->control_bytes, TERN_ARENA_ALIGNMENT);
    arena->bytes = heaps + ((size_t)boot->node_n_pes << arena->shift);
    arena->base = boot->object ? (char *)boot->object + boot->offset
                               : map_aligned(boot->area, arena->bytes, boot->fd, boot->offset);
    if (!arena->base) {
        tern_error(
            "%s: its %zu bytes of addresses can't be mapped: %s (see ulimit -v)" TERN_SEE("Limits"),
            words_for(arena->heap_bytes, boot->node_n_pes).text, arena->bytes, strerror(errno));
        return -ENOMEM;
    }
    arena->control = arena->base;
    arena->heaps = arena->base + heaps;
    own = arena->heaps + ((size_t)boot->node_pe << arena->shift);
    madvise(arena->base, arena->bytes, MADV_DONTDUMP);
    if (options->huge_pages && madvise(arena->heaps, arena->bytes - heaps, MADV_HUGEPAGE) != 0)
        tern_debug("no huge pages for the heap: %s", strerror(errno));
    if (options->prefault)
        tern_compat_populate_zeros(own, arena->heap_bytes);
    return 0;
}

/* Frees pages; not by MADV_REMOVE, which emulators accept without effect. */
static bool drop_pages(char *at, size_t bytes, int fd, off_t offset)
{
    if (fd >= 0)
        return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, (off_t)bytes) == 0;
    if (mmap(at, bytes, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        return false;
    madvise(at, bytes, MADV_DONTDUMP);
    return true;
}

/* So little is cleared faster than it is freed: to free pages, the system checks all mappings. */
#define CLEARED_AT_MOST (64 << 10)

void tern_arena_discard_heap(const struct tern_arena *arena, const struct tern_boot *boot,
                             size_t used)
{
    char *own = arena->heaps + ((size_t)boot->node_pe << arena->shift);

    if (used > CLEARED_AT_MOST) {
        if (drop_pages(own, arena->heap_bytes, boot->fd, (off_t)boot->offset + (own - arena->base)))
            return;
        tern_debug("the heap's memory was not given back: %s", strerror(errno));
    }
    memset(own, 0, used);
}

void tern_arena_dump_heap(const struct tern_arena *arena, int node_pe, size_t used)
{
    char *own = arena->heaps + ((size_t)node_pe << arena->shift);

    madvise(own, tern_bytes_round_up(least(used, TERN_DUMP_MOST), tern_os_page_size()),
            MADV_DODUMP);
}
