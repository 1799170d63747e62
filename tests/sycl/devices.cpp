// SPDX-License-Identifier: BSD-3-Clause
// Platforms, devices, contexts, selectors, properties and exceptions: SYCL 2020, 4.6, 4.5 and 4.13.
#include "expect.hpp"

#include <unordered_set>

namespace info = sycl::info;

static void query()
{
    const sycl::device device;
    expect(sycl::platform::get_platforms().size() == 1, "one platform");
    expect(sycl::device::get_devices().size() == 1, "one device");
    expect(sycl::device::get_devices(info::device_type::gpu).empty(), "no GPU");
    expect(device.is_cpu() && !device.is_gpu() && !device.is_accelerator(), "kind");
    expect(device.get_info<info::device::device_type>() == info::device_type::cpu, "type");
    expect(device.get_info<info::device::max_compute_units>() >= 1, "processors");
    expect(device.get_info<info::device::max_work_group_size>() >= 256, "work-groups");
    expect(device.get_info<info::device::max_work_item_sizes<3>>()[2] >= 64, "work-items");
    expect(device.get_info<info::device::sub_group_sizes>().size() == 1, "sub-groups");
    expect(device.get_info<info::device::local_mem_size>() >= 32768, "local memory");
    expect(device.get_info<info::device::global_mem_size>() > 1 << 20, "memory");
    expect(!device.get_info<info::device::name>().empty(), "name");
    expect(device.get_info<info::device::platform>() == device.get_platform(), "platform");
    for (sycl::aspect each : device.get_info<info::device::aspects>())
        expect(device.has(each), "aspect", static_cast<int>(each));
    expect(device.has(sycl::aspect::cpu) && !device.has(sycl::aspect::image), "aspects");
    static_assert(sycl::any_device_has_v<sycl::aspect::fp64> &&
                  !sycl::all_devices_have_v<sycl::aspect::fp16>);
    expect_error(sycl::errc::feature_not_supported, "parts of devices", [&] {
        device.create_sub_devices<info::partition_property::partition_equally>(std::size_t(2));
    });
}

static void select()
{
    const sycl::device by_function([](const sycl::device &each) { return each.is_cpu() ? 5 : -1; });
    expect(by_function == sycl::device(sycl::default_selector_v), "a function as selector");
    expect_error(sycl::errc::runtime, "a function that wants none",
                 [] { sycl::device{[](const sycl::device &) { return -1; }}; });
    expect_error(sycl::errc::runtime, "accelerator_selector_v",
                 [] { sycl::queue queue(sycl::accelerator_selector_v); });
    sycl::device{sycl::aspect_selector(sycl::aspect::fp64, sycl::aspect::cpu)};
    sycl::device{sycl::aspect_selector<sycl::aspect::usm_shared_allocations>()};
    expect_error(sycl::errc::runtime, "an aspect that is not there",
                 [] { sycl::device{sycl::aspect_selector(sycl::aspect::gpu)}; });
    expect_error(sycl::errc::runtime, "an aspect that is not wanted",
                 [] { sycl::device{sycl::aspect_selector({}, {sycl::aspect::cpu})}; });
    sycl::queue queue{sycl::default_selector{}};
    expect(queue.get_device() == sycl::device(), "selectors of SYCL 1.2.1");
}

static void compare()
{
    const sycl::context a, b, copy = a;
    expect(a == copy && a != b, "contexts");
    std::unordered_set<sycl::context> set{a, b, copy};
    expect(set.size() == 2, "hashes of contexts", set.size());
    expect(sycl::queue(a, sycl::device()).get_context() == a, "the context of a queue");
    expect_error(sycl::errc::invalid, "a context without devices",
                 [] { sycl::context(std::vector<sycl::device>()); });
}

static void have_properties()
{
    const sycl::property_list list{sycl::property::queue::in_order(), sycl::no_init};
    expect(list.has_property<sycl::property::queue::in_order>() &&
               !list.has_property<sycl::property::queue::enable_profiling>(),
           "has_property()");
    expect_error(sycl::errc::invalid, "get_property()",
                 [&] { list.get_property<sycl::property::queue::enable_profiling>(); });
    static_assert(sycl::is_property_v<sycl::property::queue::in_order> &&
                  !sycl::is_property_v<int>);
    static_assert(sycl::is_property_of_v<sycl::property::queue::in_order, sycl::queue>);
}

static void throw_exceptions()
{
    const sycl::context context;
    const sycl::exception error(context, sycl::errc::nd_range, "words");
    expect(error.what() == std::string("words") && error.code() == sycl::errc::nd_range &&
               error.category() == sycl::sycl_category() && error.has_context() &&
               error.get_context() == context,
           "an exception with a context");
    const sycl::exception plain(sycl::errc::build);
    expect(!plain.has_context() && plain.what() == plain.code().message(), "one without words");
    expect_error(sycl::errc::invalid, "no context", [&] { plain.get_context(); });
    expect(std::string(sycl::sycl_category().name()) == "sycl", "the category's name");
}

// Errors go to the handler of the context if the queue has none, at the latest when it ends.
static void handle_errors()
{
    int errors = 0;
    const sycl::context context(
        [&](sycl::exception_list list) { errors += static_cast<int>(list.size()); });
    sycl::event event; // keeps the command
    {
        sycl::queue queue(context, sycl::device());
        event = queue.single_task([] { throw 1; });
        queue.wait();
        expect(errors == 0, "an error waits", errors);
    }
    expect(errors == 1, "the end of a queue passes errors on", errors);
}

int main()
{
    query();
    select();
    compare();
    have_properties();
    throw_exceptions();
    handle_errors();
    return finish();
}
