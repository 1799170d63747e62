// SPDX-License-Identifier: BSD-3-Clause
// Buffers, accessors and the order that they give to commands: SYCL 2020, 3.8.1, 4.7.2 and 4.7.6.
#include "expect.hpp"

#include <chrono>
#include <list>
#include <numeric>
#include <thread>

// Adds one to each element, slowly enough for commands to overtake each other if they could.
static sycl::event add_one(sycl::queue &queue, sycl::buffer<int> &to)
{
    return queue.submit([&](sycl::handler &group) {
        sycl::accessor elements(to, group);
        group.parallel_for(to.get_range(), [=](sycl::id<1> i) {
            const int before = elements[i];
            sycl::ext::tern::yield();
            elements[i] = before + 1;
        });
    });
}

static void order_commands()
{
    sycl::queue queue, other;
    sycl::buffer<int> a(sycl::range<1>(100)), b(sycl::range<1>(100));
    queue.submit([&](sycl::handler &group) {
        sycl::accessor elements(a, group, sycl::write_only, sycl::no_init);
        group.parallel_for(100, [=](int i) { elements[i] = i; });
    });
    for (int i = 0; i < 50; ++i)
        add_one(i % 2 ? other : queue, a);
    other.submit([&](sycl::handler &group) {
        sycl::accessor from(a, group, sycl::read_only);
        sycl::accessor to(b, group, sycl::write_only);
        group.parallel_for(100, [=](sycl::item<1> i) { to[i] = from[i] * 2; });
    });
    add_one(queue, a);
    sycl::host_accessor after(b, sycl::read_only);
    bool is_right = true;
    for (int i = 0; i < 100; ++i)
        is_right = is_right && after[i] == (i + 50) * 2;
    expect(is_right, "commands in the order of their accesses");
}

// Commands that only read a buffer need not wait for each other.
static void overlap_readers()
{
    sycl::queue queue;
    sycl::buffer<int> buffer(sycl::range<1>(1));
    std::atomic<int> arrived{0};
    for (int i = 0; i < 2; ++i)
        queue.submit([&](sycl::handler &group) {
            sycl::accessor data(buffer, group, sycl::read_only_host_task);
            group.host_task([data, &arrived] {
                ++arrived;
                while (arrived < 2)
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
            });
        });
    queue.wait();
    expect(arrived == 2, "readers overlap");
}

static void hold_commands_back()
{
    sycl::queue queue;
    sycl::buffer<int> buffer(sycl::range<1>(10));
    sycl::event event;
    {
        sycl::host_accessor host(buffer, sycl::write_only);
        std::fill(host.begin(), host.end(), 5);
        event = add_one(queue, buffer);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        expect(event.get_info<sycl::info::event::command_execution_status>() ==
                   sycl::info::event_command_status::submitted,
               "a command waits for a host_accessor");
        expect(host[9] == 5, "and changes nothing");
    }
    event.wait();
    expect(sycl::host_accessor(buffer, sycl::read_only)[9] == 6, "it runs after the host_accessor");
}

static void write_back()
{
    sycl::queue queue;
    std::vector<int> data(100, 1), copy(100, 0);
    {
        sycl::buffer buffer(data);
        add_one(queue, buffer);
    }
    expect(data == std::vector<int>(100, 2), "a container gets the result");
    {
        sycl::buffer<int> buffer(data.data(), sycl::range<1>(100));
        add_one(queue, buffer);
        buffer.set_final_data(copy.data());
    }
    expect(data[0] == 2 && copy[99] == 3, "final data go elsewhere", data[0], copy[99]);
    {
        sycl::buffer<int> buffer(data.data(), sycl::range<1>(100));
        add_one(queue, buffer);
        buffer.set_final_data();
    }
    expect(data[5] == 2, "final data go nowhere");
    {
        sycl::buffer<int> buffer(data.data(), sycl::range<1>(100));
        add_one(queue, buffer);
        buffer.set_write_back(false);
    }
    expect(data[5] == 2, "no write-back");
    {
        const std::vector<int> &constant = data;
        sycl::buffer buffer(constant);
        add_one(queue, buffer);
    }
    expect(data[5] == 2, "const data stay as they are");
    std::list<int> list(10, 7);
    {
        sycl::buffer buffer(list.begin(), list.end());
        add_one(queue, buffer);
        buffer.set_final_data(copy.begin());
    }
    expect(list.front() == 7 && copy[9] == 8 && copy[10] == 3, "iterators");
    std::shared_ptr<int> shared(new int[3]{1, 2, 3}, std::default_delete<int[]>());
    {
        sycl::buffer<int> buffer(shared, sycl::range<1>(3));
        add_one(queue, buffer);
    }
    expect(shared.get()[2] == 4, "a shared pointer");
    {
        sycl::buffer<int> buffer(data.data(), sycl::range<1>(100),
                                 {sycl::property::buffer::use_host_ptr()});
        expect(sycl::host_accessor(buffer).get_pointer() == data.data(), "use_host_ptr");
        add_one(queue, buffer);
    }
    expect(data[99] == 3, "use_host_ptr gets the result");
}

