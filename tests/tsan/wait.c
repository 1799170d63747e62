/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting for and testing any, some and all of many flags: a PE that sees a flag sees the flag's
 * data.
 */
#include "tsan/pes.h"

/*
 * Everybody sends data to everybody and raises there a flag of the sender's own, by put, p or AMO;
 * who has seen a flag reads its data at once.
 */
enum { ROUNDS = 4000, WAYS = 6, MOST = 64 };

struct box {
    long flags[MOST], data[MOST];
    long taken; /* of what this PE has sent, by all others together */
};

static void send(struct box *box, int me, int to, long round)
{
    shmem_long_p(&box->data[me], round * MOST + me, to);
    shmem_fence();
    switch (round % 3) {
    case 0:
        shmem_long_p(&box->flags[me], round, to);
        break;
    case 1:
        shmem_long_put(&box->flags[me], &round, 1, to);
        break;
    default:
        shmem_long_atomic_set(&box->flags[me], round, to);
    }
}

static void take(struct box *box, size_t from, long round, int *seen)
{
    expect(!seen[from], "new", "PE %zu's flag of round %ld was seen before", from, round);
    expect(box->data[from] == round * MOST + (long)from, "data", "PE %zu's data of round %ld: %ld",
           from, round, box->data[from]);
    seen[from] = 1;
    shmem_long_atomic_inc(&box->taken, (int)from);
}

/* What may be found at a time: one, or some. */
static size_t find(struct box *box, size_t n, size_t *indices, const int *seen, long round)
{
    long values[MOST];

    for (size_t i = 0; i < n; i++)
        values[i] = round;
    switch (round % WAYS) {
    case 0:
        return shmem_long_wait_until_some(box->flags, n, indices, seen, SHMEM_CMP_EQ, round);
    case 1:
        return shmem_long_test_some(box->flags, n, indices, seen, SHMEM_CMP_EQ, round);
    case 2:
        return shmem_long_wait_until_some_vector(box->flags, n, indices, seen, SHMEM_CMP_EQ,
                                                 values);
    case 3:
        indices[0] = shmem_long_wait_until_any(box->flags, n, seen, SHMEM_CMP_EQ, round);
        return 1;
    case 4:
        indices[0] = shmem_long_test_any(box->flags, n, seen, SHMEM_CMP_EQ, round);
        return indices[0] != SIZE_MAX;
    default:
        indices[0] = shmem_long_wait_until_any_vector(box->flags, n, seen, SHMEM_CMP_EQ, values);
        return 1;
    }
}

static void receive(struct box *box, size_t n, long round)
{
    size_t indices[MOST], left = n;
    int seen[MOST] = {0};

    if (round % 4 == 0) {
        shmem_long_wait_until_all(box->flags, n, NULL, SHMEM_CMP_EQ, round);
        for (size_t i = 0; i < n; i++)
            take(box, i, round, seen);
        return;
    }
    while (left) {
        size_t found = find(box, n, indices, seen, round);

        for (size_t i = 0; i < found; i++)
            take(box, indices[i], round, seen);
        left -= found;
    }
    expect(shmem_long_test_all(box->flags, n, NULL, SHMEM_CMP_GE, round), "all", "round %ld",
           round);
}

static void body(void)
{
    struct box *box = shmem_calloc(1, sizeof *box);
    int me = shmem_my_pe(), n = shmem_n_pes();
    uint32_t seed = (uint32_t)me;

    for (long round = 1; round <= pes_rounds(ROUNDS); round++) {
        pes_dawdle(&seed, round % 8 ? 1 : 20000);
        for (int i = 1; i <= n; i++)
            send(box, me, (me + i) % n, round);
        receive(box, (size_t)n, round);
        shmem_long_wait_until(&box->taken, SHMEM_CMP_EQ, round * n);
    }
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "tsan/wait", body);
}
