// SPDX-License-Identifier: BSD-3-Clause
// Reductions, specialization constants and streams: SYCL 2020, 4.9.2, 4.9.5 and 4.16.
#include "expect.hpp"

#include <fcntl.h>
#include <numeric>
#include <unistd.h>

static void reduce_to_pointers()
{
    sycl::queue queue;
    long *results = sycl::malloc_shared<long>(3, queue);
    results[0] = 100, results[1] = 100, results[2] = 100;
    queue
        .parallel_for(sycl::range(100, 50), sycl::reduction(results, sycl::plus<>()),
                      sycl::reduction(results + 1, sycl::maximum<long>(),
                                      {sycl::property::reduction::initialize_to_identity()}),
                      sycl::reduction(results + 2, 0L, [](long a, long b) { return a ^ b; }),
                      [=](sycl::item<2> i, auto &sum, auto &most, auto &bits) {
                          sum += static_cast<long>(i[0]);
                          most.combine(static_cast<long>(i[1]) - 60);
                          bits.combine(static_cast<long>(i.get_linear_id()));
                      })
        .wait();
    long bits = 100;
    for (long i = 0; i < 5000; ++i)
        bits ^= i;
    expect(results[0] == 100 + 50 * 99 * 100 / 2, "a sum keeps what was there", results[0]);
    expect(results[1] == -11, "a maximum from the identity", results[1]);
    expect(results[2] == bits, "another operation", results[2]);

    results[0] = 7;
    queue
        .parallel_for(
            3000, sycl::reduction(results, [](long a, long b) { return a > b ? a : b; }),
            [=](sycl::id<1> i, auto &most) { most.combine(static_cast<long>(i * 7 % 2999)); })
        .wait();
    expect(results[0] == 2998, "an operation without identity", results[0]);
    queue
        .parallel_for(0, sycl::reduction(results, sycl::plus<>()),
                      [=](sycl::id<1>, auto &sum) { sum += 1; })
        .wait();
    expect(results[0] == 2998, "no work-items", results[0]);
    sycl::free(results, queue);
}

static void reduce_in_work_groups()
{
    sycl::queue queue;
    unsigned histogram[8] = {};
    queue
        .parallel_for(sycl::nd_range<1>(4096, 128),
                      sycl::reduction(sycl::span<unsigned, 8>(histogram, 8), sycl::plus<>()),
                      [=](sycl::nd_item<1> item, auto &bins) {
                          sycl::group_barrier(item.get_group());
                          const std::size_t i = item.get_global_id(0);
                          bins[i * i % 8] += 1;
                          sycl::group_barrier(item.get_group());
                      })
        .wait();
    unsigned expected[8] = {};
    for (std::size_t i = 0; i < 4096; ++i)
        ++expected[i * i % 8];
    expect(std::equal(histogram, histogram + 8, expected), "an array of sums");
}

static void reduce_to_buffers()
{
    sycl::queue queue;
    std::vector<double> data(1000);
    std::iota(data.begin(), data.end(), 1.0);
    double sum = 0.5;
    {
        sycl::buffer<double> in(data), out(&sum, sycl::range<1>(1));
        for (int i = 0; i < 2; ++i)
            queue.submit([&](sycl::handler &group) {
                sycl::accessor values(in, group, sycl::read_only);
                group.parallel_for(sycl::range<1>(1000),
                                   sycl::reduction(out, group, sycl::plus<double>()),
                                   [=](sycl::id<1> at, auto &total) { total += values[at]; });
            });
    }
    expect(sum == 0.5 + 2 * 500500.0, "a buffer gets the sums, one after the other", sum);
    sycl::buffer<int> two(sycl::range<1>(2));
    expect_error(sycl::errc::invalid, "a buffer of two elements", [&] {
        queue.submit([&](sycl::handler &group) { sycl::reduction(two, group, sycl::plus<>()); });
    });
}

constexpr sycl::specialization_id<int> times(3);
constexpr sycl::specialization_id<double> offset(0.25);

static void specialize()
{
    sycl::queue queue;
    double *results = sycl::malloc_shared<double>(2, queue);
    for (int i = 0; i < 2; ++i)
        queue.submit([&](sycl::handler &group) {
            if (i == 1)
                group.set_specialization_constant<times>(5);
            expect(group.get_specialization_constant<times>() == (i ? 5 : 3), "the group's value");
            group.parallel_for(1, [=](sycl::item<1>, sycl::kernel_handler constants) {
                results[i] = constants.get_specialization_constant<times>() +
                             constants.get_specialization_constant<offset>();
            });
        });
    queue.wait();
    expect(results[0] == 3.25 && results[1] == 5.25, "constants in kernels", results[0],
           results[1]);
    sycl::free(results, queue);
}

// What the function writes to standard output.
template <typename Function> static std::string capture(const Function &function)
{
    char name[] = "/tmp/sycl-stream-XXXXXX";
    const int file = mkstemp(name), before = dup(STDOUT_FILENO);
    std::fflush(stdout);
    dup2(file, STDOUT_FILENO);
    function();
    std::fflush(stdout);
    dup2(before, STDOUT_FILENO);
    char text[1000];
    const ssize_t length = pread(file, text, sizeof text, 0);
    close(file);
    close(before);
    unlink(name);
    return std::string(text, length > 0 ? static_cast<std::size_t>(length) : 0);
}

static void print()
{
    const std::string text = capture([] {
        sycl::queue queue;
        queue
            .submit([&](sycl::handler &group) {
                sycl::stream out(1024, 256, group);
                expect(out.size() == 1024 && out.get_work_item_buffer_size() == 256, "sizes");
                group.single_task([=] {
                    out << "text " << 'c' << ' ' << -17 << ' ' << 2.5f << ' ' << true << sycl::endl;
                    out << sycl::hex << sycl::showbase << 255u << ' ' << sycl::dec << 255 << ' '
                        << sycl::setw(5) << 42 << ' ' << sycl::setprecision(3) << sycl::fixed << 0.5
                        << sycl::endl;
                    out << sycl::id<2>(1, 2) << sycl::range<1>(7) << sycl::float2(1.5f, 2.f)
                        << sycl::endl;
                });
            })
            .wait();
    });
    expect(text == "text c -17 2.5 1\n0xff 255    42 0.500\n{1, 2}{7}{1.500, 2.000}\n", "a stream",
           text);
}

int main()
{
    reduce_to_pointers();
    reduce_in_work_groups();
    reduce_to_buffers();
    specialize();
    print();
    return finish();
}
