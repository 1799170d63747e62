/* SPDX-License-Identifier: BSD-3-Clause */
/* Every family of collectives on teams, with arguments that the caller's plain code uses at once.
 */
#include <string.h>

#include "harness/oracle.h"
#include "tsan/pes.h"

/*
 * In a burst each family is called once, without synchronization between: a member may be several
 * calls ahead. As soon as a call returns its source is changed; at the end the results are read. An
 * edge that a collective does not provide is a race between plain accesses.
 */
enum { STRIDE = 2, LARGEST = 9000, BURSTS = 3 };

struct call {
    shmem_team_t team;
    int me, n;
    size_t nelems;
    unsigned salt;
    uint64_t *source, *dest;
};

static uint64_t element(const struct call *c, int member, size_t i)
{
    return oracle_bits(member, i, c->salt);
}

static int root_of(const struct call *c)
{
    return (int)(c->salt % (unsigned)c->n);
}

/* Each member stores to the next one's dest by itself; sync makes that known. */
static void call_sync(const struct call *c)
{
    uint64_t *next = shmem_team_ptr(c->team, c->dest, (c->me + 1) % c->n);

    memcpy(next, c->source, c->nelems * sizeof *next);
    shmem_team_sync(c->team);
}

static uint64_t expect_sync(const struct call *c, size_t i)
{
    return element(c, (c->me + c->n - 1) % c->n, i);
}

static void call_broadcast(const struct call *c)
{
    shmem_uint64_broadcast(c->team, c->dest, c->source, c->nelems, root_of(c));
}

static uint64_t expect_broadcast(const struct call *c, size_t i)
{
    return element(c, root_of(c), i);
}

/* Odd members give one element less. */
static size_t collected(const struct call *c, int member)
{
    return c->nelems - (size_t)(member % 2);
}

static void call_collect(const struct call *c)
{
    shmem_uint64_collect(c->team, c->dest, c->source, collected(c, c->me));
}

static uint64_t expect_collect(const struct call *c, size_t i)
{
    int member = 0;

    while (member < c->n && i >= collected(c, member))
        i -= collected(c, member++);
    return member < c->n ? element(c, member, i) : 0;
}

static void call_fcollect(const struct call *c)
{
    shmem_uint64_fcollect(c->team, c->dest, c->source, c->nelems);
}

static uint64_t expect_fcollect(const struct call *c, size_t i)
{
    return element(c, (int)(i / c->nelems), i % c->nelems);
}

static void call_alltoall(const struct call *c)
{
    shmem_uint64_alltoall(c->team, c->dest, c->source, c->nelems);
}

static uint64_t expect_alltoall(const struct call *c, size_t i)
{
    return element(c, (int)(i / c->nelems), (size_t)c->me * c->nelems + i % c->nelems);
}

static void call_alltoalls(const struct call *c)
{
    shmem_uint64_alltoalls(c->team, c->dest, c->source, STRIDE, STRIDE, c->nelems);
}

static uint64_t expect_alltoalls(const struct call *c, size_t i)
{
    size_t k = i / STRIDE;

    if (i % STRIDE)
        return 0;
    return element(c, (int)(k / c->nelems), ((size_t)c->me * c->nelems + k % c->nelems) * STRIDE);
}

#define REDUCTION(name, identity, combine)                                                         \
    static void call_##name(const struct call *c)                                                  \
    {                                                                                              \
        shmem_uint64_##name##_reduce(c->team, c->dest, c->source, c->nelems);                      \
    }                                                                                              \
                                                                                                   \
    static uint64_t expect_##name(const struct call *c, size_t i)                                  \
    {                                                                                              \
        uint64_t a = identity, b;                                                                  \
                                                                                                   \
        for (int member = 0; member < c->n; member++) {                                            \
            b = element(c, member, i);                                                             \
            a = combine;                                                                           \
        }                                                                                          \
        return a;                                                                                  \
    }

REDUCTION(and, UINT64_MAX, a &b)
REDUCTION(or, 0, a | b)
REDUCTION(xor, 0, a ^ b)
REDUCTION(max, 0, a > b ? a : b)
REDUCTION(min, UINT64_MAX, a < b ? a : b)
REDUCTION(sum, 0, a + b)
REDUCTION(prod, 1, a *b)

static void call_sum_in_place(const struct call *c)
{
    memcpy(c->dest, c->source, c->nelems * sizeof *c->dest);
    shmem_uint64_sum_reduce(c->team, c->dest, c->dest, c->nelems);
}

static uint64_t sum_below(const struct call *c, int end, size_t i)
{
    uint64_t sum = 0;

    for (int member = 0; member < end; member++)
        sum += element(c, member, i);
    return sum;
}

static void call_inscan(const struct call *c)
{
    shmem_uint64_sum_inscan(c->team, c->dest, c->source, c->nelems);
}

static uint64_t expect_inscan(const struct call *c, size_t i)
{
    return sum_below(c, c->me + 1, i);
}

static void call_exscan(const struct call *c)
{
    shmem_uint64_sum_exscan(c->team, c->dest, c->source, c->nelems);
}

