/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers from PE 0 to its peer and back, beside loads, stores and memcpy through shmem_ptr. */
#include <stdlib.h>

#include "bench.h"

#define LARGEST (64 * MIB)
#define LARGEST_STATIC (8 * MIB)
#define LEAST_ROOM (1 * MIB) /* for rates and strides */
#define STRIDED 1024         /* elements of a strided transfer, and then the stride */
#define STRIDE 2
#define BLOCK 8
#define RATE 64

static _Alignas(64) char static_bytes[LARGEST_STATIC + 256]; /* as shmem_malloc aligns */
static char *heap_bytes, *private_bytes;
static int peer;

/* Of the row that is measured: here and at the peer. */
static char *symmetric, *remote, *local;
static size_t size;

/* A thread has lines of its own. */
#define WORD(base) ((long *)((base) + 128 * bench_thread))
#define PART(base) ((base) + (size * (size_t)bench_thread + 127 * (size_t)bench_thread))

BENCH_BY_HAND static void store(long *to, long value)
{
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
}

BENCH_BY_HAND static long load(const long *from)
{
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

BENCH_BY_HAND static void copy_strided(long *to, const long *from, ptrdiff_t dst, ptrdiff_t sst,
                                       size_t block, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < block; k++)
            to[(size_t)dst * i + k] = from[(size_t)sst * i + k];
    __asm__ volatile("" ::: "memory");
}

/* An operation, and the same hand-written, with the peer's memory in place of its number. */
#define OPERATION(name, ours, hand)                                                                \
    static void name(long times)                                                                   \
    {                                                                                              \
        char *there = PART(symmetric), *here = PART(local);                                        \
                                                                                                   \
        for (long i = 0; i < times; i++)                                                           \
            ours;                                                                                  \
    }                                                                                              \
    static void name##_by_hand(long times)                                                         \
    {                                                                                              \
        char *there = PART(remote), *here = PART(local);                                           \
                                                                                                   \
        for (long i = 0; i < times; i++)                                                           \
            hand;                                                                                  \
    }

OPERATION(put, shmem_putmem(there, here, size, peer), bench_copy(there, here, size))
OPERATION(get, shmem_getmem(here, there, size, peer), bench_copy(here, there, size))
OPERATION(iput, shmem_long_iput((long *)there, (long *)here, STRIDE, STRIDE, STRIDED, peer),
          copy_strided((long *)there, (long *)here, STRIDE, STRIDE, 1, STRIDED))
OPERATION(iget, shmem_long_iget((long *)here, (long *)there, STRIDE, STRIDE, STRIDED, peer),
          copy_strided((long *)here, (long *)there, STRIDE, STRIDE, 1, STRIDED))
#if BENCH_API >= 106
OPERATION(ibput,
          shmem_long_ibput((long *)there, (long *)here, STRIDE *BLOCK, STRIDE *BLOCK, BLOCK,
                           STRIDED / BLOCK, peer),
          copy_strided((long *)there, (long *)here, STRIDE *BLOCK, STRIDE *BLOCK, BLOCK,
                       STRIDED / BLOCK))
OPERATION(ibget,
          shmem_long_ibget((long *)here, (long *)there, STRIDE *BLOCK, STRIDE *BLOCK, BLOCK,
                           STRIDED / BLOCK, peer),
          copy_strided((long *)here, (long *)there, STRIDE *BLOCK, STRIDE *BLOCK, BLOCK,
                       STRIDED / BLOCK))
#endif

static void put_nbi(long times)
{
    char *there = PART(symmetric), *here = PART(local);

    for (long i = 0; i < times; i++)
        shmem_putmem_nbi(there, here, size, peer);
    shmem_quiet();
}

static void get_nbi(long times)
{
    char *there = PART(symmetric), *here = PART(local);

    for (long i = 0; i < times; i++)
        shmem_getmem_nbi(here, there, size, peer);
    shmem_quiet();
}

/* Messages to a window of places, and a quiet. */
static void put_rate(long times)
{
    for (long i = 0; i < times; i++) {
        for (int k = 0; k < RATE; k++)
            shmem_putmem_nbi(PART(symmetric) + (size_t)k * size, PART(local), size, peer);
        shmem_quiet();
    }
}

