// SPDX-License-Identifier: BSD-3-Clause
// range, id, item and nd_range: SYCL 2020, 4.9.1.
#include "expect.hpp"

#include <type_traits>

static void construct()
{
    const sycl::range r1(5), r1_too{5};
    const sycl::range r2(3, 4);
    const sycl::range r3(2, 3, 4);
    static_assert(std::is_same_v<decltype(r1), const sycl::range<1>>);
    static_assert(std::is_same_v<decltype(r2), const sycl::range<2>>);
    static_assert(std::is_same_v<decltype(r3), const sycl::range<3>>);
    static_assert(sycl::id<3>::dimensions == 3);
    expect(r1 == r1_too && r1.size() == 5 && r2.size() == 12 && r3.size() == 24, "sizes");
    expect(r3[0] == 2 && r3.get(1) == 3 && r3[2] == 4, "dimensions");
    const sycl::id<2> from_range = r2;
    expect(from_range == sycl::id(3, 4) && from_range != sycl::id(4, 3), "id of a range");
    const sycl::id<3> zero;
    expect(zero[0] == 0 && zero[1] == 0 && zero[2] == 0, "default id is zero");
}

static void calculate()
{
    const sycl::id a(7, 9), b(2, 3);
    expect(a + b == sycl::id(9, 12), "id + id");
    expect(a - 1 == sycl::id(6, 8), "id - integer");
    expect(20 / b == sycl::id(10, 6), "integer / id");
    expect(a % b == sycl::id(1, 0), "id % id");
    expect((a << 1) == sycl::id(14, 18), "id << integer");
    expect((a & b) == sycl::id(2, 1), "id & id");
    expect((a > 8) == sycl::id(0, 1), "id > integer");
    expect((a <= a) == sycl::id(1, 1), "id <= id");
    sycl::range r(4, 5, 6);
    r *= 2;
    r += sycl::range(1, 2, 3);
    expect(r == sycl::range(9, 12, 15), "assigning operators");
    expect(r++ == sycl::range(9, 12, 15) && r == sycl::range(10, 13, 16), "after ++");
    expect(--r == sycl::range(9, 12, 15), "--");
    expect(+r == r && -sycl::id(1) == sycl::id(static_cast<std::size_t>(-1)), "signs");
}

static void convert()
{
    const sycl::id<1> i = 3;
    const int numbers[] = {0, 10, 20, 30, 40};
    expect(numbers[i] == 30, "id as an index");
    expect(i == 3 && 3 == i && i != 4 && i < 4, "id compared with integers");
    const std::size_t plain = i;
    expect(i + 1 == sycl::id(4) && plain == 3, "id as an integer");
}

static void combine()
{
    const sycl::nd_range<2> all({8, 6}, {4, 2});
    expect(all.get_group_range() == sycl::range(2, 3), "groups");
    expect(all.get_global_range() == sycl::range(8, 6), "global");
    expect(all.get_local_range() == sycl::range(4, 2), "local");
    expect(all == sycl::nd_range<2>({8, 6}, {4, 2}), "equal");
    expect(all != sycl::nd_range<2>({8, 6}, {2, 2}), "unequal");
}

int main()
{
    construct();
    calculate();
    convert();
    combine();
    return finish();
}
