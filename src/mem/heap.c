/* SPDX-License-Identifier: BSD-3-Clause */
/* Two-level segregated fit over descriptors that lie outside of the region. */
#include "mem/heap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SPLIT_BITS 4
#define FIRST_TABLE 256

struct tern_heap_block {
    size_t offset;
    size_t bytes;
    struct tern_heap_block *before, *after; /* neighbours by address */
    struct tern_heap_block *prev, *next;    /* in the free list */
    struct tern_heap_block *chain;          /* in the hash table, or among the spares */
    bool live;
};

/* ---- descriptors ---- */

static struct tern_heap_block *new_block(struct tern_heap *heap, size_t offset, size_t bytes)
{
    struct tern_heap_block *b = heap->spare;

    if (b)
        heap->spare = b->chain;
    else if (!(b = malloc(sizeof *b)))
        return NULL;
    *b = (struct tern_heap_block){.offset = offset, .bytes = bytes};
    return b;
}

static void drop_block(struct tern_heap *heap, struct tern_heap_block *b)
{
    b->chain = heap->spare;
    heap->spare = b;
}

/* ---- free lists ---- */

/* The class that holds free blocks of this size: sizes below 16 granules have one each. */
static void class_of(size_t bytes, int *power, int *split)
{
    size_t granules = bytes / TERN_HEAP_ALIGN;
    int top = 63 - __builtin_clzl(granules);

    if (top < SPLIT_BITS) {
        *power = 0;
        *split = (int)granules;
    } else {
        *power = top - SPLIT_BITS + 1;
        *split = (int)(granules >> (top - SPLIT_BITS)) & (TERN_HEAP_SPLITS - 1);
    }
}

static void put_free(struct tern_heap *heap, struct tern_heap_block *b)
{
    struct tern_heap_block **head;
    int p, s;

    class_of(b->bytes, &p, &s);
    head = &heap->free_lists[p][s];
    b->live = false;
    b->prev = NULL;
    b->next = *head;
    if (b->next)
        b->next->prev = b;
    *head = b;
    heap->powers |= UINT64_C(1) << p;
    heap->splits[p] |= (uint16_t)(1u << s);
}

static void take_free(struct tern_heap *heap, struct tern_heap_block *b)
{
    int p, s;

    class_of(b->bytes, &p, &s);
    if (b->next)
        b->next->prev = b->prev;
    if (b->prev) {
        b->prev->next = b->next;
        return;
    }
    heap->free_lists[p][s] = b->next;
    if (b->next)
        return;
    heap->splits[p] &= (uint16_t) ~(1u << s);
    if (!heap->splits[p])
        heap->powers &= ~(UINT64_C(1) << p);
}

/* The first block of the smallest class in which every block has that many bytes. */
static struct tern_heap_block *find_class(const struct tern_heap *heap, size_t bytes)
{
    size_t granules = bytes / TERN_HEAP_ALIGN;
    int top = 63 - __builtin_clzl(granules), p, s;
    uint64_t powers;
    unsigned splits;

    if (top > SPLIT_BITS) /* round up to the start of a class */
        granules += ((size_t)1 << (top - SPLIT_BITS)) - 1;
    class_of(granules * TERN_HEAP_ALIGN, &p, &s);
    splits = heap->splits[p] & (~0u << s);
    if (!splits) {
        powers = p < 63 ? heap->powers & (~UINT64_C(0) << (p + 1)) : 0;
        if (!powers)
            return NULL;
        p = __builtin_ctzl(powers);
        splits = heap->splits[p];
    }
    return heap->free_lists[p][__builtin_ctz(splits)];
}

/*
 * A block that has room for the bytes. Where no class promises it, the request's own class may
 * still have one, so that the last large block of a heap is not out of reach.
 */
static struct tern_heap_block *find_free(const struct tern_heap *heap, size_t bytes)
{
    struct tern_heap_block *b = find_class(heap, bytes);
    int p, s;

