// SPDX-License-Identifier: BSD-3-Clause
// The handler of a command group: collects what the command does and what it depends on.
#ifndef SYCL_HANDLER_HPP
#define SYCL_HANDLER_HPP

#include "sycl/buffer.hpp"
#include "sycl/event.hpp"
#include "sycl/kernel.hpp"
#include "sycl/reduction.hpp"
#include "sycl/refused.hpp"
#include "sycl/specialization.hpp"

#include <cstring>
#include <tuple>

namespace sycl
{

class handler;
class queue;
template <typename T, int Dimensions> class local_accessor;

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

class unnamed_kernel;

template <typename T> inline constexpr bool is_accessor = false;
template <typename T, int D, access_mode M, target G, access::placeholder P>
inline constexpr bool is_accessor<accessor<T, D, M, G, P>> = true;

// For functions of which one argument or several are accessors.
template <typename... Ts> using if_accessors = std::enable_if_t<(is_accessor<Ts> || ...), int>;

template <typename T> inline constexpr bool is_id = false;
template <int Dimensions> inline constexpr bool is_id<id<Dimensions>> = true;

// A kernel function without reductions.
template <typename Kernel> class plain_body
{
  public:
    plain_body(Kernel kernel, kernel_handler constants)
        : kernel_(std::move(kernel)), constants_(std::move(constants))
    {
    }

    template <typename Item> void operator()(const Item &at, void *) const
    {
        call_kernel(kernel_, constants_, at);
    }

    void *begin_thread()
    {
        return nullptr;
    }

    void finish()
    {
    }

  private:
    const Kernel kernel_;
    const kernel_handler constants_;
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
        refuse_local_memory();
        set_work([kernel, constants = constants_] { detail::call_kernel(kernel, constants); });
    }

    template <auto &Id>
    void
    set_specialization_constant(typename std::remove_reference_t<decltype(Id)>::value_type value)
    {
        constants_.set<Id>(std::move(value));
    }

