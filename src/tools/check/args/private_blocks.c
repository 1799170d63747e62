/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps a word for each 16 bytes of memory: where a block begins, its size and where it was
 * allocated. The words of unused memory take no memory themselves.
 *
 * Threads share these words without a lock. A block is added before its owner knows its address,
 * and removed before the allocator may give it away again. So a search for an address that the
 * program uses finds its block, whatever other threads do to others.
 */
#include "tools/check/args/private_blocks.h"

#include <string.h>
#include <sys/mman.h>

#include "tools/program.h"

/* Memory is divided into regions of 256 MiB, a region into areas of 64 KiB. */
#define ADDRESS_BITS 48
#define REGION_BITS 28
#define AREA_BITS 16
#define STEP ((uintptr_t)16) /* between the addresses at which blocks can begin */
#define REGION ((uintptr_t)1 << REGION_BITS)
#define AREA ((uintptr_t)1 << AREA_BITS)

/* A word is a block's size plus 1, and above it the distance of its site in the program's code. */
#define SIZE_BITS 40
#define MAX_SIZE (((uint64_t)1 << SIZE_BITS) - 2)
#define MAX_SITE ((uint64_t)1 << (64 - SIZE_BITS))

/* A search gives up after so many areas whose blocks have all been freed. */
#define MOST_EMPTY 16

struct region {
    uint64_t words[REGION / STEP];
    unsigned char is_used[REGION / AREA]; /* whether a block may begin in the area */
};

static struct region *regions[(uintptr_t)1 << (ADDRESS_BITS - REGION_BITS)];
static size_t longest;       /* size of the longest block so far */
static uintptr_t found_last; /* start of a block */

/* ---- words ---- */

static struct region *region_of(uintptr_t address)
{
    /* partner: the release in make_region() */
    return address >> ADDRESS_BITS
               ? NULL
               : __atomic_load_n(&regions[address >> REGION_BITS], __ATOMIC_ACQUIRE);
}

static uint64_t *word_in(struct region *region, uintptr_t address)
{
    return &region->words[address % REGION / STEP];
}

