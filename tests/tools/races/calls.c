/* SPDX-License-Identifier: BSD-3-Clause */
/* Two calls that access the same bytes. */
#include "collection.h"

static long a[N], b[N];

WRONG(two_writers)
{
    if (me != 2)
        shmem_long_p(&a[1], me, 2);
}

RIGHT(two_writers)
{
    if (me == 0)
        shmem_long_p(&a[1], me, 2);
    meet();
    if (me == 1)
        shmem_long_p(&a[1], me, 2);
}

WRONG(written_while_read)
{
    long copy[N] = {0};

    if (me == 0)
        shmem_long_put(a, copy, N, 2);
    else if (me == 1)
        shmem_long_get(copy, a, N, 2);
}

RIGHT(written_while_read)
{
    long copy[N] = {0};

    if (me == 0)
        shmem_long_put(a, copy, N, 2);
    meet();
    if (me == 1)
        shmem_long_get(copy, a, N, 2);
}

WRONG(read_then_written)
{
    if (me == 1)
        use(shmem_long_g(&a[2], 2));
    if (me == 0)
        shmem_long_p(&a[2], 1, 2);
}

RIGHT(read_then_written)
{
    if (me == 1)
        use(shmem_long_g(&a[2], 2));
    meet();
    if (me == 0)
        shmem_long_p(&a[2], 1, 2);
}

WRONG(two_puts_of_one_pe)
{
    long one[N] = {1}, two[N] = {2};

    shmem_long_put(a, one, N, next);
    shmem_long_put(a, two, N, next);
}

RIGHT(two_puts_of_one_pe)
{
    long one[N] = {1}, two[N] = {2};

    shmem_long_put(a, one, N, next);
    shmem_fence();
    shmem_long_put(a, two, N, next);
}

WRONG(read_back)
{
    shmem_long_p(&a[3], me, next);
    use(shmem_long_g(&a[3], next));
}

RIGHT(read_back)
{
    shmem_long_p(&a[3], me, next);
    shmem_quiet();
    use(shmem_long_g(&a[3], next));
}

WRONG(rows_that_overlap)
{
    long row[N] = {0};

    if (me != 2)
        shmem_long_put(a + 4 * me, row, 5, 2);
}

RIGHT(rows_that_touch)
{
    long row[N] = {0};

    if (me != 2)
        shmem_long_put(a + 4 * me, row, 4, 2);
}

WRONG(columns)
{
    long row[N] = {0};

    if (me == 0)
        shmem_long_iput(a, row, 2, 1, 6, 2);
    else if (me == 1)
        shmem_long_iput(a + 4, row, 3, 1, 4, 2);
}

RIGHT(columns)
{
    long row[N] = {0};

    if (me != 2)
        shmem_long_iput(a + me, row, 2, 1, 6, 2);
}

WRONG(source_is_a_target)
{
    if (me == 0)
        shmem_long_put(b, a, N, 2);
    else if (me == 1)
        shmem_long_p(&a[5], 1, 0);
}

RIGHT(source_is_a_target)
{
    if (me == 0)
        shmem_long_put(b, a, N, 2);
    meet();
    if (me == 1)
        shmem_long_p(&a[5], 1, 0);
}

WRONG(dest_is_a_target)
{
    if (me == 0)
        shmem_long_get(b, a, N, 2);
    else if (me == 1)
        shmem_long_p(&b[5], 1, 0);
}

RIGHT(dest_is_read_later)
{
    if (me == 0)
        shmem_long_get(b, a, N, 2);
    meet();
    if (me == 1)
        use(shmem_long_g(&b[5], 0));
}

WRONG(shift_in_place)
{
    shmem_long_put(a, a, N, next);
}

RIGHT(shift_to_another_array)
{
    shmem_long_put(b, a, N, next);
}

WRONG(bytes_of_a_word)
{
    if (me == 0)
        shmem_char_p((char *)a + 3, 1, 2);
    else if (me == 1)
        use(shmem_long_g(a, 2));
}

RIGHT(bytes_of_a_word)
{
    if (me != 2)
        shmem_char_p((char *)a + me, 1, 2);
}

WRONG(large_rows)
{
    static char large[100000], own[100000];

    if (me != 2)
        shmem_putmem(large + 40000 * me, own, 50000, 2);
}

RIGHT(large_rows)
{
    static char large[100000], own[100000];

    if (me != 2)
        shmem_putmem(large + 50000 * me, own, 50000, 2);
}
