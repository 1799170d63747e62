/* SPDX-License-Identifier: BSD-3-Clause */
/* The heap's allocator against a model that marks granules in an array and scans it. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "mem/heap.h"
#include "unit.h"

#define GRANULE 64

/* ---- the model: taken[i] is the number of the block that granule i belongs to, or 0 ---- */

#define MODEL_GRANULES 600

struct model {
    int taken[MODEL_GRANULES];
    size_t n; /* granules */
    int last; /* number of the youngest block */
    size_t high_water;
};

static size_t granules(size_t bytes)
{
    return bytes / GRANULE + (bytes % GRANULE != 0);
}

static bool is_room(const struct model *m, size_t at, size_t n)
{
    if (at > m->n || n > m->n - at)
        return false;
    for (size_t i = 0; i < n; i++)
        if (m->taken[at + i])
            return false;
    return true;
}

static void mark(struct model *m, size_t at, size_t n, int number)
{
    for (size_t i = 0; i < n; i++)
        m->taken[at + i] = number;
    if (number && (at + n) * GRANULE > m->high_water)
        m->high_water = (at + n) * GRANULE;
}

static size_t model_alloc(struct model *m, size_t bytes, size_t align)
{
    size_t n = granules(bytes);

    for (size_t at = 0; at < m->n; at++)
        if ((align == 0 || at * GRANULE % align == 0) && is_room(m, at, n)) {
            mark(m, at, n, ++m->last);
            return at * GRANULE;
        }
    return TERN_HEAP_NONE;
}

/* Granules of the block that starts at an offset, 0 if none does. */
static size_t model_granules(const struct model *m, size_t offset)
{
    size_t at = offset / GRANULE, n = 0;

    if (offset % GRANULE || at >= m->n || !m->taken[at])
        return 0;
    if (at > 0 && m->taken[at - 1] == m->taken[at])
        return 0;
    while (at + n < m->n && m->taken[at + n] == m->taken[at])
        n++;
    return n;
}

static bool model_resize(struct model *m, size_t offset, size_t bytes)
{
    size_t at = offset / GRANULE, old = model_granules(m, offset), n = granules(bytes);

    if (!old || (n > old && !is_room(m, at + old, n - old)))
        return false;
    if (n > old)
        mark(m, at + old, n - old, m->taken[at]);
    else
        mark(m, at + n, old - n, 0);
    return true;
}

/* ---- comparing the two ---- */

struct walk {
    const struct model *model;
    size_t n, bytes, next;
};

static void visit(size_t offset, size_t bytes, void *arg)
{
    struct walk *w = arg;

    CHECK(offset >= w->next);
    CHECK(model_granules(w->model, offset) * GRANULE == bytes);
    w->next = offset + bytes;
    w->bytes += bytes;
    w->n++;
}

static void compare(const struct tern_heap *heap, const struct model *m)
{
    struct walk walk = {.model = m};
    size_t blocks = 0, used = 0, run = 0, largest = 0;

    for (size_t i = 0; i < m->n; i++) {
        blocks += model_granules(m, i * GRANULE) != 0;
        used += m->taken[i] != 0;
        run = m->taken[i] ? 0 : run + 1;
        if (run > largest)
            largest = run;
    }
    tern_heap_each(heap, visit, &walk);
    CHECK(walk.n == blocks && heap->n_live == blocks);
    CHECK(walk.bytes == used * GRANULE && heap->used == used * GRANULE);
    CHECK(tern_heap_largest(heap) == largest * GRANULE);
    CHECK(heap->high_water == m->high_water);
}

static size_t any_size(uint64_t *random, const struct model *m)
{
    switch (below(random, 8)) {
    case 0:
        return m->n * GRANULE - below(random, 3 * GRANULE); /* all, or nearly */
    case 1:
        return SIZE_MAX - below(random, 100);
    case 2:
        return 1 + below(random, m->n * GRANULE / 3);
    default:
        return 1 + below(random, 6 * GRANULE);
    }
}

