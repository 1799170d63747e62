/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a PE in parallel regions of OpenMP. */
#include "collection.h"

#include <omp.h>

#define IN_PARALLEL _Pragma("omp parallel num_threads(3)")

static long a[64], word;

WRONG(all_put_one_word)
{
    IN_PARALLEL
    shmem_long_p(&word, omp_get_thread_num(), next);
}

RIGHT(each_puts_its_word)
{
    IN_PARALLEL
    shmem_long_p(&a[omp_get_thread_num()], 1, next);
}

WRONG(critical_without_quiet)
{
    IN_PARALLEL
    {
#pragma omp critical
        shmem_long_p(&word, 1, next);
    }
}

RIGHT(critical_with_quiet)
{
    IN_PARALLEL
    {
#pragma omp critical
        {
            shmem_long_p(&word, 1, next);
            shmem_quiet();
        }
    }
}

WRONG(sum)
{
    IN_PARALLEL
    word += omp_get_thread_num();
}

RIGHT(sum_in_critical)
{
    IN_PARALLEL
    {
#pragma omp critical(sum)
        word += omp_get_thread_num();
    }
}

RIGHT(sum_by_atomic)
{
    IN_PARALLEL
    {
#pragma omp atomic
        word += 1;
    }
}

WRONG(no_barrier)
{
    IN_PARALLEL
    {
        a[omp_get_thread_num()] = 1;
        use(a[(omp_get_thread_num() + 1) % 3]);
    }
}

RIGHT(barrier)
{
    IN_PARALLEL
    {
        a[omp_get_thread_num()] = 1;
#pragma omp barrier
        use(a[(omp_get_thread_num() + 1) % 3]);
    }
}

WRONG(loop_without_wait)
{
    IN_PARALLEL
    {
#pragma omp for nowait
        for (int i = 0; i < 63; i++)
            a[i] = i;
        use(a[62 - 20 * omp_get_thread_num()]);
    }
}

RIGHT(loops)
{
    IN_PARALLEL
    {
#pragma omp for
        for (int i = 0; i < 63; i++)
            a[i] = i;
#pragma omp for schedule(dynamic, 5)
        for (int i = 0; i < 63; i++)
            use(a[62 - i]);
    }
    use(a[3]);
}

WRONG(main_thread_writes)
{
    IN_PARALLEL
    {
        if (omp_get_thread_num() == 0)
            a[5] = 1;
        else
            use(a[5]);
    }
}

RIGHT(single_writes)
{
    IN_PARALLEL
    {
#pragma omp single
        a[5] = 1;
        use(a[5]);
    }
}

/* The thread that receives is not the one that reads. */
static void receive(int is_ordered)
{
    static long flag, data;

    flag = 0;
    meet();
    if (me == 0) {
        shmem_long_p(&data, 1, 1);
        shmem_fence();
        shmem_long_atomic_set(&flag, 1, 1);
    }
    if (me != 1)
        return;
    IN_PARALLEL
    {
        if (omp_get_thread_num() == 0)
            shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        if (is_ordered) {
#pragma omp barrier
        }
        use(data);
    }
}

RIGHT(received_and_shared)
{
    receive(1);
}

WRONG(lock_taken_by_some)
{
    omp_lock_t lock;

    omp_init_lock(&lock);
    IN_PARALLEL
    {
        if (omp_get_thread_num() > 0)
            omp_set_lock(&lock);
        word++;
        if (omp_get_thread_num() > 0)
            omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
}

RIGHT(lock_taken_by_all)
{
    omp_lock_t lock;

    omp_init_lock(&lock);
    IN_PARALLEL
    {
        omp_set_lock(&lock);
        word++;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
}

RIGHT(tasks)
{
    IN_PARALLEL
    {
#pragma omp single
        {
#pragma omp task depend(out : word)
            a[7] = 1;
#pragma omp task depend(in : word)
            use(a[7]);
#pragma omp taskwait
            use(a[7]);
        }
    }
}

WRONG(sections)
{
    IN_PARALLEL
    {
#pragma omp sections nowait
        {
#pragma omp section
            a[9] = 1;
        }
        use(a[9]);
    }
}

RIGHT(sections)
{
    IN_PARALLEL
    {
#pragma omp sections
        {
#pragma omp section
            a[9] = 1;
#pragma omp section
            a[10] = 1;
        }
        use(a[9] + a[10]);
    }
}

RIGHT(reduction)
{
    long sum = 0;

#pragma omp parallel for num_threads(3) reduction(+ : sum)
    for (int i = 0; i < 63; i++)
        sum += a[i];
    word = sum;
}

WRONG(remote_element)
{
    IN_PARALLEL
    {
        long own = omp_get_thread_num();

        shmem_long_put(&a[20], &own, 1, next);
        shmem_quiet();
    }
}

RIGHT(remote_elements)
{
    IN_PARALLEL
    {
        long own = omp_get_thread_num();

        shmem_long_put(&a[20 + omp_get_thread_num()], &own, 1, next);
        shmem_quiet();
    }
}

/* Last: its load is the second access of a function above. */
WRONG(received_by_one_thread)
{
    receive(0);
}