static void use_dimensions()
{
    sycl::queue queue;
    sycl::buffer<int, 3> cube(sycl::range(4, 5, 6));
    queue.submit([&](sycl::handler &group) {
        sycl::accessor to(cube, group, sycl::write_only, {sycl::no_init});
        group.parallel_for(cube.get_range(),
                           [=](sycl::item<3> i) { to[i] = static_cast<int>(i.get_linear_id()); });
    });
    queue.submit([&](sycl::handler &group) {
        // A part: 2 x 3 x 2 elements from (1, 2, 3).
        sycl::accessor part(cube, group, sycl::range(2, 3, 2), sycl::id(1, 2, 3));
        group.parallel_for(part.get_range(),
                           [=](sycl::id<3> i) { part[i[0]][i[1]][i[2]] += 1000; });
    });
    sycl::host_accessor host(cube, sycl::read_only);
    bool is_right = true;
    for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 5; ++y)
            for (int z = 0; z < 6; ++z) {
                const bool is_in = x >= 1 && x < 3 && y >= 2 && y < 5 && z >= 3 && z < 5;
                is_right =
                    is_right && host[sycl::id(x, y, z)] == (x * 5 + y) * 6 + z + 1000 * is_in;
            }
    expect(is_right, "parts in three dimensions");
    sycl::host_accessor part(cube, sycl::range(2, 3, 2), sycl::id(1, 2, 3), sycl::read_only);
    expect(part.end() - part.begin() == 12 && *part.begin() == 1045 && part.begin()[2] == 1051 &&
               *part.rbegin() == 1000 + (2 * 5 + 4) * 6 + 4,
           "iterators of a part", *part.begin(), part.begin()[2], *part.rbegin());
    expect(std::accumulate(part.begin(), part.end(), 0) ==
               12000 + 2 * (45 + 46 + 51 + 52 + 57 + 58) + 6 * 30,
           "the sum of a part");
    expect(part.get_offset() == sycl::id(1, 2, 3) && part.size() == 12 && host.byte_size() == 480,
           "sizes");
    expect_error(sycl::errc::invalid, "a part outside of the buffer", [&] {
        sycl::host_accessor outside(cube, sycl::range(2, 3, 2), sycl::id(3, 0, 0));
    });
}

static void divide()
{
    sycl::queue queue;
    std::vector<int> data(20, 0);
    {
        sycl::buffer<int> whole(data);
        sycl::buffer<int> first(whole, sycl::id<1>(0), sycl::range<1>(10));
        sycl::buffer<int> second(whole, sycl::id<1>(10), sycl::range<1>(10));
        add_one(queue, first);
        add_one(queue, second);
        add_one(queue, second);
        add_one(queue, whole);
        expect(second.is_sub_buffer() && !whole.is_sub_buffer(), "is_sub_buffer()");
        auto bytes = second.reinterpret<unsigned char>(sycl::range<1>(40));
        expect(sycl::host_accessor(bytes).size() == 40 &&
                   *reinterpret_cast<const int *>(sycl::host_accessor(bytes).get_pointer()) == 3,
               "reinterpret()");
        expect_error(sycl::errc::invalid, "a part of a part",
                     [&] { sycl::buffer<int>(second, sycl::id<1>(0), sycl::range<1>(1)); });
        sycl::buffer<int, 2> square(sycl::range(4, 4));
        sycl::buffer<int, 2> rows(square, sycl::id(1, 0), sycl::range(2, 4));
        expect_error(sycl::errc::invalid, "a part with holes",
                     [&] { sycl::buffer<int, 2>(square, sycl::id(0, 1), sycl::range(2, 2)); });
    }
    expect(data[0] == 2 && data[19] == 3, "sub-buffers", data[0], data[19]);
}

