/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The results of each allocation routine, the contents that it keeps, and the PEs that it waits
 * for.
 */
#include "harness/check.h"
#include "harness/oracle.h"

#include <stdalign.h>
#include <string.h>

/* Calls that must return at once: made by one PE alone, they would otherwise hang. */
static void test_no_barrier(void)
{
    check_case("size 0 and NULL, on one PE alone");
    if (check_pe() == check_n_pes() - 1) {
        check(shmem_malloc(0) == NULL, "malloc-0", "not NULL");
        check(shmem_calloc(0, 8) == NULL, "calloc-0", "not NULL");
        check(shmem_calloc(8, 0) == NULL, "calloc-0", "not NULL");
        check(shmem_align(64, 0) == NULL, "align-0", "not NULL");
        check(shmem_malloc_with_hints(0, SHMEM_MALLOC_ATOMICS_REMOTE) == NULL, "hints-0",
              "not NULL");
        check(shmem_realloc(NULL, 0) == NULL, "realloc-null-0", "not NULL");
        shmem_free(NULL);
    }
    shmem_barrier_all();
}

/* Symmetric: what the neighbour puts through its own address is in this PE's block. */
static void test_block(long *block, size_t nelems, const char *name)
{
    int n = check_n_pes(), next = (check_pe() + 1) % n, before = (check_pe() + n - 1) % n;

    check(block != NULL, name, "no memory");
    check((uintptr_t)block % alignof(max_align_t) == 0, "aligned-for-any-type", "%p",
          (void *)block);
    /* Remote memory is usable as soon as the allocation has returned here. */
    shmem_long_p(&block[nelems - 1], 300 + check_pe(), next);
    shmem_barrier_all();
    check_equal(block[nelems - 1], 300 + before, name);
    shmem_barrier_all();
}

static void test_each_routine(void)
{
    static const long hints[] = {0, SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE,
                                 SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE};
    long *block;

    check_case("each routine");
    for (size_t nelems = 1; nelems < 100000; nelems = nelems * 3 + 1) {
        block = shmem_malloc(nelems * sizeof(long));
        test_block(block, nelems, "malloc");
        shmem_free(block);
        block = shmem_realloc(NULL, nelems * sizeof(long));
        test_block(block, nelems, "realloc-null-is-malloc");
        check(shmem_realloc(block, 0) == NULL, "realloc-0-is-free", "not NULL");
        for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
            block = shmem_malloc_with_hints(nelems * sizeof(long), hints[i]);
            test_block(block, nelems, "malloc-with-hints");
            block = shmem_realloc(block, 2 * nelems * sizeof(long));
            test_block(block, 2 * nelems, "realloc-keeps-hints");
            shmem_long_atomic_inc(&block[0], check_pe());
            shmem_free(block);
        }
    }
}

static void test_align(void)
{
    check_case("align");
    for (size_t alignment = sizeof(void *); alignment <= 1 << 20; alignment *= 2)
        for (size_t size = sizeof(long); size <= 5000; size = size * 5 + 8) {
            long *block = shmem_align(alignment, size);

            check((uintptr_t)block % alignment == 0, "align", "%p is not a multiple of %zu",
                  (void *)block, alignment);
            check(block != NULL, "align", "no memory");
            if (alignment % 64 == 0)
                test_block(block, size / sizeof(long), "align");
            memset(block, 1, size);
            shmem_free(block);
        }
}

/*
 * Zero on every PE at return, even where the memory was used before, and not again later: what a
 * neighbour puts at once must stay.
 */
