/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One mistake in a kernel or on a queue: the program's argument says which. The line that the check
 * has to name ends in a comment with the same word.
 */
#include <cstring>
#include <initializer_list>
#include <ishmem.h>
#include <ishmemx.h>

static int numbers[4], result[4];
static signed char byte; /* smaller than the word that carries out operations on it */

static void on_queue(const char *mistake)
{
    sycl::queue q;

    if (strcmp(mistake, "queue") == 0) {
        ishmemx_put_on_queue(&numbers[2], result, 3, 0, q).wait(); /* queue */
        return;
    }
    if (strcmp(mistake, "typed_queue") == 0) {
        sycl::event event =
            ishmemx_int_sum_reduce_on_queue(&result[2], numbers, 3, nullptr, q); /* typed_queue */
        event.wait();
        return;
    }
}

static void in_kernel(const char *mistake)
{
    bool alone = strcmp(mistake, "kernel") == 0, in_template = strcmp(mistake, "template") == 0;
    bool by_group = strcmp(mistake, "group") == 0, aside = strcmp(mistake, "aside") == 0;
    sycl::queue q;

    q.parallel_for(sycl::nd_range<1>{4, aside ? 1u : 2u}, [=](sycl::nd_item<1> item) {
         auto group = item.get_group();
         bool is_first = item.get_global_id(0) == 0;

         if (alone && is_first)
             ishmem_int_put(&numbers[2], result, 3, 0); /* kernel */
         if (in_template && is_first)
             ishmem_put(&numbers[2], result, 3, 0); /* template */
         if (by_group && group.get_group_id(0) == 0)
             ishmemx_put_work_group(&numbers[2], result, 3, 0, group); /* group */
         if (aside && is_first)
             ishmem_sum_reduce(&result[2], numbers, 3); /* aside */
     }).wait();
}

/* Correct calls. */
static void make_none()
{
    signed char *block = static_cast<signed char *>(ishmem_malloc(1));

    ishmem_atomic_set(block, static_cast<signed char>(1), 0);
    for (signed char *each : {&byte, block}) {
        ishmem_atomic_inc(each, 0);
        ishmem_atomic_or(each, static_cast<signed char>(2), 0);
        ishmem_atomic_compare_swap(each, static_cast<signed char>(3), static_cast<signed char>(4),
                                   0);
    }
    ishmem_barrier_all();
    ishmem_free(block);
}

int main(int, char **argv)
{
    ishmem_init();
    make_none();
    in_kernel(argv[1]);
    on_queue(argv[1]);
    if (strcmp(argv[1], "host") == 0)
        ishmem_put(&numbers[2], result, 3, 0); /* host */
    ishmem_finalize();
    return 0;
}
