/* SPDX-License-Identifier: BSD-3-Clause */
/* quiet by one thread completes what other threads of the PE have issued before. */
#include "order/operation.h"

#include <pthread.h>

enum { ROUNDS = 44 };

static struct message messages[ROUNDS], sources[ROUNDS], fetched[ROUNDS];
static long told[ROUNDS];
static shmem_ctx_t ctx;

struct order {
    int round;
    const struct route *route;
    int target;
};

static void *start_operation(void *argument)
{
    const struct order *order = argument;
    int round = order->round;

    operation_start((enum operation)(round % N_OPERATIONS), order->route, &messages[round],
                    &sources[round], &fetched[round], order->target);
    return NULL;
}

static void check_round(int round)
{
    int me = check_pe(), n = check_n_pes(), target = (me + 1) % n, before = (me + n - 1) % n;
    struct route route = {"shared", false, round % 2 ? ctx : SHMEM_CTX_DEFAULT, 0, 1, n};
    struct order order = {round, &route, target};
    struct message expected = operation_message(before, round);
    pthread_t thread;

    check_case("%s by another thread", operation_name((enum operation)(round % N_OPERATIONS)));
    sources[round] = operation_message(me, round);
    pthread_create(&thread, NULL, start_operation, &order);
    pthread_join(thread, NULL);
    shmem_ctx_quiet(route.ctx);
    shmem_long_atomic_set(&told[round], 1, target);
    shmem_long_wait_until(&told[round], SHMEM_CMP_EQ, 1);
    check_array(messages[round].words, expected.words, MESSAGE, "quiet-covers-other-threads");
}

int main(void)
{
    int provided;

    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0)
        return 1;
    check_attach("order/threads");
    check_case("creating a shareable context");
    check_equal(shmem_ctx_create(0, &ctx), 0, "default-options-make-a-shareable-ctx");
    if (provided == SHMEM_THREAD_MULTIPLE)
        for (int round = 0; round < ROUNDS; round++)
            check_round(round);
    shmem_barrier_all();
    shmem_ctx_destroy(ctx);
    return check_finish();
}
