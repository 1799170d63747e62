/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The phase of collectives: random ones on the world and on random teams. Each team is served by
 * one of the PE's threads, which calls the team's collectives one after the other. What a member
 * contributes is a function of its PE and of the collective's number.
 */
#include <stdlib.h>
#include <string.h>

#include "crew.h"
#include "report.h"

enum { BATCH = 4, BLOCK = 96 * 1024, TEAMS = 4 };

enum what { SYNC, BARRIER, BROADCAST, COLLECT, FCOLLECT, ALLTOALL, ALLTOALLS, REDUCE, SCAN, WHATS };

/* The members: number i is PE first + i * stride. */
struct team {
    shmem_team_t team;
    int first, stride, size;
};

struct collective {
    enum what what;
    int team, root;
    unsigned type, op;
    size_t nelems; /* of each member, but for COLLECT */
    ptrdiff_t dst, sst;
    uint64_t value;
};

static struct team teams[TEAMS];
static unsigned char *dests[BATCH], *sources[BATCH];
static size_t room; /* of each */

static struct collective batch[BATCH];
static unsigned batch_number; /* of its first collective */
static int threads;

static int rank_in(const struct team *team)
{
    int rank = (soak_me - team->first) / team->stride;

    return team->team == SHMEM_TEAM_INVALID ? -1 : rank;
}

static int world_pe(const struct team *team, int rank)
{
    return team->first + rank * team->stride;
}

/* ---- teams ---- */

static void split_strided(struct draw *draw, struct team *team)
{
    int n = soak_n_pes, start = (int)draw_below(draw, (uint64_t)n);
    int stride = 1 + (int)draw_below(draw, 3), most = (n - 1 - start) / stride + 1;

    *team =
        (struct team){SHMEM_TEAM_INVALID, start, stride, 1 + (int)draw_below(draw, (uint64_t)most)};
    expect(!shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, team->size, NULL, 0,
                                     &team->team),
           "no team of %d PEs from %d on by %d", team->size, start, stride);
}

/* Columns of the last row may be missing. */
static void split_2d(struct draw *draw, struct team *x, struct team *y)
{
    int n = soak_n_pes, width = 1 + (int)draw_below(draw, (uint64_t)n);
    int row = soak_me / width, column = soak_me % width;

    *x = (struct team){SHMEM_TEAM_INVALID, row * width, 1,
                       n - row * width < width ? n - row * width : width};
    *y = (struct team){SHMEM_TEAM_INVALID, column, width, (n - column + width - 1) / width};
    expect(!shmem_team_split_2d(SHMEM_TEAM_WORLD, width, NULL, 0, &x->team, NULL, 0, &y->team),
           "no teams of rows and columns, %d wide", width);
}

static void split_all(struct draw *draw)
{
    teams[0] = (struct team){SHMEM_TEAM_WORLD, 0, 1, soak_n_pes};
    split_strided(draw, &teams[1]);
    split_2d(draw, &teams[2], &teams[3]);
}

static void destroy_all(void)
{
    for (int i = 1; i < TEAMS; i++)
        shmem_team_destroy(teams[i].team);
}

/* ---- data ---- */

/* Small, so that floating-point sums of them are exact. */
static uint64_t datum(const struct collective *c, int pe, size_t i)
{
    return draw_mix(c->value + (uint64_t)pe * 131071 + i) >> 40;
}

/* clang-format off */
#define EACH_TYPE(X) \
    X(0, uint8, uint8_t) X(1, uint32, uint32_t) X(2, uint64, uint64_t) X(3, double, double) \
    X(4, short, short)
#define EACH_BITWISE(X) X(0, uint8, uint8_t) X(1, uint32, uint32_t) X(2, uint64, uint64_t)
#define EACH_SUM(X) EACH_BITWISE(X) X(3, double, double)
/* clang-format on */
enum { TYPES = 5, BITWISE = 3, SUMS = 4 };

static const size_t sizes[TYPES] = {1, 4, 8, 8, 2};

#define CASE_FILL(number, name, TYPE)                                                              \
    case number:                                                                                   \
        for (size_t i = 0; i < n; i++)                                                             \
            ((TYPE *)to)[(ptrdiff_t)i * stride] = (TYPE)datum(c, pe, at + i);                      \
        break;

/* Elements `at` to at + n - 1 of what a PE contributes. */
static void fill(const struct collective *c, void *to, ptrdiff_t stride, int pe, size_t at,
                 size_t n)
{
    switch (c->type) {
        EACH_TYPE(CASE_FILL)
    }
}

/* ---- the calls ---- */

/* The numbers of elements differ from PE to PE. */
static size_t nelems_of(const struct collective *c, int pe)
{
    return c->what == COLLECT ? draw_mix(c->value + (uint64_t)pe) % (c->nelems + 1) : c->nelems;
}