    template <auto &Id>
    typename std::remove_reference_t<decltype(Id)>::value_type get_specialization_constant() const
    {
        return constants_.get_specialization_constant<Id>();
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

    // With accessors. Those that are placeholders need no require() before.
    template <typename T, int D, access_mode M, target G, access::placeholder P, typename U>
    void copy(accessor<T, D, M, G, P> source, U *dest)
    {
        require_placeholder(source);
        set_work([=] { std::copy(source.begin(), source.end(), dest); });
    }

    template <typename T, int D, access_mode M, target G, access::placeholder P, typename U>
    void copy(accessor<T, D, M, G, P> source, std::shared_ptr<U> dest)
    {
        require_placeholder(source);
        set_work([=] { std::copy(source.begin(), source.end(), dest.get()); });
    }

    template <typename U, typename T, int D, access_mode M, target G, access::placeholder P>
    void copy(const U *source, accessor<T, D, M, G, P> dest)
    {
        require_placeholder(dest);
        set_work([=] { std::copy_n(source, dest.size(), dest.begin()); });
    }

    template <typename U, typename T, int D, access_mode M, target G, access::placeholder P>
    void copy(std::shared_ptr<U> source, accessor<T, D, M, G, P> dest)
    {
        require_placeholder(dest);
        set_work([=] { std::copy_n(source.get(), dest.size(), dest.begin()); });
    }

    template <typename T, int D, access_mode M, target G, access::placeholder P, typename U, int E,
              access_mode N, target H, access::placeholder Q>
    void copy(accessor<T, D, M, G, P> source, accessor<U, E, N, H, Q> dest)
    {
        if (dest.size() < source.size())
            throw exception(errc::invalid, "copy(): the destination is smaller than the source");
        require_placeholder(source);
        require_placeholder(dest);
        set_work([=] { std::copy(source.begin(), source.end(), dest.begin()); });
    }

    template <typename T, int D, access_mode M, target G, access::placeholder P>
    void fill(accessor<T, D, M, G, P> dest, const T &pattern)
    {
        require_placeholder(dest);
        set_work([=] { std::fill(dest.begin(), dest.end(), pattern); });
    }

    // The host sees the same memory at the end of the buffer or by a host_accessor.
    template <typename T, int D, access_mode M, target G, access::placeholder P>
    void update_host(accessor<T, D, M, G, P> source)
    {
        require_placeholder(source);
        set_work([source] {});
    }

    template <typename T, int D, access_mode M, target G, access::placeholder P>
    void require(const accessor<T, D, M, G, P> &needed)
    {
        require(needed.memory_, detail::is_writing(M));
    }

    // Left out.
    template <typename KernelName = detail::unnamed_kernel, typename... Arguments>
    void parallel_for_work_group(const Arguments &...)
    {
        static_assert(detail::is_there<Arguments...>,
                      "hierarchical kernels are left out: use a kernel over an nd_range");
    }

    template <typename... Arguments> void set_arg(const Arguments &...)
    {
        static_assert(detail::is_there<Arguments...>,
                      "set_arg() is left out: kernels capture their arguments");
    }

    template <typename... Arguments> void set_args(const Arguments &...)
    {
        static_assert(detail::is_there<Arguments...>,
                      "set_args() is left out: kernels capture their arguments");
    }

    template <typename... Arguments> void use_kernel_bundle(const Arguments &...)
    {
        static_assert(detail::is_there<Arguments...>,
                      "use_kernel_bundle() is left out: kernels are functions of the program");
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
    friend class queue;
    template <typename, int, access_mode, target, access::placeholder> friend class accessor;
    template <typename, int> friend class local_accessor;

    explicit handler(std::shared_ptr<detail::command_queue> queue) : queue_(std::move(queue))
    {
    }

    template <typename Work> void set_work(Work work)
    {
        if (command_)
            throw exception(errc::invalid, "a command group has one command, and this one has two");
        command_ = std::make_shared<detail::command_of<Work>>(queue_, std::move(work));
    }

    template <typename Accessor> void require_placeholder(const Accessor &needed)
    {
        if (needed.is_placeholder())
            require(needed);
    }

    void require(const detail::buffer_memory_ptr &memory, bool is_writing)
    {
        if (memory)
            requirements_.push_back({memory, is_writing});
    }

    // Reserves memory of each work-group, and returns where it begins.
    std::size_t add_local(std::size_t bytes, std::size_t alignment)
    {
        const std::size_t begin = (local_bytes_ + alignment - 1) / alignment * alignment;
        if (bytes > detail::max_local_memory || begin + bytes > detail::max_local_memory)
            throw exception(errc::memory_allocation,
                            "local accessors need more than the device's local_mem_size of " +
                                std::to_string(detail::max_local_memory) + " bytes");
        local_bytes_ = begin + bytes;
        return begin;
    }

    template <typename Space, typename Kernel>
    void set_kernel(const Space &space, const Kernel &kernel)
    {
        set_body(space, detail::plain_body<Kernel>(kernel, constants_));
    }

    // With reductions. The last argument is the kernel function.
    template <typename Space, typename First, typename Second, typename... Rest>
    void set_kernel(const Space &space, const First &first, const Second &second,
                    const Rest &...rest)
    {
        static_assert(!detail::is_id<First>,
                      "parallel_for() with an offset is deprecated and left out: add the offset in "
                      "the kernel");
        const auto all = std::tie(first, second, rest...);
        set_reducing(space, all, std::make_index_sequence<sizeof...(Rest) + 1>());
    }

    template <typename Space, typename Arguments, std::size_t... Is>
    void set_reducing(const Space &space, const Arguments &arguments, std::index_sequence<Is...>)
    {
        const auto &kernel = std::get<sizeof...(Is)>(arguments);
        (std::get<Is>(arguments).require(
             [this](const auto &...needed) { this->require(needed...); }),
         ...);
        set_body(space, detail::reducing_body<std::decay_t<decltype(kernel)>,
                                              std::decay_t<std::tuple_element_t<Is, Arguments>>...>(
                            kernel, constants_, std::get<Is>(arguments)...));
    }

    void refuse_local_memory() const
    {
        if (local_bytes_)
            throw exception(errc::kernel_argument,
                            "a local_accessor needs work-groups: a kernel over an nd_range");
    }

    template <int Dimensions, typename Body> void set_body(const range<Dimensions> &all, Body body)
    {
        refuse_local_memory();
        set_work([all, body = std::move(body)]() mutable {
            detail::run_over(all, body, 0);
            body.finish();
        });
    }

    template <int Dimensions, typename Body>
    void set_body(const nd_range<Dimensions> &space, Body body)
    {
        set_work([space, body = std::move(body), bytes = local_bytes_]() mutable {
            detail::run_over(space, body, bytes);
            body.finish();
        });
    }

    // Submits the command. A group without one is complete when its dependencies are.
    event submit()
    {
        if (!command_)
            set_work([] {});
        // Until the command is submitted, no other may come after it in the order of a buffer.
        std::unique_lock<std::mutex> lock(detail::buffer_memory::order_mutex(), std::defer_lock);
        if (!requirements_.empty())
            lock.lock();
        for (const requirement &each : requirements_)
            each.memory->add(command_, each.is_writing, dependencies_);
        detail::runtime::instance().submit(command_, std::move(dependencies_));
        return detail::event_access::make(std::move(command_));
    }

    struct requirement {
        detail::buffer_memory_ptr memory;
        bool is_writing;
    };

    std::shared_ptr<detail::command_queue> queue_;
    detail::command_ptr command_;
    std::vector<requirement> requirements_;
    kernel_handler constants_;
    std::vector<detail::command_ptr> dependencies_;
    std::size_t local_bytes_ = 0;
};

} // namespace sycl

#endif
