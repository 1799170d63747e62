/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations by one PE on its peer's word, and by all PEs on the same one. */
#include "bench.h"

static _Alignas(128) char static_words[128 * BENCH_THREADS];
static char *heap_words, *symmetric, *remote_bytes;
static volatile long sink;
static int target;

#define WORD unsigned long
#define NAMED(name) name##_64
#define TYPED(operation) shmem_ulong_atomic_##operation
#include "amo_width.inc"
#undef WORD
#undef NAMED
#undef TYPED

#define WORD unsigned
#define NAMED(name) name##_32
#define TYPED(operation) shmem_uint_atomic_##operation
#include "amo_width.inc"

static void measure(const struct bench_row *rows, size_t n, char *words, const char *variant,
                    bool contended)
{
    char *there = bench_peer(words, target);

    symmetric = words;
    remote_bytes = there ? there : bench_peer(heap_words, target);
    for (size_t i = 0; i < n; i++) {
        struct bench_row row = rows[i];

        row.variant = variant;
        row.all = contended;
        bench_measure(&row);
    }
}

#define MEASURE(rows, words, variant, contended)                                                   \
    measure(rows, sizeof rows / sizeof *rows, words, variant, contended)

int main(int argc, char **argv)
{
    bench_start(argc, argv, "amo");
    target = bench_n - 1;
    heap_words = bench_alloc(128 * (BENCH_THREADS + 1));
    heap_words += 128 - (uintptr_t)heap_words % 128;
    MEASURE(rows_64, heap_words, "heap", false);
    MEASURE(rows_64, static_words, "static", false);
    if (!bench_crowded) /* those who take turns on a core do not contend */
        MEASURE(rows_64, heap_words, "contended", true);
    MEASURE(rows_32, heap_words, "heap", false);
    bench_end();
    return 0;
}
