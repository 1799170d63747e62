// SPDX-License-Identifier: BSD-3-Clause
// Kernels that have been started, over a range or an nd_range.
#ifndef SYCL_KERNEL_HPP
#define SYCL_KERNEL_HPP

#include "sycl/item.hpp"
#include "sycl/runtime.hpp"

namespace sycl::detail
{

// Runs all work-groups of the kernel, and returns at their end. More threads than this one take
// part if the user wants that and there are enough groups.
inline void run_kernel(kernel_launch &launch, std::size_t groups)
{
    const std::size_t threads = std::min(runtime::instance().threads(), groups);
    if (threads <= 1) {
        item_scheduler().run(launch);
        return;
    }
    // Errors of the other threads are the kernel's, so the program never sees this queue.
    const auto helpers = std::make_shared<command_queue>(async_handler(), false, false);
    std::mutex mutex;
    std::exception_ptr error;
    auto work = [&] {
        try {
            item_scheduler().run(launch);
        } catch (...) {
            std::lock_guard<std::mutex> lock(mutex);
            error = std::current_exception();
        }
    };
    std::vector<command_ptr> started;
    for (std::size_t i = 1; i < threads; ++i) {
        started.push_back(std::make_shared<command_of<decltype(work)>>(helpers, work));
        runtime::instance().submit(started.back(), {});
    }
    work();
    for (const command_ptr &each : started)
        runtime::instance().wait(*each);
    if (error)
        std::rethrow_exception(error);
}

// Deals out numbers of work-groups. Relaxed: the numbers are all that threads share by it.
class group_dealer
{
  public:
    std::size_t next()
    {
        return next_.fetch_add(1, std::memory_order_relaxed);
    }

  private:
    std::atomic<std::size_t> next_{0};
};

// `Body` is called with each item, and with what its begin_thread() returned.
template <int Dimensions, typename Body> class range_launch : public kernel_launch
{
  public:
    range_launch(const range<Dimensions> &extent, Body &body)
        : extent_(extent), total_(extent.size()), body_(body)
    {
    }

    // The slices that count as work-groups.
    std::size_t groups() const
    {
        return (total_ + slice - 1) / slice;
    }

    bool open(work_group &group) override
    {
        const std::size_t number = dealer_.next();
        if (number >= groups())
            return false;
        group.begin(*this, number, std::min(slice, total_ - number * slice));
        return true;
    }

    void run_items(work_group &group) override
    {
        const std::size_t first = group.number * slice;
        std::size_t at = group.begun;
        id<Dimensions> position = delinearize(first + at, extent_);
        while (group.begun < group.size) {
            if (at != group.begun) { // another fiber has taken work-items meanwhile
                at = group.begun;
                position = delinearize(first + at, extent_);
            }
            ++group.begun;
            body_(item_access::make_item(position, extent_), group.of_thread);
            ++group.ended;
            ++at;
            advance(position, extent_);
        }
    }

    void *begin_thread() override
    {
        return body_.begin_thread();
    }

  private:
    static constexpr std::size_t slice = 1024;

    const range<Dimensions> extent_;
    const std::size_t total_;
    Body &body_;
    group_dealer dealer_;
};

template <int Dimensions, typename Body> class nd_range_launch : public kernel_launch
{
  public:
    nd_range_launch(const nd_range<Dimensions> &all, Body &body)
        : all_(all), groups_(all.get_group_range().size()), body_(body)
    {
    }

    std::size_t groups() const
    {
        return groups_;
    }

    bool open(work_group &group) override
    {
        const std::size_t number = dealer_.next();
        if (number >= groups_)
            return false;
        group.begin(*this, number, all_.get_local_range().size());
        return true;
    }

    void run_items(work_group &group) override
    {
        nd_item<Dimensions> item = item_access::make_nd_item(all_, group.number);
        const range<Dimensions> extent = all_.get_local_range();
        std::size_t at = group.begun;
        id<Dimensions> position = delinearize(at, extent);
        while (group.begun < group.size) {
            if (at != group.begun) { // another fiber has taken work-items meanwhile
                at = group.begun;
                position = delinearize(at, extent);
            }
            ++group.begun;
            item_access::set_local_id(item, position);
            body_(item, group.of_thread);
            ++group.ended;
            ++at;
            advance(position, extent);
        }
    }

    void *begin_thread() override
    {
        return body_.begin_thread();
    }

  private:
    const nd_range<Dimensions> all_;
    const std::size_t groups_;
    Body &body_;
    group_dealer dealer_;
};

// Throws unless the device can run the nd_range.
template <int Dimensions> void check_nd_range(const nd_range<Dimensions> &all)
{
    for (int i = 0; i < Dimensions; ++i) {
        const std::size_t global = all.get_global_range()[i], local = all.get_local_range()[i];
        if (!local || global % local)
            throw exception(errc::nd_range, "nd_range: the global size " + std::to_string(global) +
                                                " in dimension " + std::to_string(i) +
                                                " is no multiple of the local size " +
                                                std::to_string(local));
    }
    if (all.get_local_range().size() > max_work_group_size)
        throw exception(errc::nd_range, "nd_range: a work-group of " +
                                            std::to_string(all.get_local_range().size()) +
                                            " work-items is larger than " +
                                            std::to_string(max_work_group_size) +
                                            ", the device's max_work_group_size");
}

// Runs `body` for all items of the index space.
template <int Dimensions, typename Body>
void run_over(const range<Dimensions> &extent, Body &body, std::size_t)
{
    range_launch<Dimensions, Body> launch(extent, body);
    run_kernel(launch, launch.groups());
}

template <int Dimensions, typename Body>
void run_over(const nd_range<Dimensions> &all, Body &body, std::size_t local_bytes)
{
    nd_range_launch<Dimensions, Body> launch(all, body);
    launch.local_bytes = local_bytes;
    run_kernel(launch, launch.groups());
}

} // namespace sycl::detail

#endif