static void copy_explicitly()
{
    sycl::queue queue{sycl::property::queue::in_order()};
    sycl::buffer<int> a(sycl::range<1>(10)), b(sycl::range<1>(10));
    std::vector<int> from(10, 4), to(10, 0);
    sycl::accessor later(a); // a placeholder
    expect(later.is_placeholder(), "a placeholder");
    queue.submit([&](sycl::handler &group) {
        group.require(later);
        group.fill(later, 3);
    });
    queue.copy(sycl::accessor(a, sycl::read_only), sycl::accessor(b, sycl::write_only));
    queue.copy(sycl::accessor(b, sycl::read_only), to.data()).wait();
    expect(to == std::vector<int>(10, 3), "copies from accessors");
    queue.copy(from.data(), sycl::accessor(b, sycl::write_only));
    queue.update_host(sycl::accessor(b, sycl::read_only)).wait();
    expect(sycl::host_accessor(b)[9] == 4, "copies to accessors");
    queue.fill(sycl::accessor(b), 6).wait();
    expect(b.get_host_access(sycl::read_only)[0] == 6, "fill");
}

static void use_local_memory()
{
    sycl::queue queue;
    sycl::buffer<int> results(sycl::range<1>(96));
    queue.submit([&](sycl::handler &group) {
        sycl::accessor out(results, group, sycl::write_only);
        sycl::local_accessor<char> odd(3, group);
        sycl::local_accessor<int, 2> shared(sycl::range(8, 4), group);
        sycl::local_accessor<double, 0> one(group);
        group.parallel_for(sycl::nd_range<1>(96, 32), [=](sycl::nd_item<1> item) {
            const std::size_t i = item.get_local_id(0);
            shared[i / 4][i % 4] = static_cast<int>(i + item.get_group(0) * 100);
            if (i == 0)
                one = 0.5;
            odd[i % 3] = 'x';
            sycl::group_barrier(item.get_group());
            const sycl::id<2> mirror((31 - i) / 4, (31 - i) % 4);
            out[item.get_global_id()] = shared[mirror] + (one == 0.5 && shared.size() == 32);
        });
    });
    sycl::host_accessor host(results);
    bool is_right = true;
    for (int i = 0; i < 96; ++i)
        is_right = is_right && host[i] == 31 - i % 32 + i / 32 * 100 + 1;
    expect(is_right, "memory of work-groups");
    expect_error(sycl::errc::kernel_argument, "local memory without work-groups", [&] {
        queue.submit([&](sycl::handler &group) {
            sycl::local_accessor<int> local(1, group);
            group.parallel_for(1, [=](sycl::id<1>) {});
        });
    });
    expect_error(sycl::errc::memory_allocation, "too much local memory", [&] {
        queue.submit(
            [&](sycl::handler &group) { sycl::local_accessor<int> local(1 << 30, group); });
    });
}

static void use_single_elements()
{
    sycl::queue queue;
    sycl::buffer<int> buffer(sycl::range<1>(1));
    queue.submit([&](sycl::handler &group) {
        sycl::accessor<int, 0> one(buffer, group);
        group.single_task([=] { one = 17; });
    });
    sycl::host_accessor<int, 0> host(buffer);
    expect(host == 17, "accessors of one element");
}

int main()
{
    order_commands();
    overlap_readers();
    hold_commands_back();
    write_back();
    use_dimensions();
    divide();
    copy_explicitly();
    use_local_memory();
    use_single_elements();
    return finish();
}