#define CASE_MOVE(number, name, TYPE)                                                              \
    case number:                                                                                   \
        if (c->what == BROADCAST)                                                                  \
            return shmem_##name##_broadcast(team, dest, source, n, c->root);                       \
        if (c->what == COLLECT)                                                                    \
            return shmem_##name##_collect(team, dest, source, n);                                  \
        if (c->what == FCOLLECT)                                                                   \
            return shmem_##name##_fcollect(team, dest, source, n);                                 \
        if (c->what == ALLTOALL)                                                                   \
            return shmem_##name##_alltoall(team, dest, source, n);                                 \
        return shmem_##name##_alltoalls(team, dest, source, c->dst, c->sst, n);

static int move(const struct collective *c, shmem_team_t team, void *dest, const void *source,
                size_t n)
{
    switch (c->type) {
        EACH_TYPE(CASE_MOVE)
    }
    return 1;
}

enum op { SUM, MIN, MAX, AND, OR, XOR };

#define CASE_BITS(number, name, TYPE)                                                              \
    case number:                                                                                   \
        if (c->op == AND)                                                                          \
            return shmem_##name##_and_reduce(team, dest, source, n);                               \
        if (c->op == OR)                                                                           \
            return shmem_##name##_or_reduce(team, dest, source, n);                                \
        return shmem_##name##_xor_reduce(team, dest, source, n);

#define CASE_REDUCE(number, name, TYPE)                                                            \
    case number:                                                                                   \
        if (c->what == SCAN && c->op % 2)                                                          \
            return shmem_##name##_sum_inscan(team, dest, source, n);                               \
        if (c->what == SCAN)                                                                       \
            return shmem_##name##_sum_exscan(team, dest, source, n);                               \
        if (c->op == SUM)                                                                          \
            return shmem_##name##_sum_reduce(team, dest, source, n);                               \
        if (c->op == MIN)                                                                          \
            return shmem_##name##_min_reduce(team, dest, source, n);                               \
        return shmem_##name##_max_reduce(team, dest, source, n);

static int combine(const struct collective *c, shmem_team_t team, void *dest, const void *source,
                   size_t n)
{
    if (c->what == REDUCE && c->op >= AND) {
        switch (c->type) {
            EACH_BITWISE(CASE_BITS)
        }
        return 1;
    }
    switch (c->type) {
        EACH_SUM(CASE_REDUCE)
    }
    return 1;
}

static int call(const struct collective *c, void *dest, const void *source)
{
    shmem_team_t team = teams[c->team].team;

    if (c->what == BARRIER && c->team == 0) {
        shmem_barrier_all();
        return 0;
    }
    if (c->what == SYNC || c->what == BARRIER)
        return shmem_team_sync(team);
    if (c->what == REDUCE || c->what == SCAN)
        return combine(c, team, dest, source, c->nelems);
    return move(c, team, dest, source, nelems_of(c, soak_me));
}

/* ---- what has to be in dest ---- */

#define COMBINED(TYPE, x, y)                                                                       \
    (c->what == SCAN || c->op == SUM ? (TYPE)((x) + (y))                                           \
     : c->op == MIN                  ? ((x) < (y) ? (x) : (y))                                     \
     : c->op == MAX                  ? ((x) > (y) ? (x) : (y))                                     \
     : c->op == AND                  ? (TYPE)((uint64_t)(x) & (uint64_t)(y))                       \
     : c->op == OR                   ? (TYPE)((uint64_t)(x) | (uint64_t)(y))                       \
                                     : (TYPE)((uint64_t)(x) ^ (uint64_t)(y)))

#define CASE_PREDICT(number, name, TYPE)                                                           \
    case number:                                                                                   \
        for (size_t i = 0; i < c->nelems; i++) {                                                   \
            TYPE value = from <= to ? (TYPE)datum(c, world_pe(team, from), i) : 0;                 \
            for (int rank = from + 1; rank <= to; rank++) {                                        \
                TYPE other = (TYPE)datum(c, world_pe(team, rank), i);                              \
                value = COMBINED(TYPE, value, other);                                              \
            }                                                                                      \
            ((TYPE *)wanted)[i] = value;                                                           \
        }                                                                                          \
        break;

/* The members' elements combined, from one rank to another. */
static void predict_combined(const struct collective *c, const struct team *team, void *wanted)
{
    int from = 0, to = team->size - 1;

    if (c->what == SCAN)
        to = rank_in(team) - (c->op % 2 ? 0 : 1);
    switch (c->type) {
        EACH_SUM(CASE_PREDICT)
    }
}

