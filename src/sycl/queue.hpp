// SPDX-License-Identifier: BSD-3-Clause
// Queues, to which programs submit commands.
#ifndef SYCL_QUEUE_HPP
#define SYCL_QUEUE_HPP

#include "sycl/context.hpp"
#include "sycl/handler.hpp"
#include "sycl/usm.hpp"

namespace sycl
{

class queue
{
    template <typename Selector>
    using if_selector =
        std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>, int>;

  public:
    explicit queue(const property_list &properties = {})
        : queue(context(), device(), async_handler(), properties)
    {
    }

    explicit queue(const async_handler &handler, const property_list &properties = {})
        : queue(context(), device(), handler, properties)
    {
    }

    template <typename Selector, if_selector<Selector> = 0>
    explicit queue(const Selector &selector, const property_list &properties = {})
        : queue(context(), device(selector), async_handler(), properties)
    {
    }

    template <typename Selector, if_selector<Selector> = 0>
    explicit queue(const Selector &selector, const async_handler &handler,
                   const property_list &properties = {})
        : queue(context(), device(selector), handler, properties)
    {
    }

    explicit queue(const device &on, const property_list &properties = {})
        : queue(context(), on, async_handler(), properties)
    {
    }

    explicit queue(const device &on, const async_handler &handler,
                   const property_list &properties = {})
        : queue(context(), on, handler, properties)
    {
    }

    template <typename Selector, if_selector<Selector> = 0>
    explicit queue(const context &of, const Selector &selector,
                   const property_list &properties = {})
        : queue(of, device(selector), async_handler(), properties)
    {
    }

    template <typename Selector, if_selector<Selector> = 0>
    explicit queue(const context &of, const Selector &selector, const async_handler &handler,
                   const property_list &properties = {})
        : queue(of, device(selector), handler, properties)
    {
    }

    explicit queue(const context &of, const device &on, const property_list &properties = {})
        : queue(of, on, async_handler(), properties)
    {
    }

    explicit queue(const context &of, const device &, const async_handler &handler,
                   const property_list &properties = {})
        : state_(std::make_shared<state>(of, handler, properties))
    {
    }

    backend get_backend() const noexcept
    {
        return backend::host;
    }

    context get_context() const
    {
        return state_->of;
    }

    device get_device() const
    {
        return {};
    }

    bool is_in_order() const
    {
        return state_->commands->is_in_order;
    }

    template <typename Property> bool has_property() const noexcept
    {
        return state_->properties.has_property<Property>();
    }

    template <typename Property> Property get_property() const
    {
        return state_->properties.get_property<Property>();
    }

    template <typename Query> typename Query::return_type get_info() const
    {
        if constexpr (std::is_same_v<Query, info::queue::context>)
            return get_context();
        else if constexpr (std::is_same_v<Query, info::queue::device>)
            return get_device();
        else
            static_assert(detail::is_never<Query>, "this is not a query of queues");
    }

    template <typename Function> event submit(Function command_group)
    {
        handler group(state_->commands);
        command_group(group);
        return group.submit();
    }

    // The second queue is for commands that the first one's device cannot run. There is one device.
    template <typename Function> event submit(Function command_group, const queue &)
    {
        return submit(std::move(command_group));
    }

    void wait()
    {
        for (const detail::command_ptr &each :
             detail::runtime::instance().unfinished(*state_->commands))
            detail::runtime::instance().wait(*each);
    }

    void wait_and_throw()
    {
        wait();
        throw_asynchronous();
    }

    void throw_asynchronous()
    {
        state_->commands->errors.pass_on();
    }

    // Command groups of one line. Each takes an event, or several, that the command depends on.
    template <typename KernelName = detail::unnamed_kernel, typename Kernel>
    event single_task(const Kernel &kernel)
    {
        return submit([&](handler &group) { group.single_task(kernel); });
    }

    template <typename KernelName = detail::unnamed_kernel, typename Kernel>
    event single_task(const event &dependency, const Kernel &kernel)
    {
        return submit_after(dependency, [&](handler &group) { group.single_task(kernel); });
    }

    template <typename KernelName = detail::unnamed_kernel, typename Kernel>
    event single_task(const std::vector<event> &dependencies, const Kernel &kernel)
    {
        return submit_after(dependencies, [&](handler &group) { group.single_task(kernel); });
    }

    template <typename KernelName = detail::unnamed_kernel, typename... Rest>
    event parallel_for(range<1> extent, Rest &&...rest)
    {
        return submit_kernel(extent, std::forward<Rest>(rest)...);
    }

    template <typename KernelName = detail::unnamed_kernel, typename... Rest>
    event parallel_for(range<2> extent, Rest &&...rest)
    {
        return submit_kernel(extent, std::forward<Rest>(rest)...);
    }

    template <typename KernelName = detail::unnamed_kernel, typename... Rest>
    event parallel_for(range<3> extent, Rest &&...rest)
    {
        return submit_kernel(extent, std::forward<Rest>(rest)...);
    }

