// SPDX-License-Identifier: BSD-3-Clause
// The handler of a command group: collects what the command does and what it depends on.
#ifndef SYCL_HANDLER_HPP
#define SYCL_HANDLER_HPP

#include "sycl/event.hpp"
#include "sycl/kernel.hpp"

#include <cstring>
#include <tuple>

namespace sycl
{

class handler;
class queue;

// For host tasks: the objects of the backend. This one has none.
class interop_handle
{
  public:
    backend get_backend() const noexcept
    {
        return backend::host;
    }

  private:
    friend class handler;
    interop_handle() = default;
};

namespace detail
{

struct handler_access;
class unnamed_kernel;

// A kernel function without reductions. `Kernel` takes an item.
template <typename Kernel> class plain_body
{
  public:
    explicit plain_body(Kernel kernel) : kernel_(std::move(kernel))
    {
    }

    template <typename Item> void operator()(const Item &at, void *) const
    {
        kernel_(at);
    }

    void *begin_thread()
    {
        return nullptr;
    }

    void end_thread(void *)
    {
    }

  private:
    const Kernel kernel_;
};

} // namespace detail

class handler
{
  public:
    handler(const handler &) = delete;
    handler &operator=(const handler &) = delete;

    void depends_on(const event &dependency)
    {
        if (const detail::command_ptr &command = detail::event_access::command_of(dependency))
            dependencies_.push_back(command);
    }

    void depends_on(const std::vector<event> &dependencies)
    {
        for (const event &each : dependencies)
            depends_on(each);
    }

    template <typename KernelName = detail::unnamed_kernel, typename Kernel>
    void single_task(const Kernel &kernel)
    {
        set_work([kernel] { kernel(); });
    }

    template <typename Task> void host_task(Task &&task)
    {
        using plain_task = std::decay_t<Task>;
        set_work([task = plain_task(std::forward<Task>(task))]() mutable {
            if constexpr (std::is_invocable_v<plain_task &, interop_handle>)
                task(interop_handle());
            else
                task();
        });
    }

    // The arguments after the index space are reductions, then the kernel function.
    template <typename KernelName = detail::unnamed_kernel, typename... Rest>
    void parallel_for(range<1> extent, Rest &&...rest)
    {
        set_kernel(extent, std::forward<Rest>(rest)...);
    }

    template <typename KernelName = detail::unnamed_kernel, typename... Rest>
    void parallel_for(range<2> extent, Rest &&...rest)
    {
        set_kernel(extent, std::forward<Rest>(rest)...);
    }

    template <typename KernelName = detail::unnamed_kernel, typename... Rest>
    void parallel_for(range<3> extent, Rest &&...rest)
    {
        set_kernel(extent, std::forward<Rest>(rest)...);
    }

    template <typename KernelName = detail::unnamed_kernel, int Dimensions, typename... Rest>
    void parallel_for(nd_range<Dimensions> all, Rest &&...rest)
    {
        detail::check_nd_range(all);
        set_kernel(all, std::forward<Rest>(rest)...);
    }

    void memcpy(void *dest, const void *source, std::size_t bytes)
    {
        set_work([=] {
            if (bytes)
                std::memcpy(dest, source, bytes);
        });
    }

    template <typename T> void copy(const T *source, T *dest, std::size_t count)
    {
        static_assert(std::is_trivially_copyable_v<T>, "copy() is for trivially copyable types");
        memcpy(dest, source, count * sizeof(T));
    }

    void memset(void *dest, int value, std::size_t bytes)
    {
        set_work([=] {
            if (bytes)
                std::memset(dest, value, bytes);
        });
    }

    template <typename T> void fill(void *dest, const T &pattern, std::size_t count)
    {
        static_assert(std::is_trivially_copyable_v<T>, "fill() is for trivially copyable types");
        set_work([=] { std::fill_n(static_cast<T *>(dest), count, pattern); });
    }

    // Memory is near all processors already.
    void prefetch(void *, std::size_t)
    {
        set_work([] {});
    }

    void mem_advise(void *, std::size_t, int)
    {
        set_work([] {});
    }

  private:
    friend struct detail::handler_access;
    friend class queue;

    explicit handler(std::shared_ptr<detail::command_queue> queue) : queue_(std::move(queue))
    {
    }

    template <typename Work> void set_work(Work work)
    {
        if (command_)
            throw exception(errc::invalid, "a command group has one command, and this one has two");
        command_ = std::make_shared<detail::command_of<Work>>(queue_, std::move(work));
    }

    template <typename Space, typename Kernel>
    void set_kernel(const Space &space, const Kernel &kernel)
    {
        set_body(space, detail::plain_body<Kernel>(kernel));
    }

    template <typename Space, typename Body> void set_body(const Space &space, Body body)
    {
        set_work([space, body = std::move(body), bytes = local_bytes_]() mutable {
            detail::run_over(space, body, bytes);
        });
    }

    // Submits the command. A group without one is complete when its dependencies are.
    event submit()
    {
        if (!command_)
            set_work([] {});
        detail::runtime::instance().submit(command_, std::move(dependencies_));
        return detail::event_access::make(std::move(command_));
    }

    std::shared_ptr<detail::command_queue> queue_;
    detail::command_ptr command_;
    std::vector<detail::command_ptr> dependencies_;
    std::size_t local_bytes_ = 0;
};

} // namespace sycl

#endif
