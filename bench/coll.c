/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of all PEs, and the same work hand-written: a barrier, copying or combining directly
 * from the others' memory, a barrier. A large scan is compared with one copy of its data, which
 * each scan needs at least.
 */
#include "bench.h"

#define LARGEST (8 * MIB)
#define MOST_PES 1024
#define LINE 128
#define MARGIN (2 * LINE) /* of a buffer, for where it starts */

/* Of all PEs together, so that any number of them fits on one machine. */
static const size_t room = 256 * MIB;

static char *send, *receive; /* symmetric; a thread has a part of each */
static char *their_send[MOST_PES], *their_receive[MOST_PES];
static size_t part;

static size_t size;
static size_t longs;

static char *own_send(void)
{
    return send + part * (size_t)bench_thread;
}

static char *own_receive(void)
{
    return receive + part * (size_t)bench_thread;
}

static const char *send_of(int pe)
{
    return their_send[pe] + part * (size_t)bench_thread;
}

static char *receive_of(int pe)
{
    return their_receive[pe] + part * (size_t)bench_thread;
}

/* A library may still look at one array when the next call begins. */
#define SYNCS 4
static long psync[SYNCS][SHMEM_ALLTOALLS_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE +
                         SHMEM_COLLECT_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE];
static unsigned turn;
#define SET 0, 0, bench_n, psync[turn++ % SYNCS]

/* Which leaves the root's dest alone. */
#define BROADCAST_SET(to, from) shmem_broadcast64(to, from, longs, 0, SET)

#if BENCH_API >= 105
static shmem_team_t teams[BENCH_THREADS];
#define TEAM teams[bench_thread]

static void sync_pes(long times)
{
    for (long i = 0; i < times; i++)
        shmem_team_sync(TEAM);
}

#define BROADCAST(to, from) shmem_broadcastmem(TEAM, to, from, size, 0)
#define COLLECT(to, from) shmem_collectmem(TEAM, to, from, size)
#define FCOLLECT(to, from) shmem_fcollectmem(TEAM, to, from, size)
#define ALLTOALL(to, from) shmem_alltoallmem(TEAM, to, from, size)
#define ALLTOALLS(to, from) shmem_long_alltoalls(TEAM, (long *)(to), (long *)(from), 1, 1, longs)
#define REDUCE(type, op, to, from, n)                                                              \
    shmem_##type##_##op##_reduce(TEAM, (type *)(to), (type *)(from), n)
#define REDUCE_BITS(op, to, from)                                                                  \
    shmem_ulong_##op##_reduce(TEAM, (unsigned long *)(to), (unsigned long *)(from), longs)
#else
static long *work_space;

static void sync_pes(long times)
{
    for (long i = 0; i < times; i++)
        shmem_sync_all();
}

#define BROADCAST BROADCAST_SET
#define COLLECT(to, from) shmem_collect64(to, from, longs, SET)
#define FCOLLECT(to, from) shmem_fcollect64(to, from, longs, SET)
#define ALLTOALL(to, from) shmem_alltoall64(to, from, longs, SET)
#define ALLTOALLS(to, from) shmem_alltoalls64(to, from, 1, 1, longs, SET)
#define REDUCE(type, op, to, from, n)                                                              \
    shmem_##type##_##op##_to_all((type *)(to), (type *)(from), (int)(n), 0, 0, bench_n,            \
                                 (type *)work_space, psync[turn++ % SYNCS])
#define REDUCE_BITS(op, to, from) REDUCE(long, op, to, from, longs)
#endif

#define COLLECTIVE(name, call)                                                                     \
    static void name(long times)                                                                   \
    {                                                                                              \
        char *from = own_send(), *to = own_receive();                                              \
                                                                                                   \
        for (long i = 0; i < times; i++)                                                           \
            call;                                                                                  \
    }

