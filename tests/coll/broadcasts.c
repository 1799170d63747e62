/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Consecutive broadcasts without other synchronization: roots run ahead of late members, and reuse
 * their source at once.
 */
#include "harness/check.h"
#include "harness/oracle.h"
#include "team/shapes.h"

#include <sched.h>
#include <stdlib.h>

/* All have a dest of their own, as nothing tells when others are done with theirs. */
#define CALLS 120
#define LARGE 1100   /* elements: too long for the stream of broadcasts */
#define STREAMED 600 /* not too long; a batch has room for few */

static long *source, *dests;

/* A member that has lost the processor now and then, each in other calls. */
static void dawdle(const struct shape *shape, int call)
{
    if ((call + shape->my_pe * 7) % 23 == 0)
        for (int i = 0; i < 20; i++)
            sched_yield();
}

static size_t size_of(int pattern, int call)
{
    static const size_t mixed[] = {1, LARGE, 3, 7, 8, 100, STREAMED, 0, 64, STREAMED};

    return pattern == 0   ? 2
           : pattern == 1 ? LARGE
           : pattern == 2 ? STREAMED - (size_t)call % 3
                          : mixed[call % 10];
}

/* One root for all calls, a long run for each root, or another root in each call. */
static int root_of(const struct shape *shape, int order, int call)
{
    if (order == 0)
        return 0;
    return (order == 1 ? call / 20 : call) % shape->n_pes;
}

static void test_run(const struct shape *shape, int pattern, int order, unsigned salt)
{
    check_case("%s, sizes %d, roots %d", shape->name, pattern, order);
    shmem_team_sync(shape->team);
    for (int call = 0; call < CALLS; call++) {
        size_t nelems = size_of(pattern, call);

        dawdle(shape, call);
        ORACLE_FILL(long, source, nelems, check_pe(), salt + (unsigned)call);
        shmem_long_broadcast(shape->team, dests + (size_t)call * LARGE, source, nelems,
                             root_of(shape, order, call));
    }
    for (int call = 0; call < CALLS; call++) {
        const long *dest = dests + (size_t)call * LARGE;
        int root = shape->members[root_of(shape, order, call)];
        size_t nelems = size_of(pattern, call), same = 0;

        while (same < nelems && dest[same] == ORACLE(long, root, same, salt + (unsigned)call))
            same++;
        check(same == nelems, "broadcasts-in-a-row", "%zu of %zu elements of call %d", same, nelems,
              call);
    }
}

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    int n_shapes;

    check_init("coll/broadcasts");
    source = shmem_malloc(LARGE * sizeof(long));
    dests = shmem_malloc((size_t)CALLS * LARGE * sizeof(long));
    n_shapes = shapes_open(shapes);
    for (int s = 0; s < n_shapes; s++)
        for (int run = 0; run < 12 && shapes[s].my_pe >= 0; run++)
            test_run(&shapes[s], run / 3, run % 3, (unsigned)(s * 12 + run) * CALLS);
    shapes_close(shapes, n_shapes);
    shmem_free(dests);
    shmem_free(source);
    return check_finish();
}
