/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of all PEs, and the same work hand-written: a barrier, copying or adding directly
 * from the others' memory, a barrier. A large reduction is compared with one copy of its data,
 * which each reduction needs at least.
 */
#include "bench.h"

#define LARGEST (8 * MIB)
#define MOST_PES 1024
#define LINE 128
#define MARGIN (2 * LINE) /* of a buffer, for where it starts */

/* Of all PEs together, so that any number of them fits on one machine. */
static const size_t room = 256 * MIB;

static char *send, *receive; /* symmetric; a thread has a part of each */
static char *their_send[MOST_PES];
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

BENCH_BY_HAND static void add(long *restrict to, const long *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

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

/* All of it, up to 4 KiB; beyond, no more than one copy. */
COLLECTIVE(sum_by_hand, {
    bench_meet();
    bench_copy(to, from, size);
    for (int k = 1, pe = bench_me; k < bench_n; k++) {
        pe = (pe + 1) % bench_n;
        add((long *)to, (const long *)send_of(pe), longs);
    }
    bench_meet();
})

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
    enum spread spread;
    bool often;  /* in many sizes */
    bool by_set; /* of all PEs, which no two threads may be in at once */
};

#define ROW(op, kind, fn, by, hand)                                                                \
    .row = {.operation = op, .variant = kind, .all = true, .work = fn, .limit = by, .by_hand = hand}
#define REDUCTION(op, type, fn) ROW(op, type, fn, "exchange, add, exchange", sum_by_hand)

static const struct bench_row barriers[] = {
    {"barrier_all", "", 0, .all = true, .serial = true, .work = barrier,
     .limit = "hand-written barrier", .by_hand = meet},
    {"sync", "", 0, .all = true, .work = sync_pes, .limit = "hand-written barrier",
     .by_hand = meet},
};

static const struct collective collectives[] = {
    {ROW("broadcast", "", broadcast, "exchange, copy, exchange", broadcast_by_hand), ONE, true},
    {ROW("broadcast by active set", "", broadcast_set, "exchange, copy, exchange",
         broadcast_set_by_hand),
     ONE, true, .by_set = true},
    {ROW("collect", "", collect, "exchange, copies, exchange", collect_by_hand), EACH, true},
    {ROW("fcollect", "", fcollect, "exchange, copies, exchange", collect_by_hand), EACH, true},
    {ROW("alltoall", "", alltoall, "exchange, copies, exchange", alltoall_by_hand), EACH, true},
    {ROW("alltoalls", "", alltoalls, "exchange, copies, exchange", alltoall_by_hand), EACH, false},
    {REDUCTION("sum", "long", sum), ONE, true},
    {REDUCTION("prod", "long", prod), ONE, false},
    {REDUCTION("min", "long", min), ONE, false},
    {REDUCTION("max", "long", max), ONE, false},
    {REDUCTION("and", "ulong", and), ONE, false},
    {REDUCTION("or", "ulong", or), ONE, false},
    {REDUCTION("xor", "ulong", xor), ONE, false},
    {REDUCTION("sum", "short", sum_short), ONE, false},
    {REDUCTION("sum", "int", sum_int), ONE, false},
    {REDUCTION("sum", "float", sum_float), ONE, false},
    {REDUCTION("sum", "double", sum_double), ONE, false},
    {REDUCTION("max", "double", max_double), ONE, false},
#if BENCH_API >= 106
    {REDUCTION("inscan", "long", inscan), ONE, false},
    {REDUCTION("exscan", "long", exscan), ONE, false},
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
        if (size > 4 * KIB && row.by_hand == sum_by_hand) {
            row.limit = "exchange, copy, exchange";
            row.by_hand = copy_by_hand;
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
    for (int pe = 0; pe < bench_n && pe < MOST_PES; pe++)
        their_send[pe] = bench_peer(send, pe);
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