COLLECTIVE(broadcast, BROADCAST(to, from))
COLLECTIVE(broadcast_set, BROADCAST_SET(to, from))
COLLECTIVE(collect, COLLECT(to, from))
COLLECTIVE(fcollect, FCOLLECT(to, from))
COLLECTIVE(alltoall, ALLTOALL(to, from))
COLLECTIVE(alltoalls, ALLTOALLS(to, from))
COLLECTIVE(sum, REDUCE(long, sum, to, from, longs))
COLLECTIVE(prod, REDUCE(long, prod, to, from, longs))
COLLECTIVE(min, REDUCE(long, min, to, from, longs))
COLLECTIVE(max, REDUCE(long, max, to, from, longs))
COLLECTIVE(and, REDUCE_BITS(and, to, from))
COLLECTIVE(or, REDUCE_BITS(or, to, from))
COLLECTIVE(xor, REDUCE_BITS(xor, to, from))
COLLECTIVE(sum_short, REDUCE(short, sum, to, from, size / sizeof(short)))
COLLECTIVE(sum_int, REDUCE(int, sum, to, from, size / sizeof(int)))
COLLECTIVE(sum_float, REDUCE(float, sum, to, from, size / sizeof(float)))
COLLECTIVE(sum_double, REDUCE(double, sum, to, from, size / sizeof(double)))
COLLECTIVE(max_double, REDUCE(double, max, to, from, size / sizeof(double)))
#if BENCH_API >= 106
COLLECTIVE(inscan, shmem_long_sum_inscan(TEAM, (long *)to, (long *)from, longs))
COLLECTIVE(exscan, shmem_long_sum_exscan(TEAM, (long *)to, (long *)from, longs))
#endif

static void barrier(long times)
{
    for (long i = 0; i < times; i++)
        shmem_barrier_all();
}

/* ---- hand-written ---- */

