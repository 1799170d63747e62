/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations of several types, and beside other accesses. */
#include "collection.h"

#include <stdatomic.h>

static long a[N];
static float real[N];
static _Atomic long own_atomic;

WRONG(two_widths)
{
    if (me == 0)
        shmem_long_atomic_add(&a[1], 1, 2);
    else if (me == 1)
        shmem_int_atomic_add((int *)&a[1], 1, 2);
}

RIGHT(one_width)
{
    if (me == 0)
        shmem_long_atomic_add(&a[1], 1, 2);
    else if (me == 1)
        shmem_long_atomic_inc(&a[1], 2);
}

WRONG(width_of_a_fetch)
{
    if (me == 0)
        shmem_int_atomic_set((int *)&a[2] + 1, 1, 2);
    else if (me == 1)
        use(shmem_long_atomic_fetch(&a[2], 2));
}

RIGHT(halves_of_a_word)
{
    if (me != 2)
        shmem_int_atomic_set((int *)&a[2] + me, 1, 2);
}

WRONG(integer_and_real)
{
    if (me == 0)
        shmem_float_atomic_set(&real[1], 1, 2);
    else if (me == 1)
        shmem_int_atomic_inc((int *)&real[1], 2);
}

RIGHT(reals)
{
    if (me == 0)
        shmem_float_atomic_set(&real[1], 1, 2);
    else if (me == 1)
        use((long)shmem_float_atomic_swap(&real[1], 2, 2));
}

WRONG(atomic_and_put)
{
    if (me == 0)
        shmem_long_atomic_inc(&a[3], 2);
    else if (me == 1)
        shmem_long_p(&a[3], 1, 2);
}

RIGHT(atomic_and_set)
{
    if (me == 0)
        shmem_long_atomic_inc(&a[3], 2);
    else if (me == 1)
        shmem_long_atomic_set(&a[3], 1, 2);
}

WRONG(atomic_and_get)
{
    if (me == 0)
        shmem_long_atomic_inc(&a[4], 2);
    else if (me == 1)
        use(shmem_long_g(&a[4], 2));
}

RIGHT(atomic_and_fetch)
{
    if (me == 0)
        shmem_long_atomic_inc(&a[4], 2);
    else if (me == 1)
        use(shmem_long_atomic_fetch(&a[4], 2));
}

WRONG(atomic_and_load)
{
    shmem_long_atomic_inc(&a[5], next);
    use(a[5]);
}

RIGHT(atomic_and_load_later)
{
    shmem_long_atomic_inc(&a[5], next);
    meet();
    use(a[5]);
}

WRONG(atomic_and_store)
{
    a[6] = 0;
    shmem_long_atomic_inc(&a[6], next);
}

RIGHT(store_then_atomic)
{
    a[6] = 0;
    meet();
    shmem_long_atomic_inc(&a[6], next);
}

WRONG(counter_read_by_load)
{
    shmem_long_atomic_inc(&a[7], 0);
    if (me == 0)
        use(a[7]);
}

RIGHT(counter_read_by_fetch)
{
    shmem_long_atomic_inc(&a[7], 0);
    if (me == 0)
        use(shmem_long_atomic_fetch(&a[7], 0));
}

RIGHT(c11_beside_atomics)
{
    shmem_long_atomic_inc((long *)&own_atomic, next);
    use(atomic_load(&own_atomic));
}

WRONG(ticket_without_order)
{
    if (shmem_long_atomic_fetch_add(&a[8], 1, 0) >= 0)
        shmem_long_p(&a[9], me, 0);
}

RIGHT(ticket_chooses_element)
{
    static long tickets, slots[N];

    shmem_long_p(&slots[shmem_long_atomic_fetch_add(&tickets, 1, 0)], me, 0);
}
