/* SPDX-License-Identifier: BSD-3-Clause */
/* Source and dest of operations that are not complete. */
#include "collection.h"

static long a[N], b[N], result;
static uint64_t told;

WRONG(source_on_stack)
{
    long own[N] = {0};

    shmem_long_put_nbi(a, own, N, next);
    own[3] = 1;
    use(own[3]);
    shmem_quiet();
}

RIGHT(source_on_stack)
{
    long own[N] = {0};

    shmem_long_put_nbi(a, own, N, next);
    shmem_quiet();
    own[3] = 1;
    use(own[3]);
}

WRONG(source_from_malloc)
{
    long *own = (long *)calloc(N, sizeof *own);

    shmem_long_put_nbi(a, own, N, next);
    for (int i = 0; i < N; i++)
        own[i] = i;
    shmem_quiet();
    free(own);
}

RIGHT(source_is_only_read)
{
    long *own = (long *)calloc(N, sizeof *own), sum = 0;

    shmem_long_put_nbi(a, own, N, next);
    for (int i = 0; i < N; i++)
        sum += own[i];
    use(sum);
    shmem_quiet();
    free(own);
}

WRONG(symmetric_source)
{
    shmem_long_put_nbi(a, b, N, next);
    b[1] = 1;
}

RIGHT(symmetric_source)
{
    shmem_long_put_nbi(a, b, N, next);
    meet();
    b[1] = 1;
}

WRONG(dest_on_stack)
{
    long own[N] = {0};

    shmem_long_get_nbi(own, a, N, next);
    use(own[2]);
    shmem_quiet();
}

RIGHT(dest_on_stack)
{
    long own[N] = {0};

    shmem_long_get_nbi(own, a, N, next);
    shmem_quiet();
    use(own[2]);
}

WRONG(dest_from_malloc)
{
    long *own = (long *)calloc(N, sizeof *own), sum = 0;

    shmem_long_get_nbi(own, a, N, next);
    for (int i = 0; i < N; i++)
        sum += own[i];
    use(sum);
    shmem_quiet();
    free(own);
}

RIGHT(half_of_the_dest)
{
    long *own = (long *)calloc(N, sizeof *own), sum = 0;

    shmem_long_get_nbi(own, a, N / 2, next);
    for (int i = N / 2; i < N; i++)
        sum += own[i];
    use(sum);
    shmem_quiet();
    free(own);
}

WRONG(symmetric_dest)
{
    shmem_long_get_nbi(b, a, N, next);
    use(b[4]);
}

RIGHT(symmetric_dest)
{
    shmem_long_get_nbi(b, a, N, next);
    shmem_quiet();
    use(b[4]);
}

WRONG(dest_written)
{
    shmem_long_get_nbi(b, a, N, next);
    b[5] = 0;
}

RIGHT(dest_of_blocking_get)
{
    shmem_long_get(b, a, N, next);
    b[5] = 0;
}

WRONG(fetched)
{
    long old = 0;

    shmem_long_atomic_fetch_add_nbi(&old, &result, 1, next);
    use(*(long volatile *)&old);
    shmem_quiet();
}

RIGHT(fetched)
{
    long old = 0;

    shmem_long_atomic_fetch_add_nbi(&old, &result, 1, next);
    shmem_quiet();
    use(*(long volatile *)&old);
}

WRONG(source_with_signal)
{
    long own[N] = {0};

    shmem_long_put_signal_nbi(a, own, N, &told, 1, SHMEM_SIGNAL_SET, next);
    own[1] = 5;
    use(own[1]);
    shmem_quiet();
}

RIGHT(source_with_signal)
{
    long own[N] = {0};

    shmem_long_put_signal(a, own, N, &told, 1, SHMEM_SIGNAL_SET, next);
    own[1] = 5;
    use(own[1]);
}

WRONG(fence_is_no_quiet)
{
    long own[N] = {0};

    shmem_long_put_nbi(a, own, N, next);
    shmem_fence();
    own[6] = 1;
    use(own[6]);
    shmem_quiet();
}

RIGHT(blocking_source)
{
    long own[N] = {0};

    shmem_long_put(a, own, N, next);
    own[6] = 1;
    use(own[6]);
}

WRONG(copied_over)
{
    long own[N] = {0}, other[N] = {1};

    shmem_long_put_nbi(a, own, N, next);
    memcpy(own, other, sizeof own);
    use(own[1]);
    shmem_quiet();
}

RIGHT(copied_from)
{
    long own[N] = {0}, other[N] = {1};

    shmem_long_put_nbi(a, own, N, next);
    memcpy(other, own, sizeof own);
    use(other[1]);
    shmem_quiet();
}

WRONG(buffer_of_a_loop)
{
    long own;

    for (int i = 0; i < 3; i++) {
        own = i;
        use((long)&own);
        shmem_long_put_nbi(&a[i], &own, 1, next);
    }
    shmem_quiet();
}

RIGHT(buffers_of_a_loop)
{
    long own[3];

    for (int i = 0; i < 3; i++) {
        own[i] = i;
        use((long)&own[i]);
        shmem_long_put_nbi(&a[i], &own[i], 1, next);
    }
    shmem_quiet();
}

WRONG(next_call_reads_dest)
{
    long own[N] = {0};

    shmem_long_get_nbi(own, a, N, next);
    shmem_long_put(b, own, N, before);
    shmem_quiet();
}

RIGHT(next_call_reads_dest)
{
    long own[N] = {0};

    shmem_long_get_nbi(own, a, N, next);
    shmem_quiet();
    shmem_long_put(b, own, N, before);
}
