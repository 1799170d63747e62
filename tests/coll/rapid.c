/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small collectives in rapid succession, with only a check of the result between them: a PE that is
 * one call ahead must not overwrite what another is still reading.
 */
#include "harness/check.h"
#include "team/shapes.h"

#define LAPS 700

static long source[2], *dest;

/* Each call of a lap has its own dest: nobody is a whole lap ahead. */
static void test_laps(const struct shape *shape)
{
    long n = shape->n_pes, me = shape->my_pe, wrong = 0;

    check_case("%s", shape->name);
    for (long lap = 0; lap < LAPS; lap++) {
        source[0] = lap * 1000 + me;
        shmem_long_fcollect(shape->team, dest, source, 1);
        for (long m = 0; m < n; m++)
            wrong += dest[m] != lap * 1000 + m;
        source[0] = lap + me;
        shmem_long_sum_reduce(shape->team, dest + n, source, 1);
        wrong += dest[n] != lap * n + n * (n - 1) / 2;
        source[0] = lap - me;
        shmem_long_sum_inscan(shape->team, dest + n + 1, source, 1);
        wrong += dest[n + 1] != lap * (me + 1) - me * (me + 1) / 2;
    }
    check(wrong == 0, "rapid-collectives", "%ld wrong results", wrong);
}

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    int n_shapes;

    check_init("coll/rapid");
    dest = shmem_malloc(((size_t)check_n_pes() + 2) * sizeof(long));
    n_shapes = shapes_open(shapes);
    for (int s = 0; s < n_shapes; s++) {
        if (shapes[s].my_pe >= 0)
            test_laps(&shapes[s]);
        shmem_barrier_all();
    }
    shapes_close(shapes, n_shapes);
    shmem_free(dest);
    return check_finish();
}
