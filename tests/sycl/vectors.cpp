// SPDX-License-Identifier: BSD-3-Clause
// vec, marray and multi_ptr: SYCL 2020, 4.7.7, 4.14.2 and 4.14.3.
#include "expect.hpp"

template <typename A, typename B> static bool same(const A &a, const B &b)
{
    bool is_same = a.size() == b.size();
    for (int i = 0; is_same && i < static_cast<int>(a.size()); ++i)
        is_same = a[i] == b[i];
    return is_same;
}

static void construct()
{
    const sycl::float2 two(1, 2);
    const sycl::float4 four(0.5f, two, 3.f);
    expect(same(four, sycl::float4(0.5f, 1.f, 2.f, 3.f)), "from numbers and vectors");
    expect(same(sycl::int3(7), sycl::vec{7, 7, 7}), "all elements alike");
    static_assert(sizeof(sycl::int3) == 16 && alignof(sycl::double4) == 32);
    static_assert(sycl::short8::size() == 8 && sycl::char16::byte_size() == 16);
    static_assert(std::is_same_v<decltype(sycl::vec(1.0, 2.0)), sycl::double2>);
    const sycl::vec<int, 1> one(4);
    const int number = one;
    expect(number == 4, "one element is like a number");
}

static void calculate()
{
    sycl::int4 a(1, 2, 3, 4), b(5, 6, 7, 8);
    expect(same(a + b * 2, sycl::int4(11, 14, 17, 20)), "vectors and numbers");
    expect(same(10 - a, sycl::int4(9, 8, 7, 6)), "a number first");
    expect(same(b % a, sycl::int4(0, 0, 1, 0)) && same(a << 1, sycl::int4(2, 4, 6, 8)), "integers");
    expect(same((a & 1) | 8, sycl::int4(9, 8, 9, 8)) && same(~a, -a - 1), "bits");
    expect(same(a > 2, sycl::int4(0, 0, -1, -1)), "comparisons");
    expect(same(!(a == sycl::int4(1, 0, 3, 0)), sycl::int4(0, -1, 0, -1)), "not");
    const sycl::vec<std::int64_t, 2> wide = sycl::double2(1, 2) == sycl::double2(1, 3);
    expect(wide[0] == -1 && wide[1] == 0, "the result has elements of the same size");
    a += b;
    a -= 1;
    expect(same(a++, sycl::int4(5, 7, 9, 11)) && same(--a, sycl::int4(5, 7, 9, 11)), "assignment");
}

static void swizzle()
{
    sycl::int4 v(1, 2, 3, 4);
    v.x() = 10;
    v.swizzle<sycl::elem::y, sycl::elem::z>() = sycl::int2(20, 30);
    expect(same(v, sycl::int4(10, 20, 30, 4)), "elements that are set");
    expect(same(sycl::int2(v.hi()), sycl::int2(30, 4)) &&
               same(sycl::int2(v.odd()), sycl::int2(20, 4)),
           "halves");
    v.lo() += v.hi();
    expect(same(v, sycl::int4(40, 24, 30, 4)), "a half is changed");
    const sycl::int4 constant = v.swizzle<3, 2, 1, 0>();
    expect(same(constant, sycl::int4(4, 30, 24, 40)), "another order");
    expect(same(constant.swizzle<0, 0>() * 2, sycl::int2(8, 8)), "swizzles calculate");
    expect(v.w() == 4 && v.s3() == 4 && v.a() == 4 && sycl::int16(5).sF() == 5, "names");
}

static void convert()
{
    const sycl::float4 f(1.5f, -1.5f, 2.5f, -0.2f);
    expect(same(f.convert<int>(), sycl::int4(1, -1, 2, 0)), "towards zero");
    expect(same(f.convert<int, sycl::rounding_mode::rte>(), sycl::int4(2, -2, 2, 0)), "to even");
    expect(same(f.convert<int, sycl::rounding_mode::rtp>(), sycl::int4(2, -1, 3, 0)), "up");
    expect(same(f.convert<int, sycl::rounding_mode::rtn>(), sycl::int4(1, -2, 2, -1)), "down");
    expect(sycl::float2(1.f, 0.f).as<sycl::uint2>()[0] == 0x3f800000, "the same bytes");
    int memory[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    sycl::int4 v;
    v.load(1, memory);
    v.store(2, sycl::address_space_cast<sycl::access::address_space::global_space,
                                        sycl::access::decorated::no>(memory));
    expect(memory[8] == 4 && memory[11] == 7, "load and store");
}

static void use_arrays()
{
    sycl::marray<int, 5> a{1, 2, 3, 4, 5}, b(2);
    expect(same(a * b + 1, sycl::marray<int, 5>{3, 5, 7, 9, 11}), "marray");
    expect(same(a > 3, sycl::marray<bool, 5>{false, false, false, true, true}), "comparisons");
    a[0] = 9;
    a -= b;
    expect(same(a, sycl::marray<int, 5>{7, 0, 1, 2, 3}), "assignment");
    expect(same(a++, sycl::marray<int, 5>{7, 0, 1, 2, 3}) &&
               same(-a, sycl::marray<int, 5>{-8, -1, -2, -3, -4}),
           "operators");
    int sum = 0;
    for (int each : a)
        sum += each;
    expect(sum == 18, "iteration", sum);
}

static void point()
{
    using sycl::access::address_space;
    using sycl::access::decorated;
    int numbers[] = {1, 2, 3};
    sycl::raw_global_ptr<int> p(numbers);
    sycl::multi_ptr<int, address_space::generic_space, decorated::yes> generic = p;
    sycl::multi_ptr<const int, address_space::global_space, decorated::no> constant = p;
    expect(*p == 1 && p[2] == 3 && *(p + 1) == 2 && constant.get() == numbers, "access");
    ++p;
    p += 1;
    expect(p.get() == numbers + 2 && p > generic && p != nullptr && p - constant == 2,
           "arithmetic");
    const sycl::raw_global_ptr<int> back(generic);
    sycl::multi_ptr<void, address_space::global_space, decorated::no> untyped = back;
    expect(sycl::raw_global_ptr<int>(untyped)[1] == 2, "casts");
    static_assert(
        !std::is_convertible_v<sycl::raw_global_ptr<const int>, sycl::raw_global_ptr<int>>);
    static_assert(!std::is_convertible_v<decltype(generic), sycl::raw_global_ptr<int>>);
    static_assert(!std::is_constructible_v<sycl::raw_local_ptr<int>, sycl::raw_global_ptr<int>>);
    sycl::queue queue;
    sycl::buffer<int> buffer(numbers, sycl::range<1>(3));
    queue
        .submit([&](sycl::handler &group) {
            sycl::accessor elements(buffer, group);
            group.single_task([=] {
                const sycl::multi_ptr first(elements);
                first[1] = 20;
                *elements.get_multi_ptr<decorated::yes>() = 10;
            });
        })
        .wait();
    expect(sycl::host_accessor(buffer)[0] == 10 && sycl::host_accessor(buffer)[1] == 20,
           "accessors");
}

int main()
{
    construct();
    calculate();
    swizzle();
    convert();
    use_arrays();
    point();
    return finish();
}
