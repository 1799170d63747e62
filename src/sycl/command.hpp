// SPDX-License-Identifier: BSD-3-Clause
// Commands: what queues carry out, and what events stand for.
#ifndef SYCL_COMMAND_HPP
#define SYCL_COMMAND_HPP

#include "sycl/exception.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace sycl::detail
{

class command;
using command_ptr = std::shared_ptr<command>;

// Errors of a queue's commands, until someone asks for them.
class error_list
{
  public:
    explicit error_list(async_handler handler) : handler_(std::move(handler))
    {
    }

    void add(std::exception_ptr error)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        errors_.push_back(std::move(error));
    }

    // Passes the errors so far to the handler, which is called without the lock. Without a handler
    // the program ends, as the standard demands.
    void pass_on()
    {
        std::vector<std::exception_ptr> taken;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            taken.swap(errors_);
        }
        if (taken.empty())
            return;
        if (handler_)
            handler_(exception_list(std::move(taken)));
        else
            report_and_terminate(taken);
    }

  private:
    [[noreturn]] static void report_and_terminate(const std::vector<std::exception_ptr> &errors);

    std::mutex mutex_;
    std::vector<std::exception_ptr> errors_;
    async_handler handler_;
};

inline void error_list::report_and_terminate(const std::vector<std::exception_ptr> &errors)
{
    for (const std::exception_ptr &error : errors) {
        try {
            std::rethrow_exception(error);
        } catch (const std::exception &known) {
            std::fprintf(stderr, "sycl: asynchronous error: %s\n", known.what());
        } catch (...) {
            std::fprintf(stderr, "sycl: asynchronous error of an unknown type\n");
        }
    }
    std::fprintf(stderr, "sycl: the queue has no async_handler, so the program ends\n");
    std::terminate();
}

enum class command_state : int { waiting, ready, running, complete };

// The links of a command in one list of commands. The owner of the list guards it.
struct command_links {
    command *before = nullptr;
    command *after = nullptr;
};

struct command_queue;

// The members, other than `state` and `times`, are guarded by the mutex of the runtime until the
// command is complete.
class command
{
  public:
    // `queue` is null for what the host does by itself.
    explicit command(std::shared_ptr<command_queue> queue) : queue_(std::move(queue))
    {
    }

    command(const command &) = delete;
    command &operator=(const command &) = delete;
    virtual ~command() = default;

    // What the command does. Called once.
    virtual void run()
    {
    }

    // Destroys what run() has used.
    virtual void clear()
    {
    }

    // A release store of complete, after the effects of the command, pairs with the acquire loads.
    bool is_complete() const
    {
        return state.load(std::memory_order_acquire) == command_state::complete;
    }

    command_queue *queue()
    {
        return queue_.get();
    }

    std::atomic<command_state> state{command_state::waiting};
    std::size_t unfinished = 0;            // dependencies that are not complete
    std::vector<command_ptr> dependencies; // of these, and maybe some that are complete
    std::vector<command_ptr> dependents;
    bool is_awaited = false; // a thread sleeps until the command is complete
    command_ptr self;        // keeps the command until it is complete
    command_links ready_links;
    command_links queue_links;

    struct {
        std::uint64_t submit = 0;
        std::uint64_t start = 0;
        std::uint64_t end = 0;
    } times; // in nanoseconds

  private:
    std::shared_ptr<command_queue> queue_;
};

// A command that calls a function.
template <typename Work> class command_of final : public command
{
  public:
    command_of(std::shared_ptr<command_queue> queue, Work work)
        : command(std::move(queue)), work_(std::move(work))
    {
    }

    void run() override
    {
        (*work_)();
    }

    void clear() override
    {
        work_.reset();
    }

  private:
    std::optional<Work> work_;
};

// Commands in a row, linked by the member that `Links` names.
template <command_links command::*Links> class command_row
{
  public:
    bool empty() const
    {
        return !first_;
    }

    command *first() const
    {
        return first_;
    }

    command *last() const
    {
        return last_;
    }

    void push(command *added)
    {
        (added->*Links) = {last_, nullptr};
        (last_ ? (last_->*Links).after : first_) = added;
        last_ = added;
    }

    void remove(command *removed)
    {
        command_links &links = removed->*Links;
        (links.before ? (links.before->*Links).after : first_) = links.after;
        (links.after ? (links.after->*Links).before : last_) = links.before;
        links = {};
    }

  private:
    command *first_ = nullptr;
    command *last_ = nullptr;
};

// The part of a queue that its commands need, so that they may outlive it.
struct command_queue {
    command_queue(async_handler handler, bool in_order, bool profiling)
        : errors(std::move(handler)), is_in_order(in_order), is_profiling(profiling)
    {
    }

    // Errors that nobody has asked for go to the handler now.
    ~command_queue()
    {
        errors.pass_on();
    }

    error_list errors;
    const bool is_in_order;
    const bool is_profiling;                            // commands note their times
    command_row<&command::queue_links> unfinished = {}; // guarded by the mutex of the runtime
};

inline std::uint64_t now()
{
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
}

} // namespace sycl::detail

#endif