/* NULL without memory. Huge pages would take memory for words that are never used. */
static struct region *__attribute__((noinline, cold)) make_region(uintptr_t address)
{
    struct region *known = NULL;
    struct region *made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (made == MAP_FAILED)
        return NULL;
    madvise(made, sizeof *made, MADV_NOHUGEPAGE);
    if (__atomic_compare_exchange_n(&regions[address >> REGION_BITS], &known, made, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    munmap(made, sizeof *made); /* another thread was first */
    return known;
}

static uint64_t make_word(size_t size, const void *site)
{
    uint64_t distance = (uintptr_t)site - tern_program.code.start + 1;

    if (!tern_span_has(&tern_program.code, (uintptr_t)site) || distance >= MAX_SITE)
        distance = 0;
    return distance << SIZE_BITS | (size + 1);
}

static void read_word(uint64_t word, uintptr_t start, struct tern_check_private_block *block)
{
    uint64_t distance = word >> SIZE_BITS;

    block->start = start;
    block->size = (word & (((uint64_t)1 << SIZE_BITS) - 1)) - 1;
    block->site = distance ? (const void *)(tern_program.code.start + distance - 1) : NULL;
}

/* ---- blocks ---- */

/* No other block begins within a block: a search from its end need not visit old areas. */
static void __attribute__((noinline, cold)) clear_areas_within(uintptr_t start, uintptr_t end)
{
    for (uintptr_t area = (start / AREA + 1) * AREA; area + AREA <= end; area += AREA) {
        struct region *region = region_of(area);

        if (region)
            __atomic_store_n(&region->is_used[area % REGION / AREA], 0, __ATOMIC_RELAXED);
        else
            area |= REGION - AREA; /* the region's last area */
    }
}

static void __attribute__((noinline, cold)) note_longest(size_t size)
{
    size_t before = __atomic_load_n(&longest, __ATOMIC_RELAXED);

    while (before < size && !__atomic_compare_exchange_n(&longest, &before, size, true,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void put(uintptr_t start, uint64_t word)
{
    struct region *region = region_of(start);
    unsigned char *is_used;

    if (!region && !(region = make_region(start)))
        return;
    __atomic_store_n(word_in(region, start), word, __ATOMIC_RELAXED);
    is_used = &region->is_used[start % REGION / AREA];
    if (!__atomic_load_n(is_used, __ATOMIC_RELAXED))
        __atomic_store_n(is_used, 1, __ATOMIC_RELAXED);
}

void tern_check_private_blocks_add(const void *start, size_t size, const void *site)
{
    uintptr_t address = (uintptr_t)start;

    if (address % STEP || address >> ADDRESS_BITS || size > MAX_SIZE)
        return;
    if (size > __atomic_load_n(&longest, __ATOMIC_RELAXED))
        note_longest(size);
    if (size > AREA)
        clear_areas_within(address, address + size);
    put(address, make_word(size, site));
}

uint64_t tern_check_private_blocks_remove(const void *start)
{
    uintptr_t address = (uintptr_t)start;
    struct region *region = address % STEP ? NULL : region_of(address);
    uint64_t *word, removed;

    if (!region)
        return 0;
    word = word_in(region, address);
    removed = __atomic_load_n(word, __ATOMIC_RELAXED);
    if (removed)
        __atomic_store_n(word, 0, __ATOMIC_RELAXED);
    return removed;
}

void tern_check_private_blocks_put_back(const void *start, uint64_t removed)
{
    if (removed)
        put((uintptr_t)start, removed);
}

/* ---- searches ---- */

/* Whether a block that contains the address begins there. */
static bool is_start(uintptr_t start, uintptr_t address, struct tern_check_private_block *found)
{
    struct region *region = region_of(start);
    uint64_t word = region ? __atomic_load_n(word_in(region, start), __ATOMIC_RELAXED) : 0;

    if (!word)
        return false;
    read_word(word, start, found);
    return address - start < (found->size ? found->size : 1);
}

/* The last address up to `last` in its area at which a block begins, or 0. */
static uintptr_t find_in_area(struct region *region, uintptr_t last)
{
    for (last &= ~(STEP - 1);; last -= STEP) {
        if (__atomic_load_n(word_in(region, last), __ATOMIC_RELAXED))
            return last;
        if (last % AREA == 0)
            return 0;
    }
}

/* The last area up to that of the address, in its region, in which a block may begin, or 0. */
static uintptr_t find_area(const struct region *region, uintptr_t address)
{
    const unsigned char *used =
        region ? memrchr(region->is_used, 1, address % REGION / AREA + 1) : NULL;

    return used ? (address & ~(REGION - 1)) + (uintptr_t)(used - region->is_used) * AREA : 0;
}

/* The last address up to this one at which a block begins, or 0. */
static uintptr_t find_start(uintptr_t address)
{
    size_t most = __atomic_load_n(&longest, __ATOMIC_RELAXED);
    uintptr_t lowest = address > most ? address - most : 1, at = address;

    for (int n_empty = 0; at >= lowest && n_empty < MOST_EMPTY;) {
        struct region *region = region_of(at);
        uintptr_t area = find_area(region, at), start;

        if (!area) {
            at = (at & ~(REGION - 1)) - 1; /* wraps below the first region */
            if (at > address)
                return 0;
            continue;
        }
        start = find_in_area(region, at - area < AREA ? at : area + AREA - 1);
        if (start)
            return start;
        at = area - 1;
        n_empty++;
    }
    return 0;
}

bool tern_check_private_blocks_find(uintptr_t address, struct tern_check_private_block *found)
{
    uintptr_t start = __atomic_load_n(&found_last, __ATOMIC_RELAXED);

    if (start && is_start(start, address, found))
        return true;
    start = find_start(address);
    if (!start || !is_start(start, address, found))
        return false;
    __atomic_store_n(&found_last, start, __ATOMIC_RELAXED);
    return true;
}