static uint64_t expect_exscan(const struct call *c, size_t i)
{
    return sum_below(c, c->me, i);
}

/* One block in source or dest, or one for each member; apart by STRIDE in alltoalls. */
enum shape { ONE_TO_ONE, ONE_TO_ALL, ALL_TO_ALL, ALL_TO_ALL_STRIDED };

static const struct family {
    const char *name;
    void (*call)(const struct call *c);
    uint64_t (*expected)(const struct call *c, size_t i);
    enum shape shape;
} families[] = {
    {"sync", call_sync, expect_sync, ONE_TO_ONE},
    {"broadcast", call_broadcast, expect_broadcast, ONE_TO_ONE},
    {"collect", call_collect, expect_collect, ONE_TO_ALL},
    {"fcollect", call_fcollect, expect_fcollect, ONE_TO_ALL},
    {"alltoall", call_alltoall, expect_alltoall, ALL_TO_ALL},
    {"alltoalls", call_alltoalls, expect_alltoalls, ALL_TO_ALL_STRIDED},
    {"and", call_and, expect_and, ONE_TO_ONE},
    {"or", call_or, expect_or, ONE_TO_ONE},
    {"xor", call_xor, expect_xor, ONE_TO_ONE},
    {"max", call_max, expect_max, ONE_TO_ONE},
    {"min", call_min, expect_min, ONE_TO_ONE},
    {"sum", call_sum, expect_sum, ONE_TO_ONE},
    {"prod", call_prod, expect_prod, ONE_TO_ONE},
    {"sum in place", call_sum_in_place, expect_sum, ONE_TO_ONE},
    {"inscan", call_inscan, expect_inscan, ONE_TO_ONE},
    {"exscan", call_exscan, expect_exscan, ONE_TO_ONE},
};

enum { FAMILIES = sizeof families / sizeof *families };

static size_t blocks(const struct call *c, bool all, enum shape shape)
{
    return c->nelems * (all ? (size_t)c->n : 1) * (shape == ALL_TO_ALL_STRIDED ? STRIDE : 1);
}

static size_t source_length(const struct call *c, enum shape shape)
{
    return blocks(c, shape >= ALL_TO_ALL, shape);
}

static size_t dest_length(const struct call *c, enum shape shape)
{
    return blocks(c, shape >= ONE_TO_ALL, shape);
}

static void check_dest(const struct call *c, const struct family *family)
{
    for (size_t i = 0; i < dest_length(c, family->shape); i++) {
        uint64_t expected = family->expected(c, i);

        expect(c->dest[i] == expected, family->name,
               "%zu elements: dest[%zu] is %llx, expected %llx", c->nelems, i,
               (unsigned long long)c->dest[i], (unsigned long long)expected);
    }
}

/* The arrays of the families lie one behind the other, at the same places on all PEs. */
static void burst(struct call c, uint64_t *sources, uint64_t *dests)
{
    struct call calls[FAMILIES];
    unsigned salt = c.salt * FAMILIES;

    for (int f = 0; f < FAMILIES; f++) {
        const struct family *family = &families[f];
        size_t length = source_length(&c, family->shape);

        c.salt = salt + (unsigned)f;
        c.source = sources;
        c.dest = dests;
        calls[f] = c;
        for (size_t i = 0; i < length; i++)
            c.source[i] = element(&c, c.me, i);
        family->call(&c);
        memset(c.source, 0xa5, length * sizeof *c.source);
        sources += length;
        dests += dest_length(&c, family->shape);
    }
    for (int f = 0; f < FAMILIES; f++) {
        check_dest(&calls[f], &families[f]);
        memset(calls[f].dest, 0, dest_length(&c, families[f].shape) * sizeof *c.dest);
    }
    shmem_team_sync(c.team); /* everyone's dest may be written again */
}

/* What travels in cells, what no longer does, pages, and slices of more than a chunk. */
static const size_t sizes[] = {1, 6, 7, 8, 512, LARGEST};

static void play(shmem_team_t team, uint64_t *sources, uint64_t *dests)
{
    struct call c = {.team = team};

    if (team == SHMEM_TEAM_INVALID)
        return;
    c.me = shmem_team_my_pe(team);
    c.n = shmem_team_n_pes(team);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int b = 0; b < (sizes[s] == LARGEST ? 1 : BURSTS); b++) {
            c.nelems = sizes[s] == LARGEST ? LARGEST / (size_t)c.n : sizes[s];
            c.salt++;
            burst(c, sources, dests);
        }
}

static void body(void)
{
    int n = shmem_n_pes();
    size_t most = 32 * (size_t)(LARGEST > 512 * n ? LARGEST : 512 * n);
    uint64_t *sources = shmem_calloc(most, sizeof *sources);
    uint64_t *dests = shmem_calloc(most, sizeof *dests);
    shmem_team_t even, reversed;

    expect(sources && dests, "memory", "no %zu elements", most);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &even);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &reversed);
    play(SHMEM_TEAM_WORLD, sources, dests);
    play(even, sources, dests);
    shmem_barrier_all();
    play(reversed, sources, dests);
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "tsan/coll", body);
}
