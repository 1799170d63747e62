/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier and sync: which PEs wait, and what is complete afterwards. */
#include "harness/check.h"
#include "harness/oracle.h"
#include "team/shapes.h"

#define ROUNDS 30

static long arrivals[MAX_SHAPES], mailbox, letters[2][4], sum;

/* Nobody leaves round r before every member has arrived in it. */
static void test_waits(const struct shape *shape, int index)
{
    check_case("%s", shape->name);
    for (int round = 1; round <= ROUNDS; round++) {
        long expected = (long)round * shape->n_pes, seen;

        shmem_long_atomic_fetch_inc(&arrivals[index], shape->members[0]);
        check_equal(shmem_team_sync(shape->team), 0, "sync-returns-0");
        seen = shmem_long_atomic_fetch(&arrivals[index], shape->members[0]);
        check(seen >= expected, "sync-waits-for-all", "%ld of %ld arrivals in round %d", seen,
              expected, round);
    }
}

/* Own stores, and those through a pointer from shmem_team_ptr, are there after the sync. */
static void test_completes_stores(const struct shape *shape)
{
    int n = shape->n_pes, next = (shape->my_pe + 1) % n;
    long *remote = shmem_team_ptr(shape->team, &letters[0][0], next);
    /* Who can be reached that way reaches others too. */
    bool reached = shmem_team_ptr(shape->team, &letters[0][0], (shape->my_pe + n - 1) % n) != NULL;

    check_case("%s", shape->name);
    /* The next one may still be looking at what it got through another team. */
    shmem_team_sync(shape->team);
    for (int round = 0; round < ROUNDS; round++) {
        long expected = ORACLE(long, shape->members[next], round, 1), stored = round * 3;

        mailbox = ORACLE(long, check_pe(), round, 1);
        if (remote)
            *remote = stored;
        shmem_team_sync(shape->team);
        check_equal(shmem_long_g(&mailbox, shape->members[next]), expected, "sync-shows-stores");
        if (reached)
            check_equal(letters[0][0], stored, "sync-shows-stores");
        shmem_team_sync(shape->team);
    }
}

static void test_barrier_all(void)
{
    int me = check_pe(), n = check_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;

    check_case("barrier_all");
    letters[0][3] = letters[1][3] = sum = 0;
    shmem_barrier_all();
    for (long round = 1; round <= ROUNDS; round++) {
        /* A neighbour may be one barrier ahead, no more: two rows suffice. */
        long *row = letters[round & 1], nbi = round + me;

        shmem_long_p(&row[0], round * 100 + me, next);
        shmem_long_put(&row[1], &nbi, 1, next);
        shmem_long_put_nbi(&row[2], &nbi, 1, next);
        shmem_long_atomic_add(&row[3], round, next);
        shmem_long_atomic_inc(&sum, 0);
        shmem_barrier_all();
        check_equal(row[0], round * 100 + before, "barrier-quiets");
        check_equal(row[1], round + before, "barrier-quiets");
        check_equal(row[2], round + before, "barrier-quiets");
        if (me == 0)
            check(sum >= round * n, "barrier-waits-for-all", "%ld of %ld", sum, round * n);
    }
    shmem_barrier_all();
    check_equal(sum, me == 0 ? (long)ROUNDS * n : 0, "barrier-waits-for-all");
    check_equal(letters[0][3] + letters[1][3], (long)ROUNDS * (ROUNDS + 1) / 2, "barrier-quiets");
}

static void test_sync_all(void)
{
    int next = (check_pe() + 1) % check_n_pes();

    check_case("sync_all");
    for (long round = 1; round <= ROUNDS; round++) {
        mailbox = ORACLE(long, check_pe(), round, 2);
        shmem_sync_all();
        check_equal(shmem_long_g(&mailbox, next), ORACLE(long, next, round, 2), "sync-all");
        shmem_sync_all();
    }
}

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    int n_shapes;

    check_init("coll/sync");
    n_shapes = shapes_open(shapes);
    for (int s = 0; s < n_shapes; s++) {
        if (shapes[s].my_pe < 0)
            continue;
        test_waits(&shapes[s], s);
        test_completes_stores(&shapes[s]);
    }
    shmem_barrier_all();
    for (int s = 0; s < n_shapes; s++)
        if (shapes[s].my_pe == 0)
            check_equal(arrivals[s], (long)ROUNDS * shapes[s].n_pes, "sync-waits-for-all");
    test_barrier_all();
    test_sync_all();
    shapes_close(shapes, n_shapes);
    return check_finish();
}
