/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The other forms of Intel SHMEM's routines as functions with the host form's type: so the tests of
 * the host forms test them, too.
 *
 *     forms<void (*)(int *, int, int)>::by_group<ishmemx_int_wait_until_work_group>
 *
 * is a function of the first type, in which a work-group calls the second one.
 */
#ifndef KERNELS_FORMS_H
#define KERNELS_FORMS_H

#include <functional>
#include <ishmem.h>
#include <ishmemx.h>
#include <vector>

#include "harness/check.h"

constexpr size_t GROUP = 5; /* work-items of a work-group, and of a sub-group */

/* Queues of both kinds, in turn. */
inline sycl::queue &next_queue()
{
    static sycl::queue queues[] = {sycl::queue{sycl::property::queue::in_order{}}, sycl::queue{}};
    static unsigned n;

    return queues[n++ % 2];
}

inline void run_in_kernel(const std::function<void()> &work)
{
    next_queue().single_task([&work] { work(); }).wait();
}

template <typename Group, typename Item> const Group group_of(const Item &item)
{
    if constexpr (std::is_same_v<Group, sycl::sub_group>)
        return item.get_sub_group();
    else
        return item.get_group();
}

/* All work-items of a group call work(group, number of the work-item). */
template <typename Group> void run_by_group(const std::function<void(const Group &, size_t)> &work)
{
    sycl::nd_range<1> range{GROUP, GROUP};

    next_queue()
        .parallel_for(range,
                      [&work](const sycl::nd_item<1> &item) {
                          work(group_of<Group>(item), item.get_local_id(0));
                      })
        .wait();
}

template <typename Host> struct forms;

template <typename R, typename... A> struct forms<R (*)(A...)> {
    typedef R (*host)(A...);
    template <typename Group> using of_group = R (*)(A..., const Group &);
    typedef of_group<sycl::group<1>> work_group;
    typedef of_group<sycl::sub_group> sub_group;
    typedef void (*silent_group)(A..., const sycl::group<1> &); /* has no result */

    /* With the place of a result, where there is one. */
    template <typename Result> struct queue_of {
        typedef sycl::event (*type)(A..., Result *, sycl::queue &,
                                    const std::vector<sycl::event> &);
    };
    typedef sycl::event (*queue_without_result)(A..., sycl::queue &,
                                                const std::vector<sycl::event> &);
    typedef typename std::conditional_t<std::is_void_v<R>, queue_of<int>, queue_of<R>>::type
        queue_with_result;
    typedef std::conditional_t<std::is_void_v<R>, queue_without_result, queue_with_result> queue;

    template <host F> static R in_kernel(A... a)
    {
        if constexpr (std::is_void_v<R>) {
            run_in_kernel([&] { F(a...); });
        } else {
            R result = {};

            run_in_kernel([&] { result = F(a...); });
            return result;
        }
    }

    template <typename Group, of_group<Group> F> static R by(A... a)
    {
        if constexpr (std::is_void_v<R>) {
            run_by_group<Group>([&](const Group &group, size_t) { F(a..., group); });
        } else {
            R results[GROUP];

            run_by_group<Group>([&](const Group &group, size_t i) { results[i] = F(a..., group); });
            for (size_t i = 1; i < GROUP; i++)
                check_equal(results[i], results[0], "results-of-work-items");
            return results[0];
        }
    }
    template <work_group F> static R by_group(A... a)
    {
        return by<sycl::group<1>, F>(a...);
    }
    template <sub_group F> static R by_sub_group(A... a)
    {
        return by<sycl::sub_group, F>(a...);
    }
    template <silent_group F> static R by_silent_group(A... a)
    {
        run_by_group<sycl::group<1>>([&](const sycl::group<1> &group, size_t) { F(a..., group); });
        return R{};
    }

    template <queue F> static R on_queue(A... a)
    {
        if constexpr (std::is_void_v<R>) {
            F(a..., next_queue(), {}).wait();
        } else {
            R result = {};

            F(a..., &result, next_queue(), {}).wait();
            return result;
        }
    }
};

#endif
