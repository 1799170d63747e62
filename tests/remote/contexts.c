/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * More contexts than the engine has channels; contexts in threads; what destroying a context
 * completes.
 */
#include "harness/board.h"

#include <pthread.h>

enum { N_CONTEXTS = 40, N_THREADS = 4, ROUNDS = 30, BLOCK = 2000, LARGE = 8 << 20 };

static int me, n, next, before;
static long slots[N_CONTEXTS], counters[N_CONTEXTS];
static long blocks[N_THREADS][BLOCK];
static unsigned char large[LARGE], large_source[LARGE], large_expected[LARGE];
static long small;

static void check_many(void)
{
    shmem_ctx_t contexts[N_CONTEXTS];
    long sent[N_CONTEXTS], got[N_CONTEXTS];

    check_case("%d contexts", N_CONTEXTS);
    for (int i = 0; i < N_CONTEXTS; i++)
        check_equal(shmem_ctx_create(i % 2 ? SHMEM_CTX_SERIALIZED : 0, &contexts[i]), 0,
                    "any-number-of-contexts");
    for (int i = 0; i < N_CONTEXTS; i++) {
        sent[i] = ORACLE(long, me, (size_t)i, SALT_SENT);
        shmem_ctx_long_put_nbi(contexts[i], &slots[i], &sent[i], 1, next);
        shmem_ctx_long_atomic_add(contexts[i], &counters[i], i + 1, next);
    }
    for (int i = N_CONTEXTS - 1; i >= 0; i--) {
        shmem_ctx_quiet(contexts[i]);
        shmem_ctx_long_get_nbi(contexts[i], &got[i], &slots[i], 1, next);
        check_equal(shmem_ctx_long_atomic_fetch(contexts[i], &counters[i], next), (long)i + 1,
                    "each-context-completes");
        shmem_ctx_quiet(contexts[i]);
        check_equal(got[i], sent[i], "each-context-completes");
    }
    for (int i = 0; i < N_CONTEXTS; i++)
        shmem_ctx_destroy(contexts[i]);
    shmem_barrier_all();
}

/* So much takes longer than a barrier; what is expected is ready before it, to look at once. */
static void start_large(shmem_ctx_t ctx, unsigned salt)
{
    oracle_fill_bytes(large_source, LARGE, me, salt);
    oracle_fill_bytes(large_expected, LARGE, before, salt);
    shmem_barrier_all();
    shmem_ctx_putmem_nbi(ctx, large, large_source, LARGE, next);
}

/* From the end, which comes last. */
static void check_large(const char *name)
{
    size_t i = LARGE;

    while (i > 0 && large[i - 1] == large_expected[i - 1])
        i--;
    check(i == 0, name, "%zu bytes are not there", i);
}

/* A long transfer on one context, while the other is quieted again and again. */
static void check_independence(void)
{
    shmem_ctx_t slow, quick;

    check_case("one context quieted while another is busy");
    shmem_ctx_create(0, &slow);
    shmem_ctx_create(0, &quick);
    start_large(slow, SALT_SENT);
    for (int i = 0; i < 20; i++) {
        shmem_ctx_long_p(quick, &small, i, next);
        shmem_ctx_quiet(quick);
        check_equal(shmem_ctx_long_g(quick, &small, next), (long)i, "contexts-complete-alone");
    }
    shmem_ctx_quiet(slow);
    shmem_barrier_all();
    check_large("each-context-completes");
    shmem_ctx_destroy(quick);
    shmem_ctx_destroy(slow);
    shmem_barrier_all();
}

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument;
    long sent[BLOCK], got[BLOCK];
    shmem_ctx_t ctx;

    check_equal(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx), 0, "any-number-of-contexts");
    for (int round = 0; round < ROUNDS; round++) {
        ORACLE_FILL(long, sent, BLOCK, me, SALT_SENT + (unsigned)(thread * ROUNDS + round));
        shmem_ctx_long_put_nbi(ctx, blocks[thread], sent, BLOCK, next);
        shmem_ctx_long_atomic_inc(ctx, &counters[thread], next);
        shmem_ctx_quiet(ctx);
        memset(got, 0, sizeof got);
        shmem_ctx_long_get_nbi(ctx, got, blocks[thread], BLOCK, next);
        shmem_ctx_quiet(ctx);
        check_array(got, sent, BLOCK, "threads-have-contexts-of-their-own");
    }
    shmem_ctx_destroy(ctx);
    return NULL;
}

static void check_threads(void)
{
    pthread_t threads[N_THREADS];

    check_case("%d threads", N_THREADS);
    memset(counters, 0, sizeof counters);
    shmem_barrier_all();
    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    shmem_barrier_all();
    for (int i = 0; i < N_THREADS; i++)
        check_equal(counters[i], (long)ROUNDS, "threads-have-contexts-of-their-own");
}

static void check_destroy_completes(void)
{
    shmem_ctx_t ctx;

    check_case("what a destroyed context was told to do");
    shmem_ctx_create(0, &ctx);
    start_large(ctx, SALT_OTHER);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    check_large("ctx-destroy-completes");
    shmem_barrier_all();
}

/* On a context that lives until finalize, which completes it. */
static void leave_behind(void)
{
    shmem_ctx_t ctx;

    check_case("what finalize completes");
    shmem_ctx_create(0, &ctx);
    start_large(ctx, SALT_SCRIBBLE);
}

int main(void)
{
    int provided;

    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0)
        return 1;
    check_attach("remote/contexts");
    me = check_pe();
    n = check_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    check_many();
    check_independence();
    check_threads();
    check_destroy_completes();
    check_report();
    leave_behind();
    shmem_finalize();
    check_large("finalize-completes-all-contexts");
    return check_status();
}
