/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs with a mistake after many correct calls that bypass the tool, which must still see the
 * mistake; or the same without it: see cases.h.
 */
#include "cases.h"

enum { N = 10 };

static long edge[N];

/* What was used a lot; each of these routines has been called before, for the first call is seen.
 */
static void use(long *block)
{
    long value[N] = {0};

    for (int i = 0; i < 100; i++) {
        shmem_long_p(&block[i % N], 1, next);
        shmem_long_put(block, value, N, next);
        shmem_ctx_long_p(SHMEM_CTX_DEFAULT, &block[i % N], 1, next);
        shmem_long_get(value, block, N, next);
        shmem_ctx_long_get(SHMEM_CTX_DEFAULT, value, block, N, next);
        value[0] += shmem_long_g(block, next) + shmem_long_atomic_fetch_add(block, 1, next);
    }
}

static long *use_block(void)
{
    long *block = shmem_calloc(N, sizeof *block);

    use(block);
    return block;
}

static void past_one_at_last(void)
{
    long *block = use_block();

    shmem_long_p(&block[right ? N - 1 : N], 1, next); /* past_one_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_block_at_last(void)
{
    long *block = use_block(), values[N + 1] = {0};

    shmem_long_put(block + 1, values, right ? N - 1 : N, next); /* past_block_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

/* So many elements that their bytes are 0 again. */
static void past_count_at_last(void)
{
    long *block = use_block(), values[1] = {0};

    shmem_long_put(block, values, right ? 1 : (size_t)1 << 61, next); /* past_count_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_static_at_last(void)
{
    use(edge);
    shmem_long_p(&edge[right ? N - 1 : N], 1, next); /* past_static_at_last */
}

static void past_local_at_last(void)
{
    long *block = use_block();

    shmem_long_get(&edge[right ? 8 : 9], block, 2, next); /* past_local_at_last */
    shmem_free(block);
}

static void null_dest_at_last(void)
{
    long *block = use_block(), value;

    shmem_long_get(right ? &value : NULL, block, 1, next); /* null_dest_at_last */
    shmem_free(block);
}

/* Memory on the other side that is symmetric as well is looked at. */
static void onto_itself_at_last(void)
{
    long *block = use_block();

    shmem_long_put(block + (right ? 5 : 2), block, 4, me); /* onto_itself_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

static void not_aligned_local_at_last(void)
{
    long *block = use_block(), values[2];
    char *to = (char *)values + (right ? 8 : 4);

    shmem_long_get((long *)to, block, 1, next); /* not_aligned_local_at_last */
    shmem_free(block);
}

static void moved_block_at_last(void)
{
    long *block = use_block(), *before = block, *wall = shmem_malloc(N * sizeof *wall), value;

    block = shmem_realloc(block, 5000 * sizeof *block);
    value = shmem_long_g(right ? block : before, next); /* moved_block_at_last */
    (void)value;
    shmem_free(wall);
    shmem_free(block);
}

static void freed_block_at_last(void)
{
    long *other = shmem_malloc(N * sizeof *other), *block = use_block();

    shmem_free(block);
    shmem_long_p(right ? other : block, 1, next); /* freed_block_at_last */
    shmem_barrier_all();
    shmem_free(other);
}

static void no_such_pe_at_last(void)
{
    long *block = use_block();

    shmem_long_p(block, 1, right ? next : -1); /* no_such_pe_at_last */
    shmem_free(block);
}

static void not_aligned_at_last(void)
{
    long *block = use_block();

    shmem_long_p((long *)((char *)block + (right ? 8 : 4)), 1, next); /* not_aligned_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

static void ended_ctx_at_last(void)
{
    long *block = use_block();
    shmem_ctx_t ctx, used = SHMEM_CTX_DEFAULT;

    shmem_ctx_create(0, &ctx);
    shmem_ctx_destroy(ctx);
    if (!right)
        used = ctx;
    shmem_ctx_long_p(used, block, 1, next); /* ended_ctx_at_last */
    shmem_barrier_all();
    shmem_free(block);
}

static long *used;

static void *put_at_last(void *unused)
{
    shmem_long_p(used, 1, next); /* single_thread_at_last */
    return NULL;
}

static void single_thread_at_last(void)
{
    used = use_block();
    if (right)
        put_at_last(NULL);
    else
        run_in_thread(put_at_last);
    shmem_barrier_all();
    shmem_free(used);
}

int main(int argc, char **argv)
{
    static const struct mistake_case cases[] = {
        CASE(past_one_at_last),    CASE(past_block_at_last),
        CASE(past_count_at_last),  CASE(past_static_at_last),
        CASE(past_local_at_last),  CASE(null_dest_at_last),
        CASE(onto_itself_at_last), CASE(not_aligned_local_at_last),
        CASE(moved_block_at_last), CASE(freed_block_at_last),
        CASE(no_such_pe_at_last),  CASE(not_aligned_at_last),
        CASE(ended_ctx_at_last),   CASE_AT(single_thread_at_last, SHMEM_THREAD_FUNNELED),
    };

    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