static void test_calloc(void)
{
    int n = check_n_pes(), next = (check_pe() + 1) % n, before = (check_pe() + n - 1) % n;

    check_case("calloc");
    for (size_t count = 1; count < 20000; count *= 7) {
        unsigned char *block = shmem_malloc(count * 3);
        size_t wrong = 0;

        memset(block, 0xff, count * 3);
        shmem_free(block);
        block = shmem_calloc(count, 3);
        check(shmem_uchar_g(&block[3 * count - 1], next) == 0, "calloc-zero-everywhere",
              "not on the neighbour");
        shmem_uchar_p(&block[1], (unsigned char)(check_pe() + 1), next);
        shmem_barrier_all();
        for (size_t i = 0; i < 3 * count; i++)
            wrong += block[i] != (i == 1 ? (unsigned char)(before + 1) : 0);
        check_equal(wrong, 0u, "calloc-zero");
        shmem_free(block);
    }
    check(shmem_calloc(SIZE_MAX / 2, 4) == NULL, "calloc-overflow", "a block");
    check(shmem_calloc(SIZE_MAX / 4 + 2, 4) == NULL, "calloc-overflow", "a block");
    check(shmem_calloc((size_t)1 << 32, (size_t)1 << 32) == NULL, "calloc-overflow", "a block");
}

static void test_realloc(void)
{
    long *block = shmem_malloc(sizeof(long)), *bystander;
    size_t nelems = 1;

    check_case("realloc");
    block[0] = ORACLE(long, check_pe(), 0, 5);
    for (int step = 0; step < 60; step++) {
        /* Grows and shrinks, by little and by much, with something in the way now and then. */
        size_t wanted = 1 + oracle_bits(0, (size_t)step, 6) % (step % 3 ? 400 : 40000);
        size_t common = wanted < nelems ? wanted : nelems, same = 0;

        bystander = step % 4 ? NULL : shmem_malloc(64);
        block = shmem_realloc(block, wanted * sizeof(long));
        check(block != NULL, "realloc", "no memory");
        while (same < common && block[same] == ORACLE(long, check_pe(), same, 5))
            same++;
        check_equal(same, common, "realloc-keeps-contents");
        ORACLE_FILL(long, block, wanted, check_pe(), 5);
        nelems = wanted;
        shmem_free(bystander);
    }
    shmem_barrier_all();
    test_block(block, nelems, "realloc");
    shmem_free(block);
}

/* Too large for anyone: NULL everywhere, the heap and the old block as before. */
static void test_failure(void)
{
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 7, SIZE_MAX - 4096, SIZE_MAX / 2,
                                   (size_t)1 << 60};
    long *block = shmem_malloc(1000 * sizeof(long)), *other;
    size_t same = 0;

    ORACLE_FILL(long, block, 1000, check_pe(), 8);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        check_case("%zu bytes", sizes[i]);
        check(shmem_malloc(sizes[i]) == NULL, "failure-is-null", "malloc");
        check(shmem_align(4096, sizes[i]) == NULL, "failure-is-null", "align");
        check(shmem_calloc(1, sizes[i]) == NULL, "failure-is-null", "calloc");
        check(shmem_malloc_with_hints(sizes[i], SHMEM_MALLOC_SIGNAL_REMOTE) == NULL,
              "failure-is-null", "malloc_with_hints");
        check(shmem_realloc(NULL, sizes[i]) == NULL, "failure-is-null", "realloc of NULL");
        check(shmem_realloc(block, sizes[i]) == NULL, "failure-is-null", "realloc");
        check(shmem_align((size_t)1 << 62, 8) == NULL, "failure-is-null", "alignment 2^62");
    }
    while (same < 1000 && block[same] == ORACLE(long, check_pe(), same, 8))
        same++;
    check_equal(same, 1000u, "failed-realloc-keeps-block");
    other = shmem_malloc(1000 * sizeof(long));
    test_block(other, 1000, "heap-works-after-failure");
    test_block(block, 1000, "failed-realloc-keeps-block");
    shmem_free(other);
    shmem_free(block);
}

int main(void)
{
    check_init("memory/rules");
    test_no_barrier();
    test_each_routine();
    test_align();
    test_calloc();
    test_realloc();
    test_failure();
    return check_finish();
}
