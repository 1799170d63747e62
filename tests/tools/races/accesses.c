/* SPDX-License-Identifier: BSD-3-Clause */
/* A call and a load or a store of the program. */
#include "collection.h"

static long a[N], b[N];
static char text[64];
static struct pair {
    long left[4], right;
} pairs[N];

WRONG(load_after_put)
{
    shmem_long_p(&a[1], me, next);
    use(a[1]);
}

RIGHT(load_after_put)
{
    shmem_long_p(&a[1], me, next);
    meet();
    use(a[1]);
}

WRONG(store_before_get)
{
    a[2] = me;
    use(shmem_long_g(&a[2], next));
}

RIGHT(store_before_get)
{
    a[2] = me;
    meet();
    use(shmem_long_g(&a[2], next));
}

WRONG(store_after_get)
{
    use(shmem_long_g(&a[3], next));
    a[3] = me;
}

RIGHT(store_after_get)
{
    use(shmem_long_g(&a[3], next));
    meet();
    a[3] = me;
}

WRONG(store_and_put)
{
    a[4] = 0;
    shmem_long_p(&a[4], me, next);
}

RIGHT(store_and_put)
{
    a[4] = 0;
    meet();
    shmem_long_p(&a[4], me, next);
}

WRONG(sum_of_what_arrives)
{
    long sum = 0, own[N] = {0};

    shmem_long_put(a, own, N, next);
    for (int i = 0; i < N; i++)
        sum += a[i];
    use(sum);
}

RIGHT(sum_of_what_arrived)
{
    long sum = 0, own[N] = {0};

    shmem_long_put(a, own, N, next);
    meet();
    for (int i = 0; i < N; i++)
        sum += a[i];
    use(sum);
}

WRONG(only_one_element)
{
    long own[N] = {0};

    shmem_long_put(a, own, N, next);
    use(a[N - 1]);
}

RIGHT(other_elements)
{
    long own[N] = {0};

    shmem_long_put(a, own, N / 2, next);
    use(a[N / 2]);
}

WRONG(copied)
{
    long copy[N];

    shmem_long_p(&a[5], me, next);
    memcpy(copy, a, sizeof copy);
    use(copy[5]);
}

RIGHT(copied)
{
    long copy[N];

    shmem_long_p(&a[5], me, next);
    meet();
    memcpy(copy, a, sizeof copy);
    use(copy[5]);
}

WRONG(cleared)
{
    memset(a, 0, sizeof a);
    use(shmem_long_g(&a[6], next));
}

RIGHT(cleared)
{
    memset(a, 0, sizeof a);
    meet();
    use(shmem_long_g(&a[6], next));
}

WRONG(structure)
{
    struct pair own = {{1}, 2};

    pairs[1] = own;
    use(shmem_long_g(&pairs[1].right, next));
}

RIGHT(structure)
{
    struct pair own = {{1}, 2};

    pairs[1] = own;
    use(shmem_long_g(&pairs[2].right, next));
}

WRONG(string)
{
    char name[16];

    snprintf(name, sizeof name, "PE %d", me);
    strcpy(text, name);
    shmem_getmem(name, text, 8, next);
}

RIGHT(string)
{
    char name[16];

    snprintf(name, sizeof name, "PE %d", me);
    strcpy(text, name);
    meet();
    shmem_getmem(name, text, 8, next);
}

WRONG(bytes)
{
    text[9] = 1;
    shmem_char_p(&text[9], 2, next);
}

RIGHT(bytes_side_by_side)
{
    text[9] = 1;
    shmem_char_p(&text[10], 2, next);
}

/* A missing barrier between the steps of an iteration. */
WRONG(steps)
{
    for (int step = 0; step < 3; step++) {
        shmem_long_p(&a[0], step, next);
        meet();
        b[1] = a[0];
    }
}

RIGHT(steps)
{
    for (int step = 0; step < 3; step++) {
        shmem_long_p(&a[0], step, next);
        meet();
        b[1] = a[0];
        meet();
    }
}

RIGHT(two_buffers)
{
    for (int step = 0; step < 4; step++) {
        shmem_long_p(&a[step % 2], step, next);
        meet();
        b[1] = a[step % 2];
    }
}

WRONG(one_buffer_of_two)
{
    for (int step = 0; step < 4; step++) {
        shmem_long_p(&a[step / 2], step, next);
        meet();
        b[1] = a[step / 2];
    }
}

WRONG(first_values)
{
    long *block = (long *)shmem_malloc(N * sizeof *block);

    for (int i = 0; i < N; i++)
        block[i] = 0;
    shmem_long_p(&block[3], 1, next);
    shmem_free(block);
}

RIGHT(first_values)
{
    long *block = (long *)shmem_calloc(N, sizeof *block);

    shmem_long_p(&block[3], 1, next);
    meet();
    use(block[3]);
    shmem_free(block);
}

WRONG(by_pointer)
{
    long *there = (long *)shmem_ptr(a, next);

    if (there)
        there[7] = me;
    use(a[7]);
}

RIGHT(by_pointer)
{
    long *there = (long *)shmem_ptr(a, next);

    if (there)
        there[7] = me;
    meet();
    use(a[7]);
}

WRONG(pointer_and_put)
{
    long *there = (long *)shmem_ptr(a, 2);

    if (me == 0 && there)
        use(there[8]);
    if (me == 1)
        shmem_long_p(&a[8], 1, 2);
}

RIGHT(pointer_and_get)
{
    long *there = (long *)shmem_ptr(a, 2);

    if (me == 0 && there)
        use(there[8]);
    if (me == 1)
        use(shmem_long_g(&a[8], 2));
}

WRONG(large)
{
    static long large[20000];

    for (int i = 0; i < 20000; i++)
        large[i] = i;
    use(shmem_long_g(&large[12345], next));
}

RIGHT(large)
{
    static long large[20000];

    for (int i = 0; i < 20000; i++)
        large[i] = i;
    meet();
    use(shmem_long_g(&large[12345], next));
}

static inline long total(const long *values)
{
    long sum = 0;

    for (int i = 0; i < N; i++)
        sum += values[i];
    return sum;
}

WRONG(file)
{
    FILE *null = fopen("/dev/null", "w");

    shmem_long_p(&b[2], me, next);
    fwrite(b, sizeof *b, N, null);
    fclose(null);
}

RIGHT(own_copies_only)
{
    use(total(a));
    a[9] = total(b);
    use(shmem_long_g(&b[3], me));
}
