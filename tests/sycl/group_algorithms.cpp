// SPDX-License-Identifier: BSD-3-Clause
// Group functions and algorithms: SYCL 2020, 4.17.3 and 4.17.4.
#include "expect.hpp"

#include <climits>
#include <functional>
#include <numeric>

// Runs test(item, results) over one work-group, and gives the number of results that are wrong.
template <typename Test> static int count_wrong(std::size_t size, const Test &test)
{
    sycl::queue queue;
    int *wrong = sycl::malloc_shared<int>(1, queue);
    *wrong = 0;
    queue
        .parallel_for(sycl::nd_range<1>(2 * size, size),
                      [=](sycl::nd_item<1> item) { test(item, *wrong); })
        .wait_and_throw();
    const int result = *wrong;
    sycl::free(wrong, queue);
    return result;
}

// The value of the work-item with this number. Neither sorted nor symmetric.
static int value_of(std::size_t i)
{
    return static_cast<int>(i * 7 % 11) - 3;
}

// A group's members as a plain loop sees them: `first` is the number of its first work-item.
template <typename Group> static void combine(const Group &group, std::size_t first, int &wrong)
{
    const std::size_t own = group.get_local_linear_id(), count = group.get_local_linear_range();
    int sum = 0, before = 0, largest = -100, smallest = 100, bits = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (i == own)
            before = sum;
        sum += value_of(first + i);
        largest = std::max(largest, value_of(first + i));
        smallest = std::min(smallest, value_of(first + i));
        bits |= 1 << (i % 20);
    }
    const int mine = value_of(first + own);
    wrong += sycl::reduce_over_group(group, mine, sycl::plus<>()) != sum;
    wrong += sycl::reduce_over_group(group, mine, 1000, sycl::plus<int>()) != sum + 1000;
    wrong += sycl::reduce_over_group(group, mine, sycl::maximum<>()) != largest;
    wrong += sycl::reduce_over_group(group, mine, sycl::minimum<int>()) != smallest;
    wrong += sycl::reduce_over_group(group, 1 << (own % 20), sycl::bit_or<>()) != bits;
    wrong += sycl::exclusive_scan_over_group(group, mine, sycl::plus<>()) != before;
    wrong += sycl::exclusive_scan_over_group(group, mine, 5, sycl::plus<>()) != before + 5;
    wrong += sycl::inclusive_scan_over_group(group, mine, sycl::plus<>()) != before + mine;
    wrong += sycl::inclusive_scan_over_group(group, mine, sycl::plus<>(), 5) != before + mine + 5;
    // Operations that do not commute see the members in their order.
    auto second = [](int, int b) { return b; };
    wrong += sycl::reduce_over_group(group, mine, second) != value_of(first + count - 1);

    wrong += sycl::group_broadcast(group, mine) != value_of(first);
    wrong += sycl::group_broadcast(group, mine, count - 1) != value_of(first + count - 1);
    wrong +=
        sycl::group_broadcast(group, mine, sycl::id<1>(count / 2)) != value_of(first + count / 2);
    wrong += sycl::any_of_group(group, own == count - 1) != true;
    wrong += sycl::any_of_group(group, false) != false;
    wrong += sycl::all_of_group(group, own != 0) != false;
    wrong += sycl::all_of_group(group, true) != true;
    wrong += sycl::none_of_group(group, own == 0) != false;
    wrong += sycl::none_of_group(group, own, [=](std::size_t i) { return i > count; }) != true;
    wrong += sycl::all_of_group(group, mine, [=](int value) { return value > 100; }) != false;
    wrong += sycl::any_of_group(group, mine, [=](int value) { return value == largest; }) != true;
}

static void exchange(const sycl::sub_group &part, std::size_t first, int &wrong)
{
    const std::size_t own = part.get_local_linear_id(), count = part.get_local_linear_range();
    const int mine = value_of(first + own);
    const int left = sycl::shift_group_left(part, mine, 2),
              right = sycl::shift_group_right(part, mine);
    const int pair = sycl::permute_group_by_xor(part, mine, 1);
    const int chosen = sycl::select_from_group(part, mine, (own * 3 + 1) % count);
    wrong += own + 2 < count && left != value_of(first + own + 2);
    wrong += own >= 1 && right != value_of(first + own - 1);
    wrong += (own ^ 1) < count && pair != value_of(first + (own ^ 1));
    wrong += chosen != value_of(first + (own * 3 + 1) % count);
}

