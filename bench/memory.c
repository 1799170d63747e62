/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of symmetric memory, teams and contexts, compared with malloc and hand-written barriers.
 */
#include <stdlib.h>

#include "bench.h"

static size_t size;

static void allocate(long times)
{
    for (long i = 0; i < times; i++)
        shmem_free(shmem_malloc(size));
}

/* Both routines have a barrier in them. */
static void allocate_by_hand(long times)
{
    for (long i = 0; i < times; i++) {
        void *volatile p = malloc(size);

        bench_meet();
        bench_meet();
        free(p);
    }
}

#if BENCH_API >= 105
static void split(long times)
{
    for (long i = 0; i < times; i++) {
        shmem_team_t team;

        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, bench_n, NULL, 0, &team);
        shmem_team_destroy(team);
    }
}

static void split_by_hand(long times)
{
    for (long i = 0; i < times; i++) {
        bench_meet();
        bench_meet();
    }
}
#endif

static void context(long times)
{
    for (long i = 0; i < times; i++) {
        shmem_ctx_t ctx;

        if (shmem_ctx_create(0, &ctx) == 0)
            shmem_ctx_destroy(ctx);
    }
}

static void context_by_hand(long times)
{
    for (long i = 0; i < times; i++) {
        void *volatile p = malloc(256);

        free(p);
    }
}

static const struct bench_row rows[] = {
    {"malloc, free", "", 64, .all = true, .work = allocate,
     .limit = "malloc, two hand-written barriers", .by_hand = allocate_by_hand},
    {"malloc, free", "", 1 * MIB, .all = true, .work = allocate,
     .limit = "malloc, two hand-written barriers", .by_hand = allocate_by_hand},
#if BENCH_API >= 105
    {"team split, destroy", "", 0, .all = true, .work = split, .limit = "two hand-written barriers",
     .by_hand = split_by_hand},
#endif
    {"context create, destroy", "", 0, .work = context, .limit = "malloc, free",
     .by_hand = context_by_hand},
};

int main(int argc, char **argv)
{
    bench_start(argc, argv, "memory");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench_row row = rows[i];

        row.serial = true; /* collective on the world */
        size = row.bytes;
        bench_measure(&row);
    }
    bench_end();
    return 0;
}
