// SPDX-License-Identifier: BSD-3-Clause
// Events: whether a command is complete.
#ifndef SYCL_EVENT_HPP
#define SYCL_EVENT_HPP

#include "sycl/info.hpp"
#include "sycl/runtime.hpp"

namespace sycl
{

namespace detail
{
struct event_access;
}

class event
{
  public:
    // An event that is complete.
    event() = default;

    backend get_backend() const noexcept
    {
        return backend::host;
    }

    // The commands that this one still waits for.
    std::vector<event> get_wait_list()
    {
        std::vector<event> list;
        if (command_)
            for (detail::command_ptr &each : detail::runtime::instance().dependencies(*command_))
                list.push_back(event(std::move(each)));
        return list;
    }

    void wait()
    {
        if (command_)
            detail::runtime::instance().wait(*command_);
    }

    static void wait(const std::vector<event> &events)
    {
        for (event each : events)
            each.wait();
    }

    void wait_and_throw()
    {
        wait();
        if (command_ && command_->queue())
            command_->queue()->errors.pass_on();
    }

    static void wait_and_throw(const std::vector<event> &events)
    {
        wait(events);
        for (event each : events)
            each.wait_and_throw();
    }

    template <typename Query> typename Query::return_type get_info() const
    {
        static_assert(std::is_same_v<Query, info::event::command_execution_status>,
                      "this is not a query of events");
        using info::event_command_status;
        // Acquire pairs with the release of the thread that completed the command.
        switch (command_ ? command_->state.load(std::memory_order_acquire)
                         : detail::command_state::complete) {
        case detail::command_state::complete:
            return event_command_status::complete;
        case detail::command_state::running:
            return event_command_status::running;
        default:
            return event_command_status::submitted;
        }
    }

    // In nanoseconds. Waits for the command, as it has to for its start and end.
    template <typename Query> typename Query::return_type get_profiling_info() const
    {
        if (command_ && !(command_->queue() && command_->queue()->is_profiling))
            throw exception(errc::invalid,
                            "get_profiling_info(): the queue has no property enable_profiling");
        if (!command_)
            return 0;
        if constexpr (std::is_same_v<Query, info::event_profiling::command_submit>)
            return command_->times.submit;
        detail::runtime::instance().wait(*command_);
        if constexpr (std::is_same_v<Query, info::event_profiling::command_start>)
            return command_->times.start;
        else
            return command_->times.end;
    }

    friend bool operator==(const event &a, const event &b)
    {
        return a.command_ == b.command_;
    }

    friend bool operator!=(const event &a, const event &b)
    {
        return !(a == b);
    }

  private:
    friend struct detail::event_access;
    friend struct std::hash<event>;

    explicit event(detail::command_ptr command) : command_(std::move(command))
    {
    }

    detail::command_ptr command_; // null: complete from the start
};

namespace detail
{

struct event_access {
    static event make(command_ptr command)
    {
        return event(std::move(command));
    }

    static const command_ptr &command_of(const event &of)
    {
        return of.command_;
    }
};

} // namespace detail
} // namespace sycl

namespace std
{
template <> struct hash<sycl::event> {
    size_t operator()(const sycl::event &of) const
    {
        return hash<sycl::detail::command_ptr>()(of.command_);
    }
};
} // namespace std

#endif