static void join(const sycl::group<1> &group, const int *data, std::size_t count, int *out,
                 int &wrong)
{
    const int *end = data + count;
    const int sum = std::accumulate(data, end, 0);
    wrong += sycl::joint_reduce(group, data, end, sycl::plus<>()) != sum;
    wrong += sycl::joint_reduce(group, data, end, 3, sycl::plus<>()) != sum + 3;
    wrong += sycl::joint_any_of(group, data, end, [](int v) { return v == 7; }) !=
             (std::find(data, end, 7) != end);
    wrong += sycl::joint_all_of(group, data, end, [](int v) { return v > -4; }) != true;
    wrong += sycl::joint_none_of(group, data, end, [](int v) { return v == 100; }) != true;
    wrong += sycl::joint_exclusive_scan(group, data, end, out, sycl::plus<>()) != out + count;
    sycl::group_barrier(group);
    wrong += out[0] != 0 || (count > 1 && out[count - 1] != sum - data[count - 1]);
    sycl::group_barrier(group);
    sycl::joint_inclusive_scan(group, data, end, out, sycl::plus<>(), 10);
    sycl::group_barrier(group);
    wrong += out[0] != data[0] + 10 || out[count - 1] != sum + 10;
    sycl::group_barrier(group);
    sycl::joint_exclusive_scan(group, data, end, out, 10, sycl::plus<>());
    sycl::group_barrier(group);
    wrong += out[0] != 10 || (count > 1 && out[1] != data[0] + 10);
    sycl::group_barrier(group);
}

static void check_size(std::size_t size)
{
    expect(count_wrong(size, [](sycl::nd_item<1> item,
                                int &wrong) { combine(item.get_group(), 0, wrong); }) == 0,
           "algorithms over a work-group", size);
    expect(count_wrong(size,
                       [](sycl::nd_item<1> item, int &wrong) {
                           const sycl::sub_group part = item.get_sub_group();
                           const std::size_t first =
                               item.get_local_id(0) - part.get_local_linear_id();
                           combine(part, first, wrong);
                           exchange(part, first, wrong);
                       }) == 0,
           "algorithms over a sub-group", size);
    std::vector<int> data(50), out(200);
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = value_of(i);
    expect(count_wrong(size,
                       [&](sycl::nd_item<1> item, int &wrong) {
                           for (std::size_t count : {1, 2, 50})
                               join(item.get_group(), data.data(), count,
                                    out.data() + item.get_group(0) * 100, wrong);
                       }) == 0,
           "algorithms over a range", size);
}

static void know_identities()
{
    static_assert(sycl::known_identity_v<sycl::plus<>, int> == 0);
    static_assert(sycl::known_identity_v<sycl::multiplies<float>, float> == 1.0f);
    static_assert(sycl::known_identity_v<sycl::minimum<>, int> == INT_MAX);
    static_assert(sycl::known_identity_v<sycl::bit_and<>, unsigned> == ~0u);
    static_assert(sycl::has_known_identity_v<sycl::maximum<double>, double>);
    static_assert(!sycl::has_known_identity_v<sycl::bit_or<>, float>);
    static_assert(!sycl::has_known_identity_v<std::plus<int>, int>);
    static_assert(sycl::is_group_v<sycl::group<2>> && sycl::is_group_v<sycl::sub_group>);
    static_assert(!sycl::is_group_v<sycl::nd_item<1>>);
    expect(sycl::known_identity_v<sycl::maximum<>, float> ==
               -std::numeric_limits<float>::infinity(),
           "the identity of maximum");
}

int main()
{
    for (std::size_t size : {1, 2, 5, 16, 17, 100})
        check_size(size);
    know_identities();
    return finish();
}
