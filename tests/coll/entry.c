/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A member's source is not read before the member enters, and may be reused as soon as it returns,
 * however late the other members are.
 */
#include "harness/check.h"
#include "harness/oracle.h"
#include "team/shapes.h"

#include <stdlib.h>
#include <time.h>

#define LARGE 3000

static const size_t sizes[] = {1, 40, LARGE};
#define N_SIZES (sizeof sizes / sizeof sizes[0])

static long *source, *dest, *expected;

/* One member after the other comes late: long enough for the others to be waiting for it. */
static void arrive_late(bool late)
{
    struct timespec start, now;

    if (!late)
        return;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < 120000);
}

static void spoil(long *array, size_t nelems)
{
    for (size_t i = 0; i < nelems; i++)
        array[i] = -1;
}

/* The source holds its values during the call only: wrong ones before and after. */
static void test_source(const struct shape *shape, size_t nelems, int late, unsigned salt)
{
    size_t n = (size_t)shape->n_pes, me = (size_t)shape->my_pe;
    bool am_late = shape->my_pe == late;

    check_case("%s, %zu elements, member %d late", shape->name, nelems, late);

    /* A late root of a broadcast, and one in a hurry. */
    for (int root = 0; root<shape->n_pes; root += shape->n_pes> 1 ? shape->n_pes - 1 : 1) {
        spoil(source, nelems);
        shmem_team_sync(shape->team);
        arrive_late(am_late);
        ORACLE_FILL(long, source, nelems, check_pe(), salt);
        shmem_long_broadcast(shape->team, dest, source, nelems, root);
        spoil(source, nelems);
        ORACLE_FILL(long, expected, nelems, shape->members[root], salt);
        check_array(dest, expected, nelems, "broadcast-source");
    }

    spoil(source, nelems);
    shmem_team_sync(shape->team);
    arrive_late(am_late);
    ORACLE_FILL(long, source, nelems, check_pe(), salt);
    shmem_long_fcollect(shape->team, dest, source, nelems);
    spoil(source, nelems);
    for (size_t m = 0; m < n; m++)
        ORACLE_FILL(long, expected + m * nelems, nelems, shape->members[m], salt);
    check_array(dest, expected, n * nelems, "fcollect-source");

    spoil(source, nelems);
    shmem_team_sync(shape->team);
    arrive_late(am_late);
    ORACLE_FILL(long, source, nelems, check_pe(), salt);
    shmem_long_collect(shape->team, dest, source, nelems);
    spoil(source, nelems);
    check_array(dest, expected, n * nelems, "collect-source");

    spoil(source, n * nelems);
    shmem_team_sync(shape->team);
    arrive_late(am_late);
    ORACLE_FILL(long, source, n *nelems, check_pe(), salt);
    shmem_long_alltoall(shape->team, dest, source, nelems);
    spoil(source, n * nelems);
    for (size_t m = 0; m < n; m++)
        for (size_t i = 0; i < nelems; i++)
            expected[m * nelems + i] = ORACLE(long, shape->members[m], me *nelems + i, salt);
    check_array(dest, expected, n * nelems, "alltoall-source");

    spoil(source, n * nelems);
    shmem_team_sync(shape->team);
    arrive_late(am_late);
    ORACLE_FILL(long, source, n *nelems, check_pe(), salt);
    shmem_long_alltoalls(shape->team, dest, source, 1, 1, nelems);
    spoil(source, n * nelems);
    check_array(dest, expected, n * nelems, "alltoalls-source");

    spoil(source, nelems);
    shmem_team_sync(shape->team);
    arrive_late(am_late);
    for (size_t i = 0; i < nelems; i++)
        source[i] = check_pe() + (long)i;
    shmem_long_max_reduce(shape->team, dest, source, nelems);
    spoil(source, nelems);
    for (size_t i = 0; i < nelems; i++) {
        expected[i] = 0;
        for (size_t m = 0; m < n; m++)
            if (shape->members[m] + (long)i > expected[i])
                expected[i] = shape->members[m] + (long)i;
    }
    check_array(dest, expected, nelems, "reduce-source");

    spoil(source, nelems);
    shmem_team_sync(shape->team);
    arrive_late(am_late);
    for (size_t i = 0; i < nelems; i++)
        source[i] = check_pe() + (long)i;
    shmem_long_sum_inscan(shape->team, dest, source, nelems);
    spoil(source, nelems);
    for (size_t i = 0; i < nelems; i++) {
        expected[i] = 0;
        for (size_t m = 0; m <= me; m++)
            expected[i] += shape->members[m] + (long)i;
    }
    check_array(dest, expected, nelems, "scan-source");
}

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    size_t nbytes;
    int n_shapes;

    check_init("coll/entry");
    nbytes = (size_t)check_n_pes() * LARGE * sizeof(long);
    source = shmem_malloc(nbytes);
    dest = shmem_malloc(nbytes);
    expected = malloc(nbytes);
    n_shapes = shapes_open(shapes);
    for (int s = 0; s < n_shapes; s++) {
        if (shapes[s].my_pe < 0)
            continue;
        /* The first, the middle and the last one. */
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; i < N_SIZES; i++)
                test_source(&shapes[s], sizes[i], k * (shapes[s].n_pes - 1) / 2,
                            (unsigned)(100 * s + 10 * k) + (unsigned)i);
    }
    shapes_close(shapes, n_shapes);
    free(expected);
    shmem_free(dest);
    shmem_free(source);
    return check_finish();
}