static void random_steps(uint64_t seed, size_t n_granules, size_t spare, int steps)
{
    struct model m = {.n = n_granules};
    struct tern_heap heap;
    uint64_t random = seed;

    CHECK(tern_heap_init(&heap, n_granules * GRANULE + spare) == 0);
    CHECK(heap.size == n_granules * GRANULE);
    while (steps-- > 0) {
        /* Often the start of a block, else any place, even beyond the end. */
        size_t offset = below(&random, m.n + 3) * GRANULE + (below(&random, 8) == 0);
        size_t size = any_size(&random, &m), align = 0;
        size_t held = model_granules(&m, offset) * GRANULE;

        CHECK(tern_heap_bytes(&heap, offset) == held);
        switch (below(&random, 5)) {
        case 0:
            align = (size_t)1 << below(&random, 12);
            /* fallthrough */
        case 1:
            offset = model_alloc(&m, size, align);
            CHECK(tern_heap_has_room(&heap, size, align) == (offset != TERN_HEAP_NONE));
            CHECK(tern_heap_alloc(&heap, size, align) == offset);
            break;
        case 2:
            CHECK(tern_heap_resize(&heap, offset, size) == model_resize(&m, offset, size));
            break;
        default:
            CHECK(tern_heap_free(&heap, offset) == (held ? 0 : -EINVAL));
            mark(&m, offset / GRANULE, held / GRANULE, 0);
        }
        compare(&heap, &m);
    }
    tern_heap_fini(&heap);
}

static void agrees_with_model(void)
{
    for (uint64_t seed = 1; seed <= 40; seed++)
        random_steps(seed * 7919, 1 + (size_t)seed * 37 % MODEL_GRANULES, (size_t)seed % GRANULE,
                     1500);
}

/* ---- what the model does not show ---- */

static void empty_and_tiny_heaps(void)
{
    struct tern_heap heap;

    CHECK(tern_heap_init(&heap, GRANULE - 1) == 0);
    CHECK(heap.size == 0 && tern_heap_largest(&heap) == 0);
    CHECK(tern_heap_alloc(&heap, 1, 0) == TERN_HEAP_NONE);
    CHECK(tern_heap_free(&heap, 0) == -EINVAL);
    CHECK(tern_heap_bytes(&heap, 0) == 0);
    tern_heap_fini(&heap);

    CHECK(tern_heap_init(&heap, GRANULE) == 0);
    CHECK(tern_heap_alloc(&heap, GRANULE, GRANULE) == 0);
    CHECK(tern_heap_alloc(&heap, 1, 0) == TERN_HEAP_NONE);
    CHECK(tern_heap_free(&heap, 0) == 0);
    CHECK(tern_heap_free(&heap, 0) == -EINVAL);
    CHECK(tern_heap_free(&heap, TERN_HEAP_NONE) == -EINVAL);
    tern_heap_fini(&heap);
}

/* No size wraps around, in a heap as large as can be named. */
static void sizes_at_the_limit(void)
{
    const size_t all = -(size_t)GRANULE; /* SIZE_MAX rounded down */
    const size_t half = ((size_t)1 << 63) - GRANULE;
    struct tern_heap heap;

    CHECK(tern_heap_init(&heap, SIZE_MAX) == 0);
    CHECK(heap.size == all && tern_heap_largest(&heap) == all);
    CHECK(tern_heap_alloc(&heap, SIZE_MAX, 0) == TERN_HEAP_NONE);
    CHECK(tern_heap_alloc(&heap, all + 1, 0) == TERN_HEAP_NONE);
    CHECK(tern_heap_alloc(&heap, all, (size_t)1 << 63) == 0);
    CHECK(!tern_heap_resize(&heap, 0, SIZE_MAX));
    CHECK(tern_heap_resize(&heap, 0, half));
    CHECK(tern_heap_alloc(&heap, GRANULE, (size_t)1 << 63) == (size_t)1 << 63);
    CHECK(tern_heap_alloc(&heap, GRANULE, (size_t)1 << 63) == TERN_HEAP_NONE);
    CHECK(tern_heap_resize(&heap, 0, (size_t)1 << 63));
    CHECK(!tern_heap_resize(&heap, 0, ((size_t)1 << 63) + 1));
    CHECK(tern_heap_free(&heap, 0) == 0);
    CHECK(tern_heap_free(&heap, (size_t)1 << 63) == 0);
    CHECK(tern_heap_largest(&heap) == all && heap.used == 0);
    tern_heap_fini(&heap);
}

/*
 * Robson's bound on first fit, under his kind of attack: rounds of ever larger blocks, each of
 * which finds the last round's survivors in its way. Here M is live_most, n is largest.
 */
