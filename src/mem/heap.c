/* SPDX-License-Identifier: BSD-3-Clause */
/* First fit by address, in a balanced tree whose nodes hold the size of the largest free block
 * below. */
#include "mem/heap.h"

#include <errno.h>
#include <stdlib.h>

#include "base/bytes.h"

/*
 * Blocks cover the heap without gaps; two free ones are never neighbours. The tree is a treap:
 * ordered by offset from left to right, and by rank from the root down. Ranks are a hash of the
 * offsets, which keeps the tree as shallow as random ones would and the same on every PE.
 *
 * A block's offset never changes while it is in the tree: a split makes a new block of the upper
 * part, a merge drops it.
 */
struct tern_heap_block {
    size_t offset;
    size_t bytes;
    size_t largest;                         /* bytes of the largest free block in this subtree */
    struct tern_heap_block *left, *right;   /* in the tree */
    struct tern_heap_block *before, *after; /* in the list */
    uint32_t rank;
    bool live;
};

/* ---- the tree ---- */

/* The finalizer of MurmurHash3: every bit of the offset affects every bit of the rank. */
static uint32_t rank_of(uint64_t offset)
{
    offset ^= offset >> 33;
    offset *= UINT64_C(0xff51afd7ed558ccd);
    offset ^= offset >> 33;
    offset *= UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(offset >> 32);
}

static size_t largest(const struct tern_heap_block *tree)
{
    return tree ? tree->largest : 0;
}

static void update(struct tern_heap_block *tree)
{
    size_t most = tree->live ? 0 : tree->bytes;

    if (largest(tree->left) > most)
        most = largest(tree->left);
    if (largest(tree->right) > most)
        most = largest(tree->right);
    tree->largest = most;
}

/* Splits the tree into the blocks before the offset and those from it on. */
static void part(struct tern_heap_block *tree, size_t offset, struct tern_heap_block **below,
                 struct tern_heap_block **rest)
{
    if (!tree) {
        *below = *rest = NULL;
        return;
    }
    if (tree->offset < offset) {
        *below = tree;
        part(tree->right, offset, &tree->right, rest);
    } else {
        *rest = tree;
        part(tree->left, offset, below, &tree->left);
    }
    update(tree);
}

/* Joins two trees; all blocks of the first lie before those of the second. */
static struct tern_heap_block *join(struct tern_heap_block *below, struct tern_heap_block *rest)
{
    if (!below || !rest)
        return below ? below : rest;
    if (below->rank > rest->rank) {
        below->right = join(below->right, rest);
        update(below);
        return below;
    }
    rest->left = join(below, rest->left);
    update(rest);
    return rest;
}

static void insert(struct tern_heap_block **tree, struct tern_heap_block *b)
{
    if (!*tree || b->rank > (*tree)->rank) {
        part(*tree, b->offset, &b->left, &b->right);
        *tree = b;
    } else {
        insert(b->offset < (*tree)->offset ? &(*tree)->left : &(*tree)->right, b);
    }
    update(*tree);
}

static void take_out(struct tern_heap_block **tree, struct tern_heap_block *b)
{
    if (*tree == b) {
        *tree = join(b->left, b->right);
        return;
    }
    take_out(b->offset < (*tree)->offset ? &(*tree)->left : &(*tree)->right, b);
    update(*tree);
}

/* Updates `largest` from b up to the root, after b has changed. */
static void refresh(struct tern_heap_block *tree, const struct tern_heap_block *b)
{
    if (tree != b)
        refresh(b->offset < tree->offset ? tree->left : tree->right, b);
    update(tree);
}

static size_t gap_before(const struct tern_heap_block *b, size_t align)
{
    return -b->offset & (align - 1);
}

/* The first free block that has room for so many bytes at a multiple of align. */
static struct tern_heap_block *find_room(struct tern_heap_block *tree, size_t bytes, size_t align)
{
    struct tern_heap_block *b;

    if (largest(tree) < bytes)
        return NULL;
    b = find_room(tree->left, bytes, align);
    if (b)
        return b;
    if (!tree->live && tree->bytes >= bytes && tree->bytes - bytes >= gap_before(tree, align))
        return tree;
    return find_room(tree->right, bytes, align);
}

static struct tern_heap_block *find_live(const struct tern_heap *heap, size_t offset)
{
    struct tern_heap_block *b = heap->root;

    while (b && b->offset != offset)
        b = offset < b->offset ? b->left : b->right;
    return b && b->live ? b : NULL;
}

/* ---- splitting and merging ---- */

static struct tern_heap_block *new_block(size_t offset, size_t bytes)
{
    struct tern_heap_block *b = calloc(1, sizeof *b);

    if (!b)
        return NULL;
    b->offset = offset;
    b->bytes = bytes;
    b->rank = rank_of(offset);
    return b;
}