static void predict_moved(const struct collective *c, const struct team *team,
                          unsigned char *wanted)
{
    size_t size = sizes[c->type], n = c->nelems, at = 0;

    if (c->what == BROADCAST) {
        fill(c, wanted, 1, world_pe(team, c->root), 0, n);
        return;
    }
    for (int rank = 0; rank < team->size; rank++) {
        int pe = world_pe(team, rank);
        size_t mine = c->what == ALLTOALL || c->what == ALLTOALLS ? (size_t)rank_in(team) * n : 0;
        size_t count = nelems_of(c, pe);

        fill(c, wanted + at * size * (size_t)c->dst, c->dst, pe, mine, count);
        at += count;
    }
}

/* All of dest, also what the collective must leave as it was. */
static void check_dest(const struct collective *c, const unsigned char *dest, unsigned number)
{
    unsigned char *wanted = malloc(room);
    const struct team *team = &teams[c->team];
    size_t i = 0;

    expect(wanted != NULL, "no memory");
    memset(wanted, 0xa5, room);
    if (c->what == REDUCE || c->what == SCAN)
        predict_combined(c, team, wanted);
    else if (c->what != SYNC && c->what != BARRIER)
        predict_moved(c, team, wanted);
    while (i < room && dest[i] == wanted[i])
        i++;
    expect(
        i == room,
        "collective %u (kind %d, type %u, operation %u, team %d of %d PEs from %d by %d, root %d, "
        "%zu elements): byte %zu of dest is %#x, expected %#x",
        number, (int)c->what, c->type, c->op, c->team, team->size, team->first, team->stride,
        c->root, c->nelems, i, dest[i], wanted[i]);
    free(wanted);
}

/* ---- the phase ---- */

static size_t draw_nelems(struct draw *draw)
{
    static const uint32_t limits[] = {2, 8, 8, 60, 400, 1500, 6000};

    return 1 + draw_below(draw, limits[draw_below(draw, 7)]);
}

static struct collective draw_collective(struct draw *draw)
{
    struct collective c = {.what = (enum what)draw_below(draw, WHATS), .dst = 1, .sst = 1};

    c.team = (int)draw_below(draw, TEAMS);
    c.nelems = draw_nelems(draw);
    c.value = draw_bits(draw);
    c.op = draw_below(draw, 6);
    c.type = draw_below(draw, c.what != REDUCE && c.what != SCAN ? TYPES
                              : c.what == REDUCE && c.op >= AND  ? BITWISE
                                                                 : SUMS);
    c.root = (int)draw_below(draw, MAX_PES);
    if (c.what == ALLTOALLS) {
        c.dst = 1 + (ptrdiff_t)draw_below(draw, 2);
        c.sst = 1 + (ptrdiff_t)draw_below(draw, 2);
    }
    return c;
}

static size_t source_elements(const struct collective *c)
{
    bool to_each = c->what == ALLTOALL || c->what == ALLTOALLS;

    return to_each ? c->nelems * (size_t)teams[c->team].size : nelems_of(c, soak_me);
}

static void run_collective(const struct collective *c, unsigned i)
{
    unsigned number = batch_number + i;

    expect(!call(c, dests[i], sources[i]), "collective %u failed", number);
    check_dest(c, dests[i], number);
}

/* Those of the thread's teams, in the order of the batch, which is the same on all PEs. */
static void run_share(int thread)
{
    for (unsigned i = 0; i < BATCH; i++) {
        if (batch[i].team % threads != thread || rank_in(&teams[batch[i].team]) < 0)
            continue;
        if (thread == 0)
            report_place("meetings, collective", batch_number + i);
        run_collective(&batch[i], i);
    }
}

/* Every dest is ready at all PEs before the first collective of the batch. */
static void run_batch(struct draw *draw, unsigned number)
{
    batch_number = number;
    for (unsigned i = 0; i < BATCH; i++) {
        struct collective *c = &batch[i];

        *c = draw_collective(draw);
        c->root %= teams[c->team].size; /* the same on all members */
        memset(dests[i], 0xa5, room);
        fill(c, sources[i], c->sst, soak_me, 0, source_elements(c));
    }
    shmem_sync_all();
    crew_run(threads, run_share);
    shmem_sync_all();
}

void soak_meetings(const struct round *round)
{
    struct draw draw = draw_from(round->seed, DRAW_MEETINGS, 0);
    unsigned batches = 1 + draw_below(&draw, 6);

    threads = crew_draw(&draw);
    room = (size_t)soak_n_pes * BLOCK;
    for (int i = 0; i < BATCH; i++) {
        dests[i] = soak_alloc(room);
        sources[i] = soak_alloc(room);
    }
    split_all(&draw);
    for (unsigned i = 0; i < batches; i++)
        run_batch(&draw, i * BATCH);
    destroy_all();
    for (int i = BATCH; i-- > 0;) {
        shmem_free(sources[i]);
        shmem_free(dests[i]);
    }
    soak_count(batches * BATCH);
}