static void fragmentation_is_bounded(void)
{
    enum { powers = 10, largest = 1 << powers, live_most = 1 << 15 };
    static size_t offsets[live_most];
    struct tern_heap heap;
    size_t n = 0;

    CHECK(tern_heap_init(&heap, (size_t)live_most * GRANULE * (powers + 1)) == 0);
    for (size_t size = 1; size <= largest; size *= 2) {
        size_t kept = 0;

        /* Of the blocks so far keep those that reach into the last granule of a stride. */
        for (size_t i = 0; i < n; i++) {
            size_t first = offsets[i] / GRANULE;
            size_t end = first + tern_heap_bytes(&heap, offsets[i]) / GRANULE;

            if (end / size > first / size)
                offsets[kept++] = offsets[i];
            else
                CHECK(tern_heap_free(&heap, offsets[i]) == 0);
        }
        n = kept;
        while (heap.used / GRANULE + size <= live_most) {
            size_t offset = tern_heap_alloc(&heap, size * GRANULE, 0);

            CHECK(offset != TERN_HEAP_NONE);
            offsets[n++] = offset;
        }
    }
    CHECK(heap.high_water > (size_t)live_most * GRANULE * 3 / 2); /* it was an attack */
    CHECK(heap.high_water <= (size_t)live_most * GRANULE * powers);
    tern_heap_fini(&heap);
}

/* ---- when private memory runs out ---- */

static int callocs_left = -1; /* that succeed; any number if negative */

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
    if (callocs_left == 0)
        return NULL;
    if (callocs_left > 0)
        callocs_left--;
    return __real_calloc(n, size);
}

/* A request that needs two descriptors, a gap's and that of what lies behind, leaves no trace. */
static void books_without_memory(void)
{
    struct tern_heap heap;

    callocs_left = 0;
    CHECK(tern_heap_init(&heap, 16 * GRANULE) == -ENOMEM);
    callocs_left = -1;
    CHECK(tern_heap_init(&heap, 16 * GRANULE) == 0);
    CHECK(tern_heap_alloc(&heap, 1, 0) == 0);
    for (callocs_left = 0; callocs_left < 2;) {
        int left = callocs_left;

        CHECK(tern_heap_alloc(&heap, 1, 4 * GRANULE) == TERN_HEAP_NONE);
        CHECK(heap.n_live == 1 && heap.used == GRANULE && heap.high_water == GRANULE);
        CHECK(tern_heap_largest(&heap) == 15 * GRANULE);
        CHECK(heap.starved);
        callocs_left = left + 1;
    }
    CHECK(tern_heap_alloc(&heap, 4 * GRANULE, 4 * GRANULE) == 4 * GRANULE);
    CHECK(callocs_left == 0);
    CHECK(tern_heap_resize(&heap, 4 * GRANULE, 1)); /* but nothing can be cut off */
    CHECK(tern_heap_bytes(&heap, 4 * GRANULE) == 12 * GRANULE && heap.used == 13 * GRANULE);
    CHECK(heap.high_water == 16 * GRANULE);
    CHECK(tern_heap_free(&heap, 4 * GRANULE) == 0);
    CHECK(tern_heap_largest(&heap) == 15 * GRANULE);
    callocs_left = -1;
    tern_heap_fini(&heap);
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/*
 * Many blocks in a heap of a terabyte: a linear search anywhere would take minutes. All but the
 * last of the holes that are left are too small, whichever way they are looked at.
 */
static void many_blocks_are_quick(void)
{
    enum { n = 200000 };
    const size_t stride = 4 * GRANULE;
    double start = seconds();
    struct tern_heap heap;

    CHECK(tern_heap_init(&heap, (size_t)1 << 40) == 0);
    for (size_t i = 0; i < n; i++)
        CHECK(tern_heap_alloc(&heap, stride, 0) == i * stride);
    for (size_t i = 0; i < n; i += 2)
        CHECK(tern_heap_free(&heap, i * stride) == 0);
    for (size_t i = 0; i < n / 2; i++)
        CHECK(tern_heap_alloc(&heap, 2 * stride, 0) == (n + 2 * i) * stride);
    for (size_t i = 0; i < n; i += 2)
        CHECK(tern_heap_alloc(&heap, stride, 0) == i * stride);
    for (size_t i = n; i-- > 0;)
        CHECK(tern_heap_free(&heap, i * stride) == 0);
    CHECK(seconds() - start < 20);
    tern_heap_fini(&heap);
}

int main(void)
{
    agrees_with_model();
    empty_and_tiny_heaps();
    sizes_at_the_limit();
    fragmentation_is_bounded();
    books_without_memory();
    many_blocks_are_quick();
    return 0;
}
