/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations on several contexts of one PE. */
#include "collection.h"

static long a[N], word;

static shmem_ctx_t make(void)
{
    shmem_ctx_t ctx;

    if (shmem_ctx_create(0, &ctx) != 0)
        exit(2);
    return ctx;
}

WRONG(two_contexts)
{
    shmem_ctx_t one = make(), two = make();

    shmem_ctx_long_p(one, &word, 1, next);
    shmem_ctx_long_p(two, &word, 2, next);
    shmem_ctx_destroy(one);
    shmem_ctx_destroy(two);
}

RIGHT(two_contexts)
{
    shmem_ctx_t one = make(), two = make();

    shmem_ctx_long_p(one, &word, 1, next);
    shmem_ctx_quiet(one);
    shmem_ctx_long_p(two, &word, 2, next);
    shmem_ctx_destroy(one);
    shmem_ctx_destroy(two);
}

WRONG(fence_of_one_context)
{
    shmem_ctx_t one = make(), two = make();

    shmem_ctx_long_p(one, &word, 1, next);
    shmem_ctx_fence(one);
    shmem_ctx_long_p(two, &word, 2, next);
    shmem_ctx_destroy(one);
    shmem_ctx_destroy(two);
}

RIGHT(fence_within_a_context)
{
    shmem_ctx_t one = make();

    shmem_ctx_long_p(one, &word, 1, next);
    shmem_ctx_fence(one);
    shmem_ctx_long_p(one, &word, 2, next);
    shmem_ctx_destroy(one);
}

WRONG(quiet_of_another_context)
{
    shmem_ctx_t one = make(), two = make();

    shmem_ctx_long_p(one, &word, 1, next);
    shmem_ctx_quiet(two);
    use(shmem_long_g(&word, next));
    shmem_ctx_destroy(one);
    shmem_ctx_destroy(two);
}

RIGHT(quiet_of_the_context)
{
    shmem_ctx_t one = make();

    shmem_ctx_long_p(one, &word, 1, next);
    shmem_ctx_quiet(one);
    use(shmem_long_g(&word, next));
    shmem_ctx_destroy(one);
}

WRONG(barrier_and_context)
{
    shmem_ctx_t one = make();

    shmem_ctx_long_p(one, &a[1], 1, next);
    meet();
    use(a[1]);
    shmem_ctx_destroy(one);
}

RIGHT(barrier_and_context)
{
    shmem_ctx_t one = make();

    shmem_ctx_long_p(one, &a[1], 1, next);
    shmem_ctx_quiet(one);
    meet();
    use(a[1]);
    shmem_ctx_destroy(one);
}

WRONG(atomic_on_another_context)
{
    shmem_ctx_t one = make();

    shmem_ctx_long_p(one, &a[2], 1, next);
    shmem_long_atomic_add(&a[2], 1, next);
    shmem_ctx_destroy(one);
}

RIGHT(atomics_on_two_contexts)
{
    shmem_ctx_t one = make();

    shmem_ctx_long_atomic_add(one, &a[2], 1, next);
    shmem_long_atomic_add(&a[2], 1, next);
    shmem_ctx_destroy(one);
}

WRONG(quiet_misses_context)
{
    shmem_ctx_t one = make();
    long own[N] = {0};

    shmem_ctx_long_put_nbi(one, a, own, N, next);
    shmem_quiet();
    own[2] = 1;
    use(own[2]);
    shmem_ctx_destroy(one);
}

RIGHT(destroy_completes)
{
    shmem_ctx_t one = make();
    long own[N] = {0};

    shmem_ctx_long_put_nbi(one, a, own, N, next);
    shmem_ctx_destroy(one);
    own[2] = 1;
    use(own[2]);
}

WRONG(team_context)
{
    shmem_ctx_t ctx;
    shmem_team_t pair;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &pair);
    if (me < 2 && shmem_team_create_ctx(pair, 0, &ctx) == 0) {
        shmem_ctx_long_p(ctx, &a[3], me, 1 - me);
        use(a[3]);
        shmem_ctx_destroy(ctx);
    }
    if (me < 2)
        shmem_team_destroy(pair);
}

RIGHT(team_context)
{
    shmem_ctx_t ctx;
    shmem_team_t pair;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &pair);
    if (me < 2 && shmem_team_create_ctx(pair, 0, &ctx) == 0) {
        shmem_ctx_long_p(ctx, &a[3], me, 1 - me);
        shmem_ctx_quiet(ctx);
        shmem_team_sync(pair);
        use(a[3]);
        shmem_ctx_destroy(ctx);
    }
    if (me < 2)
        shmem_team_destroy(pair);
}
