/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's fences hold while another thread calls quiet on the same context. */
#include "harness/check.h"

#include <pthread.h>
#include <string.h>

/* A block is too long for a small operation; one of its words is written a second time. */
enum { ROUNDS = 360, WORDS = 40 };

static long blocks[ROUNDS][WORDS], counter;
static int over;

/* Each quiet waits for an operation on a PE that the other thread does not write to. */
static void *call_quiet(void *ctx)
{
    int elsewhere = (check_pe() + check_n_pes() - 1) % check_n_pes();

    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
        shmem_ctx_long_atomic_inc(*(shmem_ctx_t *)ctx, &counter, elsewhere);
        shmem_ctx_quiet(*(shmem_ctx_t *)ctx);
    }
    return NULL;
}

static long first_value(int pe, int round)
{
    return 1000000L * (pe + 1) + round;
}

static void put_block(shmem_ctx_t ctx, int round, long first, int target)
{
    long source[WORDS];

    for (int i = 0; i < WORDS; i++)
        source[i] = first + i;
    shmem_ctx_long_put(ctx, blocks[round], source, WORDS, target);
}

/* Of different kinds, which travel in different ways. */
static void write_word(shmem_ctx_t ctx, int round, long value, int target)
{
    long *word = &blocks[round][round % WORDS], pair[] = {value, value};

    switch (round / 2 % 3) {
    case 0:
        shmem_ctx_long_p(ctx, word, value, target);
        break;
    case 1:
        shmem_ctx_long_atomic_set(ctx, word, value, target);
        break;
    default:
        shmem_ctx_long_iput(ctx, blocks[round] + round % 2, pair, 38, 1, 2, target);
    }
}

/* The other thread's quiet may end meanwhile. */
static void pause_briefly(int round)
{
    for (volatile int i = 0; i < round * 197 % 20000; i++)
        ;
}

static void write_twice(shmem_ctx_t ctx, int round, int target)
{
    long first = first_value(check_pe(), round);

    shmem_ctx_long_atomic_inc(ctx, &counter, target); /* so that others wait for its answer */
    if (round % 2) {
        put_block(ctx, round, first, target);
        shmem_ctx_fence(ctx);
        pause_briefly(round);
        write_word(ctx, round, -first, target);
    } else {
        write_word(ctx, round, -first, target);
        shmem_ctx_fence(ctx);
        pause_briefly(round);
        put_block(ctx, round, first, target);
    }
}

/* The block came first if the round is odd: then its word, or two, have another value. */
static bool is_rewritten(int round, int i)
{
    if (round % 2 == 0)
        return false;
    return round / 2 % 3 < 2 ? i == round % WORDS : i == 1 || i == 39;
}

static void check_blocks(void)
{
    int n = check_n_pes(), before = (check_pe() + n - 1) % n;
    long expected[WORDS];

    for (int round = 0; round < ROUNDS; round++) {
        long first = first_value(before, round);

        check_case("round %d", round);
        for (int i = 0; i < WORDS; i++)
            expected[i] = is_rewritten(round, i) ? -first : first + i;
        check_array(blocks[round], expected, WORDS, "fence-holds-beside-quiet");
    }
}

static void run(shmem_ctx_t ctx)
{
    pthread_t thread;

    memset(blocks, 0, sizeof blocks);
    over = 0;
    shmem_barrier_all();
    pthread_create(&thread, NULL, call_quiet, &ctx);
    for (int round = 0; round < ROUNDS; round++)
        write_twice(ctx, round, (check_pe() + 1) % check_n_pes());
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    check_blocks();
    shmem_barrier_all();
}

int main(void)
{
    shmem_ctx_t ctx;
    int provided;

    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0)
        return 1;
    check_attach("order/shared_fence");
    if (provided == SHMEM_THREAD_MULTIPLE) {
        run(SHMEM_CTX_DEFAULT);
        check_equal(shmem_ctx_create(0, &ctx), 0, "default-options-make-a-shareable-ctx");
        run(ctx);
        shmem_ctx_destroy(ctx);
    }
    return check_finish();
}