    if (b)
        return b;
    class_of(bytes, &p, &s);
    for (b = heap->free_lists[p][s]; b && b->bytes < bytes; b = b->next)
        ;
    return b;
}

/* ---- live blocks by offset ---- */

static struct tern_heap_block **bucket(const struct tern_heap *heap, size_t offset)
{
    uint64_t hash = (offset / TERN_HEAP_ALIGN) * UINT64_C(0x9e3779b97f4a7c15);

    return &heap->table[(hash >> 32) & (heap->table_size - 1)];
}

static struct tern_heap_block *find_live(const struct tern_heap *heap, size_t offset)
{
    struct tern_heap_block *b = *bucket(heap, offset);

    while (b && b->offset != offset)
        b = b->chain;
    return b;
}

static void insert_live(struct tern_heap *heap, struct tern_heap_block *b)
{
    struct tern_heap_block **head = bucket(heap, b->offset);

    b->chain = *head;
    *head = b;
}

/* Without memory for a larger table the chains grow longer, which is slower and still right. */
static void grow_table(struct tern_heap *heap)
{
    struct tern_heap_block **larger = calloc(heap->table_size * 2, sizeof(*larger));

    if (!larger)
        return;
    free(heap->table);
    heap->table = larger;
    heap->table_size *= 2;
    for (struct tern_heap_block *b = heap->first; b; b = b->after)
        if (b->live)
            insert_live(heap, b);
}

static void make_live(struct tern_heap *heap, struct tern_heap_block *b)
{
    if (heap->n_live >= heap->table_size)
        grow_table(heap);
    b->live = true;
    insert_live(heap, b);
    heap->n_live++;
    heap->used += b->bytes;
    if (b->offset + b->bytes > heap->high_water)
        heap->high_water = b->offset + b->bytes;
}

static void make_dead(struct tern_heap *heap, struct tern_heap_block *b)
{
    struct tern_heap_block **link = bucket(heap, b->offset);

    while (*link != b)
        link = &(*link)->chain;
    *link = b->chain;
    heap->n_live--;
    heap->used -= b->bytes;
}

/* ---- splitting and merging ---- */

/* Cuts b after `bytes`; what is left, if anything, becomes a free block behind it. */
static bool cut(struct tern_heap *heap, struct tern_heap_block *b, size_t bytes)
{
    struct tern_heap_block *rest;

    if (b->bytes == bytes)
        return true;
    rest = new_block(heap, b->offset + bytes, b->bytes - bytes);
    if (!rest)
        return false;
    rest->before = b;
    rest->after = b->after;
    if (rest->after)
        rest->after->before = rest;
    b->after = rest;
    b->bytes = bytes;
    put_free(heap, rest);
    return true;
}

/* Makes b swallow the block behind it. */
static void absorb_next(struct tern_heap *heap, struct tern_heap_block *b)
{
    struct tern_heap_block *gone = b->after;

    b->bytes += gone->bytes;
    b->after = gone->after;
    if (b->after)
        b->after->before = b;
    drop_block(heap, gone);
}

/* Puts a block that is in no list among the free ones, merged with free neighbours. */
static void release(struct tern_heap *heap, struct tern_heap_block *b)
{
    if (b->after && !b->after->live) {
        take_free(heap, b->after);
        absorb_next(heap, b);
    }
    if (b->before && !b->before->live) {
        b = b->before;
        take_free(heap, b);
        absorb_next(heap, b);
    }
    put_free(heap, b);
}

/* ---- the interface ---- */

int tern_heap_init(struct tern_heap *heap, size_t size)
{
    *heap = (struct tern_heap){.size = size & -(size_t)TERN_HEAP_ALIGN};
    heap->table_size = FIRST_TABLE;
    heap->table = calloc(heap->table_size, sizeof(*heap->table));
    if (!heap->table)
        return -ENOMEM;
    if (!heap->size)
        return 0;
    heap->first = new_block(heap, 0, heap->size);
    if (!heap->first) {
        free(heap->table);
        return -ENOMEM;
    }
    put_free(heap, heap->first);
    return 0;
}

