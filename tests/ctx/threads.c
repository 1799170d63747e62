/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts and threads: a shared context, a serialized one, and a private one for each thread. */
#include "harness/board.h"

#include <pthread.h>

enum { N_THREADS = 3, ROUNDS = 40 };

static int me, n, next, before;
static shmem_ctx_t shared, serialized;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static long counter, serial_counter, private_counter;
static long boxes[N_THREADS][ROUNDS];

static void *work(void *argument)
{
    int thread = (int)(intptr_t)argument;
    shmem_ctx_t own;

    if (shmem_ctx_create(SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED, &own) != 0)
        own = shared;
    for (int round = 0; round < ROUNDS; round++) {
        long value = ORACLE(long, me, round, SALT_SENT + thread), got = 0;

        shmem_ctx_long_p(shared, &boxes[thread][round], value, next);
        shmem_ctx_long_atomic_inc(shared, &counter, next);
        shmem_ctx_quiet(shared);
        shmem_ctx_long_get_nbi(shared, &got, &boxes[thread][round], 1, next);
        shmem_ctx_quiet(shared);
        check(got == value, "shareable-ctx-works-from-all-threads", "thread %d got %ld, not %ld",
              thread, got, value);

        pthread_mutex_lock(&turn);
        shmem_ctx_long_atomic_add(serialized, &serial_counter, 2, next);
        pthread_mutex_unlock(&turn);

        shmem_ctx_long_atomic_add(own, &private_counter, 3, next);
        shmem_ctx_quiet(own);
    }
    if (own != shared)
        shmem_ctx_destroy(own);
    return NULL;
}

int main(void)
{
    int provided;
    pthread_t threads[N_THREADS];

    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0)
        return 1;
    check_attach("ctx/threads");
    check_case("%d threads", N_THREADS);
    me = check_pe();
    n = check_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    check_equal(shmem_ctx_create(0, &shared), 0, "ctx-is-created");
    check_equal(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &serialized), 0, "ctx-is-created");
    shmem_barrier_all();
    if (provided == SHMEM_THREAD_MULTIPLE) {
        for (intptr_t i = 0; i < N_THREADS; i++)
            pthread_create(&threads[i], NULL, work, (void *)i);
        for (int i = 0; i < N_THREADS; i++)
            pthread_join(threads[i], NULL);
        shmem_ctx_quiet(serialized);
        shmem_barrier_all();
        check_equal(counter, N_THREADS * ROUNDS, "shareable-ctx-works-from-all-threads");
        check_equal(serial_counter, 2 * N_THREADS * ROUNDS, "serialized-ctx-works-in-turns");
        check_equal(private_counter, 3 * N_THREADS * ROUNDS, "private-ctx-for-each-thread");
        for (int i = 0; i < N_THREADS; i++) {
            long expected[ROUNDS];

            ORACLE_FILL(long, expected, ROUNDS, before, SALT_SENT + i);
            check_array(boxes[i], expected, ROUNDS, "shareable-ctx-works-from-all-threads");
        }
    }
    shmem_barrier_all();
    shmem_ctx_destroy(serialized);
    shmem_ctx_destroy(shared);
    return check_finish();
}