static void put_rate_by_hand(long times)
{
    for (long i = 0; i < times; i++) {
        for (int k = 0; k < RATE; k++)
            bench_copy(PART(remote) + (size_t)k * size, PART(local), size);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
}

static void p(long times)
{
    long *there = WORD(symmetric);

    for (long i = 0; i < times; i++)
        shmem_long_p(there, i, peer);
}

static void p_by_hand(long times)
{
    long *there = WORD(remote);

    for (long i = 0; i < times; i++)
        store(there, i);
}

static volatile long sink;

static void g(long times)
{
    const long *there = WORD(symmetric);
    long sum = 0;

    for (long i = 0; i < times; i++)
        sum += shmem_long_g(there, peer);
    sink = sum;
}

static void g_by_hand(long times)
{
    const long *there = WORD(remote);
    long sum = 0;

    for (long i = 0; i < times; i++)
        sum += load(there);
    sink = sum;
}

static const struct bench_row scalars[] = {
    {"p", "", 8, .work = p, .limit = "store", .by_hand = p_by_hand},
    {"g", "", 8, .work = g, .limit = "load", .by_hand = g_by_hand},
};

static const struct bench_row blocks[] = {
    {"put", "", 0, .work = put, .limit = "memcpy", .by_hand = put_by_hand},
    {"get", "", 0, .work = get, .limit = "memcpy", .by_hand = get_by_hand},
};

static const struct bench_row nbi_blocks[] = {
    {"put_nbi", "", 0, .work = put_nbi, .limit = "memcpy", .by_hand = put_by_hand},
    {"get_nbi", "", 0, .work = get_nbi, .limit = "memcpy", .by_hand = get_by_hand},
};

static const struct bench_row strided[] = {
    {"iput", "", 8 * STRIDED, .work = iput, .limit = "loop", .by_hand = iput_by_hand},
    {"iget", "", 8 * STRIDED, .work = iget, .limit = "loop", .by_hand = iget_by_hand},
#if BENCH_API >= 106
    {"ibput", "", 8 * STRIDED, .work = ibput, .limit = "loop", .by_hand = ibput_by_hand},
    {"ibget", "", 8 * STRIDED, .work = ibget, .limit = "loop", .by_hand = ibget_by_hand},
#endif
};

static const struct bench_row rates[] = {
    {"message rate", "one way", 8, .per = RATE, .work = put_rate, .limit = "memcpy, fence",
     .by_hand = put_rate_by_hand},
    {"message rate", "both ways", 8, .per = RATE, .all = true, .work = put_rate,
     .limit = "memcpy, fence", .by_hand = put_rate_by_hand},
    {"message rate", "one way", 512, .per = RATE, .work = put_rate, .limit = "memcpy, fence",
     .by_hand = put_rate_by_hand},
    {"message rate", "both ways", 512, .per = RATE, .all = true, .work = put_rate,
     .limit = "memcpy, fence", .by_hand = put_rate_by_hand},
};

/* Each row with its bytes, or with those given. */
static void measure(const struct bench_row *rows, size_t n, const char *variant, size_t bytes)
{
    for (size_t i = 0; i < n; i++) {
        struct bench_row row = rows[i];

        if (variant)
            row.variant = variant;
        if (bytes)
            row.bytes = bytes;
        size = row.bytes;
        bench_measure(&row);
    }
}

#define MEASURE(rows, variant, bytes) measure(rows, sizeof rows / sizeof *rows, variant, bytes)

static const size_t sizes[] = {1,        2,        4,        8,         16,      32,      64,
                               128,      256,      512,      1 * KIB,   2 * KIB, 4 * KIB, 8 * KIB,
                               16 * KIB, 32 * KIB, 64 * KIB, 256 * KIB, 1 * MIB, 8 * MIB, 64 * MIB};

static void measure_segment(const char *variant, char *base, size_t room)
{
    char *at_peer = bench_peer(base, peer);

    symmetric = base;
    remote = at_peer ? at_peer : bench_peer(heap_bytes, peer);
    MEASURE(scalars, variant, 0);
    if (bench_unaligned) {
        symmetric += 3;
        remote += 3;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i] * (size_t)bench_threads > room)
            continue;
        MEASURE(blocks, variant, sizes[i]);
        if (base == heap_bytes)
            MEASURE(nbi_blocks, variant, sizes[i]);
    }
}

/* Many PEs that measure small rows need little memory. */
static size_t room_of_rows(void)
{
    size_t most = bench_max_bytes * (size_t)bench_threads;

    return most < LEAST_ROOM ? LEAST_ROOM : most < LARGEST ? most : LARGEST;
}

int main(int argc, char **argv)
{
    size_t room;

    bench_start(argc, argv, "rma");
    room = room_of_rows();
    peer = bench_n - 1;
    heap_bytes = bench_alloc(room + 256);
    private_bytes = malloc(room + 256);
    memset(private_bytes, 1, room + 256);
    memset(static_bytes, 2, room < sizeof static_bytes ? room : sizeof static_bytes);
    local = (char *)(((uintptr_t)private_bytes + 63) & ~(uintptr_t)63);
    if (bench_unaligned)
        local += 1;
    measure_segment("heap", heap_bytes, room);
    measure_segment("static", static_bytes, LARGEST_STATIC);
    symmetric = heap_bytes;
    remote = bench_peer(heap_bytes, peer);
    MEASURE(strided, "heap", 0);
    MEASURE(rates, NULL, 0);
    bench_end();
    return 0;
}
