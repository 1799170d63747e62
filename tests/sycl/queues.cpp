// SPDX-License-Identifier: BSD-3-Clause
// Queues, command groups and events: SYCL 2020, 3.8.1, 4.6.5, 4.6.6, 4.9.4 and 4.10.
#include "expect.hpp"

#include <chrono>
#include <future>
#include <thread>

static void run_in_order()
{
    sycl::queue queue{sycl::property::queue::in_order()};
    expect(queue.is_in_order() && queue.has_property<sycl::property::queue::in_order>(),
           "is in order");
    std::vector<int> seen; // without a lock: commands of the queue never overlap
    for (int i = 0; i < 1000; ++i)
        queue.submit(
            [&](sycl::handler &group) { group.host_task([&seen, i] { seen.push_back(i); }); });
    queue.wait();
    bool is_sorted = seen.size() == 1000;
    for (int i = 0; is_sorted && i < 1000; ++i)
        is_sorted = seen[static_cast<std::size_t>(i)] == i;
    expect(is_sorted, "commands run in their order", seen.size());
}

static void depend()
{
    sycl::queue queue, other;
    expect(!queue.is_in_order(), "is out of order");
    for (int round = 0; round < 200; ++round) {
        int value = 1;
        sycl::event plus =
            queue.submit([&](sycl::handler &group) { group.host_task([&value] { value += 2; }); });
        sycl::event times = other.submit([&](sycl::handler &group) {
            group.depends_on(plus);
            group.host_task([&value] { value *= 5; });
        });
        sycl::event last = queue.single_task(std::vector{plus, times}, [=, &value] { value -= 1; });
        last.wait();
        expect(value == 14, "dependencies", value);
        expect(plus.get_info<sycl::info::event::command_execution_status>() ==
                   sycl::info::event_command_status::complete,
               "what an event depended on is complete");
    }
}

// A command that nobody waits for starts by itself, and the host goes on meanwhile.
static void run_asynchronously()
{
    sycl::queue queue;
    std::promise<void> host, task;
    sycl::event event = queue.submit([&](sycl::handler &group) {
        group.host_task([&] {
            task.set_value();
            host.get_future().wait();
        });
    });
    task.get_future().wait();
    expect(event.get_info<sycl::info::event::command_execution_status>() ==
               sycl::info::event_command_status::running,
           "a command is running");
    sycl::event next = queue.submit([&](sycl::handler &group) {
        group.depends_on(event);
        group.host_task([] {});
    });
    expect(next.get_info<sycl::info::event::command_execution_status>() ==
               sycl::info::event_command_status::submitted,
           "a command waits");
    expect(next.get_wait_list().size() == 1 && next.get_wait_list()[0] == event,
           "get_wait_list() has what it waits for");
    host.set_value();
    next.wait();
    expect(next.get_wait_list().empty(), "get_wait_list() of a complete command");
}

// Commands that wait for others to start: there have to be threads enough.
static void wait_for_each_other()
{
    sycl::queue queue;
    constexpr int tasks = 6;
    std::atomic<int> arrived{0};
    for (int i = 0; i < tasks; ++i)
        queue.submit([&](sycl::handler &group) {
            group.host_task([&arrived] {
                ++arrived;
                while (arrived < tasks)
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
            });
        });
    queue.wait();
    expect(arrived == tasks, "tasks that wait for each other", arrived.load());
}

static void collect_errors()
{
    int errors = 0;
    std::string message;
    sycl::queue queue([&](sycl::exception_list list) {
        for (const std::exception_ptr &each : list) {
            try {
                std::rethrow_exception(each);
            } catch (const std::runtime_error &error) {
                message = error.what();
                ++errors;
            }
        }
    });
    auto fail = [&] {
        return queue.submit([&](sycl::handler &group) {
            group.host_task([] { throw std::runtime_error("on purpose"); });
        });
    };
    fail();
    queue.wait();
    expect(errors == 0, "wait() leaves errors alone", errors);
    queue.throw_asynchronous();
    expect(errors == 1 && message == "on purpose", "throw_asynchronous()", errors, message);
    fail();
    fail();
    queue.wait_and_throw();
    expect(errors == 3, "wait_and_throw()", errors);
    fail().wait_and_throw();
    expect(errors == 4, "event::wait_and_throw()", errors);
    queue.wait_and_throw();
    expect(errors == 4, "an error is passed on once", errors);

    expect_error(sycl::errc::invalid, "two commands in one group", [&] {
        queue.submit([&](sycl::handler &group) {
            group.host_task([] {});
            group.host_task([] {});
        });
    });
}

static void move_memory()
{
    sycl::queue queue{sycl::property::queue::in_order()};
    int *a = sycl::malloc_device<int>(100, queue), *b = sycl::malloc_host<int>(100, queue);
    queue.fill(a, 7, 100);
    queue.memcpy(b, a, 50 * sizeof(int));
    queue.memset(b + 50, 0, 25 * sizeof(int));
    queue.copy(a, b + 75, 25).wait();
    expect(b[0] == 7 && b[49] == 7 && b[50] == 0 && b[74] == 0 && b[75] == 7 && b[99] == 7,
           "fill, memcpy, memset, copy");
    sycl::event filled = queue.fill(a, 8, 100);
    queue.prefetch(a, 100, filled);
    queue.mem_advise(a, 100, 0, std::vector{filled}).wait();
    expect(a[99] == 8, "fill");
    expect(sycl::get_pointer_type(a + 99, queue.get_context()) == sycl::usm::alloc::device &&
               sycl::get_pointer_type(b, queue.get_context()) == sycl::usm::alloc::host &&
               sycl::get_pointer_type(&queue, queue.get_context()) == sycl::usm::alloc::unknown,
           "kinds of pointers");
    sycl::free(a, queue);
    sycl::free(b, queue.get_context());
}

static void measure()
{
    sycl::queue queue{sycl::property::queue::enable_profiling()};
    using namespace sycl::info;
    sycl::event event = queue.submit([&](sycl::handler &group) {
        group.host_task([] { std::this_thread::sleep_for(std::chrono::milliseconds(3)); });
    });
    const auto submit = event.get_profiling_info<event_profiling::command_submit>();
    const auto start = event.get_profiling_info<event_profiling::command_start>();
    const auto end = event.get_profiling_info<event_profiling::command_end>();
    expect(submit <= start && start + 3000000 <= end, "times", submit, start, end);
    sycl::queue without;
    expect_error(sycl::errc::invalid, "times of a queue without profiling", [&] {
        without.single_task([] {}).get_profiling_info<event_profiling::command_end>();
    });
}

static void describe()
{
    sycl::event done;
    done.wait();
    expect(done.get_info<sycl::info::event::command_execution_status>() ==
               sycl::info::event_command_status::complete,
           "an event without a command is complete");
    sycl::queue queue(sycl::cpu_selector_v), copy = queue, other;
    expect(queue == copy && queue != other, "equality");
    expect(std::hash<sycl::queue>()(queue) == std::hash<sycl::queue>()(copy), "hash");
    expect(queue.get_device() == sycl::device(), "device");
    expect(queue.get_info<sycl::info::queue::context>() == queue.get_context(), "context");
    expect_error(sycl::errc::runtime, "there is no GPU", [] { sycl::queue(sycl::gpu_selector_v); });
}

int main()
{
    run_in_order();
    depend();
    run_asynchronously();
    wait_for_each_other();
    collect_errors();
    move_memory();
    measure();
    describe();
    return finish();
}