/* Vectorized as a library's loops are, with the vectors of the processor. */
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define VECTORIZED(...) __attribute__((noinline, ##__VA_ARGS__))
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#define VECTORIZED(...) __attribute__((noinline, optimize("O3"), ##__VA_ARGS__))
#endif

#define ADD(x, y) ((x) + (y))
#define MULTIPLY(x, y) ((x) * (y))
#define LESS(x, y) ((x) < (y) ? (x) : (y))
#define GREATER(x, y) ((x) > (y) ? (x) : (y))
#define AND(x, y) ((x) & (y))
#define OR(x, y) ((x) | (y))
#define XOR(x, y) ((x) ^ (y))

#define LOOP_AT(name, type, op, attributes)                                                        \
    attributes static void name(void *to, const void *a, const void *b, size_t bytes)              \
    {                                                                                              \
        const type *x = a, *y = b;                                                                 \
        type *z = to;                                                                              \
                                                                                                   \
        INDEPENDENT                                                                                \
        for (size_t i = 0; i < bytes / sizeof(type); i++)                                          \
            z[i] = (type)op(x[i], y[i]);                                                           \
    }

#ifdef __x86_64__
#define HAS_512 (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
#define LOOP(name, type, op)                                                                       \
    LOOP_AT(name##_128, type, op, VECTORIZED())                                                    \
    LOOP_AT(name##_256, type, op, VECTORIZED(target("avx2")))                                      \
    LOOP_AT(name##_512, type, op, VECTORIZED(target("avx512f,avx512bw,avx512dq,avx512vl")))        \
    static void loop_##name(void *to, const void *a, const void *b, size_t bytes)                  \
    {                                                                                              \
        if (HAS_512)                                                                               \
            name##_512(to, a, b, bytes);                                                           \
        else if (__builtin_cpu_supports("avx2"))                                                   \
            name##_256(to, a, b, bytes);                                                           \
        else                                                                                       \
            name##_128(to, a, b, bytes);                                                           \
    }
#else
#define LOOP(name, type, op) LOOP_AT(loop_##name, type, op, VECTORIZED())
#endif

LOOP(sum, unsigned long, ADD)
LOOP(prod, unsigned long, MULTIPLY)
LOOP(min, long, LESS)
LOOP(max, long, GREATER)
LOOP(and, unsigned long, AND)
LOOP(or, unsigned long, OR)
LOOP(xor, unsigned long, XOR)
LOOP(sum_short, unsigned short, ADD)
LOOP(sum_int, unsigned, ADD)
LOOP(sum_float, float, ADD)
LOOP(sum_double, double, ADD)
LOOP(max_double, double, GREATER)

typedef void loop(void *to, const void *a, const void *b, size_t bytes);

static void meet(long times)
{
    for (long i = 0; i < times; i++)
        bench_meet();
}

/* To a team: its root's dest is filled as well. */
COLLECTIVE(broadcast_by_hand, {
    (void)from;
    bench_meet();
    bench_copy(to, send_of(0), size);
    bench_meet();
})

COLLECTIVE(broadcast_set_by_hand, {
    (void)from;
    bench_meet();
    if (bench_me != 0)
        bench_copy(to, send_of(0), size);
    bench_meet();
})

COLLECTIVE(collect_by_hand, {
    (void)from;
    bench_meet();
    for (int k = 0, pe = bench_me; k < bench_n; k++, pe = (pe + 1) % bench_n)
        bench_copy(to + (size_t)pe * size, send_of(pe), size);
    bench_meet();
})

COLLECTIVE(alltoall_by_hand, {
    (void)from;
    bench_meet();
    for (int k = 0, pe = bench_me; k < bench_n; k++, pe = (pe + 1) % bench_n)
        bench_copy(to + (size_t)pe * size, send_of(pe) + (size_t)bench_me * size, size);
    bench_meet();
})

/* Each PE combines all of the arrays. */
COLLECTIVE(sum_by_hand, {
    bench_meet();
    loop_sum(to, from, send_of((bench_me + 1) % bench_n), size);
    for (int k = 2; k < bench_n; k++)
        loop_sum(to, to, send_of((bench_me + k) % bench_n), size);
    bench_meet();
})

/* The bytes of a chunk, which stays in the first cache while it is combined and copied. */
#define CHUNK (8 * KIB)

static void combine_chunk(loop *combine, size_t at, size_t bytes)
{
    char *mine = receive_of(bench_me) + at;

    combine(mine, send_of(0) + at, send_of(1) + at, bytes);
    for (int pe = 2; pe < bench_n; pe++)
        combine(mine, mine, send_of(pe) + at, bytes);
    for (int k = 1; k < bench_n; k++)
        bench_copy(receive_of((bench_me + k) % bench_n) + at, mine, bytes);
}

/* Each PE combines a slice for all, which consists of whole cache lines. */
static void combine_slice(loop *combine)
{
    size_t lines = (size + LINE - 1) / LINE, n = (size_t)bench_n;
    size_t length = (lines + n - 1) / n * LINE, at = (size_t)bench_me * length;
    size_t end = at + length < size ? at + length : size;

    bench_meet();
    for (; at < end; at += CHUNK)
        combine_chunk(combine, at, end - at < CHUNK ? end - at : CHUNK);
    bench_meet();
}

#define BY_SLICES(name)                                                                            \
    static void name##_by_slices(long times)                                                       \
    {                                                                                              \
        for (long i = 0; i < times; i++)                                                           \
            combine_slice(loop_##name);                                                            \
    }

BY_SLICES(sum)
BY_SLICES(prod)
BY_SLICES(min)
BY_SLICES(max)
BY_SLICES(and)
BY_SLICES(or)
BY_SLICES(xor)
BY_SLICES(sum_short)
BY_SLICES(sum_int)
BY_SLICES(sum_float)
BY_SLICES(sum_double)
BY_SLICES(max_double)

COLLECTIVE(copy_by_hand, {
    (void)from;
    bench_meet();
    bench_copy(to, send_of((bench_me + 1) % bench_n), size);
    bench_meet();
})

/* ---- rows ---- */

enum spread { ONE, EACH }; /* blocks of a buffer: one; one for each PE */

struct collective {
    struct bench_row row;
    void (*large)(long times); /* by hand beyond 4 KiB, or NULL: as in smaller sizes */
    const char *large_limit;
    enum spread spread;
    bool often;  /* in many sizes */
    bool by_set; /* of all PEs, which no two threads may be in at once */
};

#define ROW(op, kind, fn, by, hand)                                                                \
    .row = {.operation = op, .variant = kind, .all = true, .work = fn, .limit = by, .by_hand = hand}
#define SCAN(op, type, fn)                                                                         \
    ROW(op, type, fn, "exchange, add, exchange", sum_by_hand),                                     \
        .large = copy_by_hand, .large_limit = "exchange, copy, exchange"
#define REDUCTION(op, type, fn)                                                                    \
    ROW(op, type, fn, "exchange, add, exchange", sum_by_hand),                                     \
        .large = fn##_by_slices, .large_limit = "exchange, a slice for all, exchange"

static const struct bench_row barriers[] = {
    {"barrier_all", "", 0, .all = true, .serial = true, .work = barrier,
     .limit = "hand-written barrier", .by_hand = meet},
    {"sync", "", 0, .all = true, .work = sync_pes, .limit = "hand-written barrier",
     .by_hand = meet},
};

static const struct collective collectives[] = {
    {ROW("broadcast", "", broadcast, "exchange, copy, exchange", broadcast_by_hand), .spread = ONE,
     .often = true},
    {ROW("broadcast by active set", "", broadcast_set, "exchange, copy, exchange",
         broadcast_set_by_hand),
     .spread = ONE, .often = true, .by_set = true},
    {ROW("collect", "", collect, "exchange, copies, exchange", collect_by_hand), .spread = EACH,
     .often = true},
    {ROW("fcollect", "", fcollect, "exchange, copies, exchange", collect_by_hand), .spread = EACH,
     .often = true},
    {ROW("alltoall", "", alltoall, "exchange, copies, exchange", alltoall_by_hand), .spread = EACH,
     .often = true},
    {ROW("alltoalls", "", alltoalls, "exchange, copies, exchange", alltoall_by_hand),
     .spread = EACH, .often = false},
    {REDUCTION("sum", "long", sum), .spread = ONE, .often = true},
    {REDUCTION("prod", "long", prod), .spread = ONE, .often = false},
    {REDUCTION("min", "long", min), .spread = ONE, .often = false},
    {REDUCTION("max", "long", max), .spread = ONE, .often = false},
    {REDUCTION("and", "ulong", and), .spread = ONE, .often = false},
    {REDUCTION("or", "ulong", or), .spread = ONE, .often = false},
    {REDUCTION("xor", "ulong", xor), .spread = ONE, .often = false},
    {REDUCTION("sum", "short", sum_short), .spread = ONE, .often = false},
    {REDUCTION("sum", "int", sum_int), .spread = ONE, .often = false},
    {REDUCTION("sum", "float", sum_float), .spread = ONE, .often = false},
    {REDUCTION("sum", "double", sum_double), .spread = ONE, .often = false},
    {REDUCTION("max", "double", max_double), .spread = ONE, .often = false},
#if BENCH_API >= 106
    {SCAN("inscan", "long", inscan), .spread = ONE, .often = false},
    {SCAN("exscan", "long", exscan), .spread = ONE, .often = false},
#endif
};

static const size_t sizes[] = {8,         64,        512,     4 * KIB, 32 * KIB,
                               128 * KIB, 512 * KIB, 2 * MIB, LARGEST};
static const size_t few_sizes[] = {8, 4 * KIB, 512 * KIB};

/* What the buffers can't hold is left out. */
static bool fits(enum spread spread, size_t bytes)
{
    return bytes * (spread == ONE ? 1 : (size_t)bench_n) + MARGIN <= part;
}

static void measure(const struct collective *c)
{
    const size_t *list = c->often ? sizes : few_sizes;
    size_t n = c->often ? sizeof sizes / sizeof *sizes : sizeof few_sizes / sizeof *few_sizes;

    for (size_t i = 0; i < n && fits(c->spread, list[i]); i++) {
        struct bench_row row = c->row;

        row.bytes = size = list[i];
        longs = size / sizeof(long);
        if (size > 4 * KIB && c->large) {
            row.limit = c->large_limit;
            row.by_hand = c->large;
        }
        if (BENCH_API < 105 || c->by_set)
            row.serial = true;
        bench_measure(&row);
    }
}

/* A thread's collectives need a team of its own. */
static void make_teams(void)
{
    for (int k = 0; k < SYNCS; k++)
        for (size_t i = 0; i < sizeof *psync / sizeof **psync; i++)
            psync[k][i] = SHMEM_SYNC_VALUE;
#if BENCH_API >= 105
    for (int i = 0; i < BENCH_THREADS; i++)
        if (bench_team || bench_threads > 1)
            shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, bench_n, NULL, 0, &teams[i]);
        else
            teams[i] = SHMEM_TEAM_WORLD;
#else
    work_space = bench_alloc(LARGEST / 2 + 8 * SHMEM_REDUCE_MIN_WRKDATA_SIZE);
#endif
}

static void make_buffers(void)
{
    size_t each = room / (size_t)bench_n / (size_t)bench_threads / 2;
    size_t most = LARGEST * (size_t)bench_n;

    part = (each < most ? each : most) / LINE * LINE + MARGIN;
    send = bench_alloc(part * (size_t)bench_threads);
    receive = bench_alloc(part * (size_t)bench_threads);
    send += LINE - (uintptr_t)send % LINE + (bench_unaligned ? 8 : 0);
    receive += LINE - (uintptr_t)receive % LINE + (bench_unaligned ? 24 : 0);
    for (int pe = 0; pe < bench_n && pe < MOST_PES; pe++) {
        their_send[pe] = bench_peer(send, pe);
        their_receive[pe] = bench_peer(receive, pe);
    }
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "coll");
    make_teams();
    make_buffers();
    shmem_barrier_all();
    for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++)
        bench_measure(&barriers[i]);
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
        if (!(collectives[i].by_set && bench_team))
            measure(&collectives[i]);
    bench_end();
    return 0;
}
