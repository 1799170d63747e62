/* SPDX-License-Identifier: BSD-3-Clause */
/* What applications share: random numbers, their symmetric memory, and the report of a mistake. */
#ifndef BENCH_APPS_ARENA_H
#define BENCH_APPS_ARENA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"

#define MOST_PES 64

/* xorshift64*, from a seed that is not 0. */
static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static inline uint64_t seed_of(int pe)
{
    return UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(pe + 1);
}

static inline void fail(const char *what)
{
    fprintf(stderr, "PE %d: wrong result: %s\n", bench_me, what);
    shmem_global_exit(1);
}

/* All symmetric data is in one block, so its places at the PEs lead from address to address. */
#define ARENA (24 * MIB)

static char *arena;
static size_t used;

static inline void *take(size_t bytes)
{
    void *p = arena + used;

    used += (bytes + 127) & ~(size_t)127;
    if (used > ARENA)
        fail("no room");
    return p;
}

/* All of it zero again, before the next application. */
static inline void clear_arena(void)
{
    memset(arena, 0, used);
    used = 0;
}

#endif