void tern_heap_fini(struct tern_heap *heap)
{
    struct tern_heap_block *b, *next;

    for (b = heap->first; b; b = next) {
        next = b->after;
        free(b);
    }
    for (b = heap->spare; b; b = next) {
        next = b->chain;
        free(b);
    }
    free(heap->table);
    *heap = (struct tern_heap){0};
}

/* Rounds a request up; false if it can't be had from any heap. */
static bool round_request(const struct tern_heap *heap, size_t *bytes, size_t *align)
{
    size_t least = *bytes >= TERN_HEAP_LINE ? TERN_HEAP_LINE : TERN_HEAP_ALIGN;

    if (*align < least)
        *align = least;
    if (*bytes > heap->size)
        return false;
    *bytes = (*bytes + TERN_HEAP_ALIGN - 1) & -(size_t)TERN_HEAP_ALIGN;
    return *bytes <= heap->size;
}

size_t tern_heap_alloc(struct tern_heap *heap, size_t bytes, size_t align)
{
    struct tern_heap_block *b;
    size_t gap, want;

    if (!round_request(heap, &bytes, &align))
        return TERN_HEAP_NONE;
    /* A block of the size may lie right by chance; one larger by the alignment surely does. */
    b = find_free(heap, bytes);
    if (!b)
        return TERN_HEAP_NONE;
    gap = -b->offset & (align - 1);
    if (gap > b->bytes - bytes) {
        if (__builtin_add_overflow(bytes, align - TERN_HEAP_ALIGN, &want) || want > heap->size)
            return TERN_HEAP_NONE;
        b = find_free(heap, want);
        if (!b)
            return TERN_HEAP_NONE;
        gap = -b->offset & (align - 1);
    }
    take_free(heap, b);
    if (gap) {
        if (!cut(heap, b, gap)) {
            put_free(heap, b);
            return TERN_HEAP_NONE;
        }
        put_free(heap, b);
        b = b->after;
        take_free(heap, b);
    }
    if (!cut(heap, b, bytes)) {
        release(heap, b);
        return TERN_HEAP_NONE;
    }
    make_live(heap, b);
    return b->offset;
}

int tern_heap_free(struct tern_heap *heap, size_t offset)
{
    struct tern_heap_block *b = find_live(heap, offset);

    if (!b)
        return -EINVAL;
    make_dead(heap, b);
    release(heap, b);
    return 0;
}

size_t tern_heap_bytes(const struct tern_heap *heap, size_t offset)
{
    const struct tern_heap_block *b = find_live(heap, offset);

    return b ? b->bytes : 0;
}

bool tern_heap_resize(struct tern_heap *heap, size_t offset, size_t bytes)
{
    struct tern_heap_block *b = find_live(heap, offset);
    size_t align = 0, room;

    if (!b || !round_request(heap, &bytes, &align))
        return false;
    room = b->bytes + (b->after && !b->after->live ? b->after->bytes : 0);
    if (bytes > room)
        return false;
    heap->used -= b->bytes;
    if (room > b->bytes) {
        take_free(heap, b->after);
        absorb_next(heap, b);
    }
    cut(heap, b, bytes); /* without memory for a descriptor it stays larger */
    heap->used += b->bytes;
    if (offset + b->bytes > heap->high_water)
        heap->high_water = offset + b->bytes;
    return true;
}

void tern_heap_each(const struct tern_heap *heap,
                    void (*visit)(size_t offset, size_t bytes, void *arg), void *arg)
{
    for (const struct tern_heap_block *b = heap->first; b; b = b->after)
        if (b->live)
            visit(b->offset, b->bytes, arg);
}
