// SPDX-License-Identifier: BSD-3-Clause
// Kernels over ranges and nd_ranges, barriers, and work-items that wait: SYCL 2020, 3.8.3 and 4.9.
#include "expect.hpp"

static void run_over_ranges()
{
    sycl::queue queue{sycl::property::queue::in_order()};
    int *seen = sycl::malloc_shared<int>(5000, queue);
    queue.fill(seen, 0, 5000);
    queue.parallel_for(5000, [=](sycl::id<1> i) { seen[i] += 1; });
    queue.parallel_for(sycl::range(50, 100), [=](sycl::item<2> i) {
        seen[i.get_linear_id()] += i.get_range(0) == 50 && i[0] * 100 + i[1] == i.get_linear_id();
    });
    queue.parallel_for(sycl::range(10, 20, 25), [=](auto i) { seen[i.get_linear_id()] += 1; });
    queue.parallel_for<class takes_an_integer>(5000, [=](int i) { seen[i] += 1; });
    queue.parallel_for(0, [=](int i) { seen[i] += 100; }).wait();
    bool is_right = true;
    for (int i = 0; i < 5000; ++i)
        is_right = is_right && seen[i] == 4;
    expect(is_right, "each item once");
    sycl::free(seen, queue);
}

static void number_items()
{
    sycl::queue queue;
    const sycl::nd_range<3> all({4, 6, 10}, {2, 3, 5});
    int *wrong = sycl::malloc_shared<int>(1, queue);
    int *seen = sycl::malloc_shared<int>(240, queue);
    *wrong = 0;
    std::fill_n(seen, 240, 0);
    queue
        .parallel_for(
            all,
            [=](sycl::nd_item<3> item) {
                seen[item.get_global_linear_id()] += 1;
                for (int i = 0; i < 3; ++i)
                    *wrong += item.get_global_id(i) !=
                              item.get_group(i) * item.get_local_range(i) + item.get_local_id(i);
                const sycl::group<3> group = item.get_group();
                *wrong += group.get_group_linear_id() != item.get_group_linear_id();
                *wrong +=
                    group.get_local_linear_range() != 30 || group.get_group_linear_range() != 8;
                *wrong += group.leader() != (item.get_local_linear_id() == 0);
                *wrong += item.get_nd_range() != all;
                const sycl::sub_group part = item.get_sub_group();
                *wrong += part.get_group_linear_id() * part.get_max_local_range()[0] +
                              part.get_local_linear_id() !=
                          item.get_local_linear_id();
                *wrong += part.get_group_linear_range() != 2;
                *wrong += part.get_local_linear_range() != (part.get_group_linear_id() ? 14 : 16);
            })
        .wait();
    expect(*wrong == 0, "numbers of items", *wrong);
    bool is_right = true;
    for (int i = 0; i < 240; ++i)
        is_right = is_right && seen[i] == 1;
    expect(is_right, "each item once");
    sycl::free(wrong, queue);
    sycl::free(seen, queue);
}

// Each work-item writes for its neighbour, which reads after the barrier, in every round.
static void meet(std::size_t groups, std::size_t size)
{
    sycl::queue queue;
    int *wrong = sycl::malloc_shared<int>(1, queue);
    std::size_t *values = sycl::malloc_shared<std::size_t>(groups * size, queue);
    *wrong = 0;
    queue
        .parallel_for(sycl::nd_range<1>(groups * size, size),
                      [=](sycl::nd_item<1> item) {
                          std::size_t *mine = values + item.get_group(0) * size;
                          const std::size_t i = item.get_local_id(0), next = (i + 1) % size;
                          for (std::size_t round = 0; round < 5; ++round) {
                              mine[next] = round * 1000 + i;
                              sycl::group_barrier(item.get_group());
                              *wrong += mine[i] != round * 1000 + (i + size - 1) % size;
                              item.barrier();
                          }
                      })
        .wait();
    expect(*wrong == 0, "work-groups meet", groups, size, *wrong);

    queue
        .parallel_for(
            sycl::nd_range<1>(groups * size, size),
            [=](sycl::nd_item<1> item) {
                const sycl::sub_group part = item.get_sub_group();
                const std::size_t i = part.get_local_id()[0], count = part.get_local_range()[0];
                std::size_t *mine = values + item.get_global_id(0) - i;
                // Sub-groups make different numbers of rounds.
                for (std::size_t round = 0; round < 1 + part.get_group_linear_id(); ++round) {
                    mine[(i + 1) % count] = round * 1000 + i;
                    sycl::group_barrier(part);
                    *wrong += mine[i] != round * 1000 + (i + count - 1) % count;
                    sycl::group_barrier(part);
                }
            })
        .wait();
    expect(*wrong == 0, "sub-groups meet", groups, size, *wrong);
    sycl::free(wrong, queue);
    sycl::free(values, queue);
}