/* Cuts b after so many bytes; returns the free block behind them, NULL without memory for it. */
static struct tern_heap_block *cut(struct tern_heap *heap, struct tern_heap_block *b, size_t bytes)
{
    struct tern_heap_block *rest = new_block(b->offset + bytes, b->bytes - bytes);

    if (!rest) {
        heap->starved = true;
        return NULL;
    }
    rest->before = b;
    rest->after = b->after;
    if (rest->after)
        rest->after->before = rest;
    b->after = rest;
    b->bytes = bytes;
    insert(&heap->root, rest); /* its path leads through b, whose `largest` it updates */
    return rest;
}

/* Merges b with the block behind it. */
static void swallow(struct tern_heap *heap, struct tern_heap_block *b)
{
    struct tern_heap_block *gone = b->after;

    take_out(&heap->root, gone);
    b->bytes += gone->bytes;
    b->after = gone->after;
    if (b->after)
        b->after->before = b;
    free(gone);
}

static bool is_free(const struct tern_heap_block *b)
{
    return b && !b->live;
}

static void release(struct tern_heap *heap, struct tern_heap_block *b)
{
    b->live = false;
    if (is_free(b->after))
        swallow(heap, b);
    if (is_free(b->before)) {
        b = b->before;
        swallow(heap, b);
    }
    refresh(heap->root, b);
}

/* ---- the interface ---- */

int tern_heap_init(struct tern_heap *heap, size_t size)
{
    *heap = (struct tern_heap){.size = size & -(size_t)TERN_HEAP_GRANULE};
    if (!heap->size)
        return 0;
    heap->first = new_block(0, heap->size);
    if (!heap->first)
        return -ENOMEM;
    insert(&heap->root, heap->first);
    return 0;
}

void tern_heap_fini(struct tern_heap *heap)
{
    struct tern_heap_block *next;

    for (struct tern_heap_block *b = heap->first; b; b = next) {
        next = b->after;
        free(b);
    }
    *heap = (struct tern_heap){0};
}

/* Rounds a request up to granules; false if the heap is smaller than that. */
static bool round_up(const struct tern_heap *heap, size_t *bytes)
{
    if (*bytes > heap->size)
        return false;
    *bytes = tern_bytes_round_up(*bytes, TERN_HEAP_GRANULE);
    return true; /* the heap's size is whole granules itself */
}

static void note_high_water(struct tern_heap *heap, const struct tern_heap_block *b)
{
    if (heap->high_water < b->offset + b->bytes)
        heap->high_water = b->offset + b->bytes;
}

static size_t at_least_a_granule(size_t align)
{
    return align < TERN_HEAP_GRANULE ? TERN_HEAP_GRANULE : align;
}

bool tern_heap_has_room(const struct tern_heap *heap, size_t bytes, size_t align)
{
    return round_up(heap, &bytes) && find_room(heap->root, bytes, at_least_a_granule(align));
}

size_t tern_heap_alloc(struct tern_heap *heap, size_t bytes, size_t align)
{
    struct tern_heap_block *b;

    align = at_least_a_granule(align);
    if (!round_up(heap, &bytes))
        return TERN_HEAP_NONE;
    b = find_room(heap->root, bytes, align);
    if (b && gap_before(b, align))
        b = cut(heap, b, gap_before(b, align));
    if (!b)
        return TERN_HEAP_NONE;
    if (b->bytes > bytes && !cut(heap, b, bytes)) {
        release(heap, b); /* merges with the free block before it */
        return TERN_HEAP_NONE;
    }
    b->live = true;
    refresh(heap->root, b);
    heap->n_live++;
    heap->used += b->bytes;
    note_high_water(heap, b);
    return b->offset;
}

int tern_heap_free(struct tern_heap *heap, size_t offset)
{
    struct tern_heap_block *b = find_live(heap, offset);

    if (!b)
        return -EINVAL;
    heap->n_live--;
    heap->used -= b->bytes;
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
    size_t before;

    if (!b || !round_up(heap, &bytes))
        return false;
    before = b->bytes;
    if (bytes > before + (is_free(b->after) ? b->after->bytes : 0))
        return false;
    if (is_free(b->after))
        swallow(heap, b);
    if (b->bytes > bytes)
        cut(heap, b, bytes); /* stays larger if there is no memory for a descriptor */
    heap->used += b->bytes - before;
    note_high_water(heap, b);
    return true;
}

size_t tern_heap_largest(const struct tern_heap *heap)
{
    return largest(heap->root);
}

void tern_heap_each(const struct tern_heap *heap,
                    void (*visit)(size_t offset, size_t bytes, void *arg), void *arg)
{
    for (const struct tern_heap_block *b = heap->first; b; b = b->after)
        if (b->live)
            visit(b->offset, b->bytes, arg);
}