    template <typename KernelName = detail::unnamed_kernel, int Dimensions, typename... Rest>
    event parallel_for(nd_range<Dimensions> all, Rest &&...rest)
    {
        return submit_kernel(all, std::forward<Rest>(rest)...);
    }

#define TERN_SYCL_SHORTCUTS(template_head, function, parameters, arguments)                        \
    template_head event function(TERN_SYCL_LIST parameters)                                        \
    {                                                                                              \
        return submit([&](handler &group) { group.function arguments; });                          \
    }                                                                                              \
    template_head event function(TERN_SYCL_LIST parameters, const event &dependency)               \
    {                                                                                              \
        return submit_after(dependency, [&](handler &group) { group.function arguments; });        \
    }                                                                                              \
    template_head event function(TERN_SYCL_LIST parameters,                                        \
                                 const std::vector<event> &dependencies)                           \
    {                                                                                              \
        return submit_after(dependencies, [&](handler &group) { group.function arguments; });      \
    }
#define TERN_SYCL_LIST(...) __VA_ARGS__
    TERN_SYCL_SHORTCUTS(, memcpy, (void *dest, const void *source, std::size_t bytes),
                        (dest, source, bytes))
    TERN_SYCL_SHORTCUTS(template <typename T>, copy, (const T *source, T *dest, std::size_t count),
                        (source, dest, count))
    TERN_SYCL_SHORTCUTS(, memset, (void *dest, int value, std::size_t bytes), (dest, value, bytes))
    TERN_SYCL_SHORTCUTS(template <typename T>, fill,
                        (void *dest, const T &pattern, std::size_t count), (dest, pattern, count))
    TERN_SYCL_SHORTCUTS(, prefetch, (void *memory, std::size_t bytes), (memory, bytes))
    TERN_SYCL_SHORTCUTS(, mem_advise, (void *memory, std::size_t bytes, int advice),
                        (memory, bytes, advice))
#undef TERN_SYCL_LIST
#undef TERN_SYCL_SHORTCUTS

    // With accessors, which may be placeholders.
    template <typename Source, typename Dest, detail::if_accessors<Source, Dest> = 0>
    event copy(Source source, Dest dest)
    {
        return submit([&](handler &group) { group.copy(source, dest); });
    }

    template <typename Dest, typename T, detail::if_accessors<Dest> = 0>
    event fill(Dest dest, const T &pattern)
    {
        return submit([&](handler &group) {
            group.fill(dest, static_cast<typename Dest::value_type>(pattern));
        });
    }

    template <typename Source, detail::if_accessors<Source> = 0> event update_host(Source source)
    {
        return submit([&](handler &group) { group.update_host(source); });
    }

    friend bool operator==(const queue &a, const queue &b)
    {
        return a.state_ == b.state_;
    }

    friend bool operator!=(const queue &a, const queue &b)
    {
        return !(a == b);
    }

  private:
    friend struct std::hash<queue>;

    struct state {
        state(const context &its_context, const async_handler &handler,
              const property_list &its_properties)
            : of(its_context), properties(its_properties),
              commands(std::make_shared<detail::command_queue>(
                  handler ? handler : of.state_->handler,
                  properties.has_property<property::queue::in_order>(),
                  properties.has_property<property::queue::enable_profiling>()))
        {
        }

        state(const state &) = delete;
        state &operator=(const state &) = delete;

        // Errors that nobody has asked for. Commands that are not complete pass theirs on later.
        ~state()
        {
            commands->errors.pass_on();
        }

        context of;
        property_list properties;
        std::shared_ptr<detail::command_queue> commands;
    };

    template <typename Dependencies, typename Function>
    event submit_after(const Dependencies &dependencies, const Function &command_group)
    {
        return submit([&](handler &group) {
            group.depends_on(dependencies);
            command_group(group);
        });
    }

    // The first argument after the index space may be an event or events.
    template <typename Space, typename First, typename... Rest>
    event submit_kernel(const Space &space, First &&first, Rest &&...rest)
    {
        using plain_first = std::decay_t<First>;
        if constexpr (sizeof...(Rest) > 0 && (std::is_same_v<plain_first, event> ||
                                              std::is_same_v<plain_first, std::vector<event>>)) {
            return submit_after(first, [&](handler &group) {
                group.parallel_for(space, std::forward<Rest>(rest)...);
            });
        } else {
            return submit([&](handler &group) {
                group.parallel_for(space, std::forward<First>(first), std::forward<Rest>(rest)...);
            });
        }
    }

    std::shared_ptr<state> state_;
};

template <typename T, usm::alloc Kind, std::size_t Alignment>
usm_allocator<T, Kind, Alignment>::usm_allocator(const queue &of, const property_list &)
    : context_(of.get_context())
{
}

} // namespace sycl

namespace std
{
template <> struct hash<sycl::queue> {
    size_t operator()(const sycl::queue &of) const
    {
        return hash<shared_ptr<sycl::queue::state>>()(of.state_);
    }
};
} // namespace std

#endif