// Work-items that wait for others, of their group and of later ones, let these run.
static void yield()
{
    sycl::queue queue;
    int *flags = sycl::malloc_shared<int>(3000, queue);
    std::fill_n(flags, 3000, 0);
    auto wait_for_next = [=](std::size_t i, std::size_t count) {
        volatile int *flag = flags;
        while (i + 1 < count && !flag[i + 1])
            sycl::ext::tern::yield();
        flag[i] = 1;
    };
    queue.parallel_for(3000, [=](sycl::id<1> i) { wait_for_next(i, 3000); }).wait();
    expect(flags[0] == 1, "items of a range wait for each other");
    std::fill_n(flags, 3000, 0);
    queue
        .parallel_for(sycl::nd_range<1>(512, 8),
                      [=](sycl::nd_item<1> item) { wait_for_next(item.get_global_id(0), 512); })
        .wait();
    expect(flags[0] == 1, "work-groups wait for each other");
    expect(!sycl::ext::tern::yield(), "there is nothing to yield to outside of kernels");
    sycl::free(flags, queue);
}

static std::string error_of(sycl::queue &queue, std::string &message)
{
    queue.wait_and_throw();
    return std::exchange(message, "");
}

static void report_mistakes()
{
    std::string message;
    sycl::queue queue([&](sycl::exception_list list) {
        for (const std::exception_ptr &each : list) {
            try {
                std::rethrow_exception(each);
            } catch (const std::exception &error) {
                message += error.what();
            }
        }
    });
    expect_error(sycl::errc::nd_range, "a local size that does not divide the global one",
                 [&] { queue.parallel_for(sycl::nd_range<1>(10, 3), [=](sycl::nd_item<1>) {}); });
    expect_error(sycl::errc::nd_range, "a work-group that is too large", [&] {
        queue.parallel_for(sycl::nd_range<1>(4096, 4096), [=](sycl::nd_item<1>) {});
    });
    queue.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> item) {
        if (item.get_local_id(0) < 5)
            sycl::group_barrier(item.get_group());
    });
    const std::string stuck = error_of(queue, message);
    expect(stuck.find("work-group 0 is stuck") != stuck.npos &&
               stuck.find("3 of 8 ended") != stuck.npos,
           "a barrier that some work-items leave out", stuck);
    queue.parallel_for(100, [=](int i) {
        if (i == 50)
            throw std::runtime_error("item 50");
    });
    expect(error_of(queue, message) == "item 50", "an exception of a work-item");
    queue.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> item) {
        if (item.get_local_id(0) == 3)
            throw std::runtime_error("item 3");
        sycl::group_barrier(item.get_group());
    });
    expect(error_of(queue, message) == "item 3", "an exception before a barrier");
    meet(2, 32); // the fibers are in order
}

int main()
{
    run_over_ranges();
    number_items();
    for (std::size_t size : {1, 2, 7, 16, 33, 256, 1024})
        meet(3, size);
    yield();
    report_mistakes();
    return finish();
}
