/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts, gets and atomics by four threads of each PE at once: on the default context, on a shared
 * one, and on private ones.
 */
#include "harness/oracle.h"
#include "threads/crew.h"

#define NELEMS 400
#define ROUNDS 30

static long landing[3][CREW][NELEMS], counters[CREW], everyone, cells[CREW][CREW];
static long returned[CREW];
static shmem_ctx_t shared_ctx, private_ctxs[CREW];

static unsigned salt_of(int way, int thread, int round)
{
    return (unsigned)(way * 1000 + thread * 100 + round);
}

/* Thread t of this PE writes to the rows of thread t on the next PE, and reads them back. */
static void put_and_get(int way, shmem_ctx_t ctx, int thread)
{
    int me = check_pe(), next = (me + 1) % check_n_pes();
    long source[NELEMS], back[NELEMS];

    for (int round = 0; round < ROUNDS; round++) {
        ORACLE_FILL(long, source, NELEMS, me, salt_of(way, thread, round));
        if (round % 2)
            shmem_ctx_long_put_nbi(ctx, landing[way][thread], source, NELEMS, next);
        else
            shmem_ctx_long_put(ctx, landing[way][thread], source, NELEMS, next);
        shmem_ctx_quiet(ctx);
        if (round % 3)
            shmem_ctx_long_get(ctx, back, landing[way][thread], NELEMS, next);
        else
            shmem_ctx_long_get_nbi(ctx, back, landing[way][thread], NELEMS, next);
        shmem_ctx_quiet(ctx);
        check_array(back, source, NELEMS, "puts-and-gets");
    }
}

static void access_all_ways(int thread)
{
    int n = check_n_pes();
    long last;

    put_and_get(0, SHMEM_CTX_DEFAULT, thread);
    put_and_get(1, shared_ctx, thread);
    put_and_get(2, private_ctxs[thread], thread);

    for (int round = 0; round < 200; round++) {
        int pe = (check_pe() + round) % n;

        shmem_long_atomic_inc(&everyone, pe);
        shmem_ctx_long_atomic_add(shared_ctx, &counters[round % CREW], 3, pe);
        returned[thread] += shmem_long_atomic_fetch_add(&cells[thread][0], 1, check_pe());
        last =
            shmem_ctx_long_atomic_swap(private_ctxs[thread], &cells[thread][1], round, check_pe());
        check_equal(last, round ? round - 1 : 0, "own-atomics");
    }
    check_equal(returned[thread], 199L * 200 / 2, "own-atomics");
    shmem_ctx_quiet(private_ctxs[thread]);
}

/* A context of one thread only: made, used and destroyed by it. */
static void use_private(int thread)
{
    int me = check_pe(), next = (me + 1) % check_n_pes();
    shmem_ctx_t ctx;
    long value = 9000 + me * 10 + thread;

    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) != 0)
        return;
    shmem_ctx_long_put_nbi(ctx, &cells[thread][2], &value, 1, next);
    shmem_ctx_quiet(ctx);
    check_equal(shmem_ctx_long_g(ctx, &cells[thread][2], next), value, "private-contexts");
    shmem_ctx_destroy(ctx);
}

int main(void)
{
    int n, before;

    crew_init("threads/access");
    n = check_n_pes();
    before = (check_pe() + n - 1) % n;
    check_case("four threads");
    check_equal(shmem_ctx_create(0, &shared_ctx), 0, "ctx-create");
    for (int i = 0; i < CREW; i++)
        check_equal(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &private_ctxs[i]), 0, "ctx-create");
    crew_run(access_all_ways);
    shmem_ctx_quiet(shared_ctx);
    shmem_barrier_all();
    for (int way = 0; way < 3; way++)
        for (int t = 0; t < CREW; t++)
            for (size_t i = 0; i < NELEMS; i += 57)
                check_equal(landing[way][t][i],
                            ORACLE(long, before, i, salt_of(way, t, ROUNDS - 1)), "puts-and-gets");
    check_equal(everyone, 200L * CREW, "shared-atomics");
    for (int i = 0; i < CREW; i++)
        check_equal(shmem_long_g(&counters[i], 0) % 3, 0, "shared-atomics");
    shmem_barrier_all();
    everyone = 0;
    for (int i = 0; i < CREW; i++)
        everyone += counters[i];
    shmem_barrier_all();
    if (check_pe() == 0) {
        long total = 0;

        for (int pe = 0; pe < n; pe++)
            total += shmem_long_g(&everyone, pe);
        check_equal(total, 3L * 200 * CREW * n, "shared-atomics");
    }
    shmem_barrier_all();
    crew_run(use_private);
    for (int i = 0; i < CREW; i++)
        shmem_ctx_destroy(private_ctxs[i]);
    shmem_ctx_destroy(shared_ctx);
    return check_finish();
}
