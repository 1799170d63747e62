/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fragmentation, in a heap of the size that its environment gives: a small request succeeds while
 * at most three quarters are in use, in any pattern; freeing restores all of it.
 */
#include "harness/check.h"
#include "harness/oracle.h"

#include <stdlib.h>

#define STEPS 3000
#define MAX_LIVE 20000
#define KIB ((size_t)1024)

static char *live[MAX_LIVE];
static size_t live_sizes[MAX_LIVE];
static size_t n_live, in_use;

static bool take(size_t size)
{
    char *block = n_live < MAX_LIVE ? shmem_malloc(size) : NULL;

    if (!block)
        return false;
    live[n_live] = block;
    live_sizes[n_live++] = size;
    in_use += size;
    return true;
}

static void give(size_t which)
{
    shmem_free(live[which]);
    in_use -= live_sizes[which];
    n_live--;
    live[which] = live[n_live];
    live_sizes[which] = live_sizes[n_live];
}

static void give_all(void)
{
    while (n_live > 0)
        give(n_live - 1);
}

/* From 16 bytes to 32 KiB, each power of two as likely as another. */
static size_t draw_size(uint64_t bits)
{
    size_t power = (size_t)16 << bits % 11;

    return power + (bits >> 8) % power;
}

/* Long-lived and short-lived blocks of mixed sizes around three quarters of the heap. */
static void test_churn(size_t heap)
{
    for (unsigned s = 0; s < STEPS; s++) {
        uint64_t bits = oracle_bits(0, s, 1);
        size_t size = draw_size(bits);

        check_case("churn, step %u: %zu of %zu bytes in use, %zu wanted", s, in_use, heap, size);
        while (in_use + size > heap / 4 * 3)
            give((bits >> 30) % n_live);
        if (!check(take(size), "three-quarters-usable", "refused"))
            break;
    }
    give_all();
}

/* Full of blocks of one size, every second one freed: that many fit again. */
static void test_checkerboard(size_t size)
{
    size_t filled, freed = 0, again = 0;

    check_case("checkerboard of %zu bytes", size);
    while (take(size))
        continue;
    filled = n_live;
    for (size_t i = filled; i-- > 0;)
        if (i % 2) {
            give(i);
            freed++;
        }
    while (take(size))
        again++;
    check(again >= freed, "holes-used-again", "%zu of %zu holes", again, freed);
    give_all();
}

/* Neighbours that are free are one: what was all in pieces is one block again. */
static void test_coalesce(size_t heap)
{
    static const size_t sizes[] = {400, 4096, 100000};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int order = 0; order < 3; order++) {
            check_case("pieces of %zu bytes, freed in order %d", sizes[i], order);
            while (in_use < heap / 8 && take(sizes[i]))
                continue;
            while (n_live > 0) {
                size_t which[] = {n_live - 1, 0, oracle_bits(0, n_live, 3) % n_live};

                give(which[order]);
            }
            check(take(heap / 16 * 15), "pieces-joined", "no block of 15/16 of the heap");
            give_all();
        }
}

int main(void)
{
    const char *setting = getenv("SHMEM_SYMMETRIC_SIZE");
    size_t heap = setting ? strtoul(setting, NULL, 10) * KIB : 0;

    check_init("memory/fragments");
    if (!check(heap > 0, "heap-size-known", "SHMEM_SYMMETRIC_SIZE must be set, in KiB"))
        return check_finish();
    test_churn(heap);
    test_checkerboard(700);
    test_checkerboard(4 * KIB);
    test_checkerboard(30 * KIB);
    test_coalesce(heap);
    return check_finish();
}
