// SPDX-License-Identifier: BSD-3-Clause
// The run time: starts commands in the order of their dependencies, on threads of its own and on
// those that wait.
//
// A thread that waits for a command runs it, if no other thread has begun it. So a program that
// submits and waits does not pay for a switch of threads.
#ifndef SYCL_RUNTIME_HPP
#define SYCL_RUNTIME_HPP

#include "sycl/command.hpp"

#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <thread>

namespace sycl::detail
{

class runtime
{
  public:
    // The one of the process. Threads may use it until the process has ended, so it is never
    // destroyed.
    static runtime &instance()
    {
        static runtime *const the_one = new runtime;
        return *the_one;
    }

    // TERN_SYCL_THREADS: how many threads carry out commands, and share a kernel's work-groups.
    std::size_t threads() const
    {
        return wanted_threads_;
    }

    // Adds a command to its queue. It may start when all `dependencies` are complete and, if the
    // queue is in order, the commands before it.
    void submit(const command_ptr &added, std::vector<command_ptr> dependencies)
    {
        command_queue &queue = *added->queue();
        if (queue.is_profiling)
            added->times.submit = now();
        std::unique_lock<std::mutex> lock(mutex_);
        added->self = added;
        if (queue.is_in_order && queue.unfinished.last())
            dependencies.push_back(queue.unfinished.last()->self);
        for (command_ptr &dependency : dependencies) {
            if (dependency->is_complete())
                continue;
            dependency->dependents.push_back(added);
            ++added->unfinished;
            added->dependencies.push_back(std::move(dependency));
        }
        queue.unfinished.push(added.get());
        if (added->unfinished)
            return;
        make_ready(added.get());
        wake_threads(lock);
    }

    // Adds a command that the caller itself carries out, and that is complete when the caller says
    // so by finish().
    void begin(const command_ptr &added)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        added->self = added;
        added->state.store(command_state::running, std::memory_order_relaxed);
    }

    void finish(command &ended)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        const command_ptr keep = std::move(ended.self);
        ended.state.store(command_state::complete, std::memory_order_release);
        for (const command_ptr &dependent : ended.dependents)
            if (!--dependent->unfinished)
                make_ready(dependent.get());
        std::vector<command_ptr> unused_dependents = std::move(ended.dependents);
        std::vector<command_ptr> unused_dependencies = std::move(ended.dependencies);
        if (ended.queue())
            ended.queue()->unfinished.remove(&ended);
        if (ended.is_awaited || (waiters_ && !threads_))
            completed_.notify_all();
        wake_threads(lock);
    }

    // Returns when the command is complete. The caller may run the command, and those that it
    // depends on, meanwhile.
    void wait(command &awaited)
    {
        while (!awaited.is_complete()) {
            std::unique_lock<std::mutex> lock(mutex_);
            if (command *helped = find_ready(awaited)) {
                take(helped);
                lock.unlock();
                run(*helped);
            } else {
                block(awaited, lock);
            }
        }
    }

    // The commands of a queue that are not complete.
    std::vector<command_ptr> unfinished(const command_queue &queue)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        std::vector<command_ptr> found;
        for (command *each = queue.unfinished.first(); each; each = each->queue_links.after)
            found.push_back(each->self);
        return found;
    }

    std::vector<command_ptr> dependencies(const command &of)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        return of.dependencies;
    }

  private:
    static constexpr std::size_t most_threads = 256;
    // If no command starts for this time, although some could, those that run may be waiting for
    // one of them. Then there is one more thread.
    static constexpr std::chrono::milliseconds patience{5};
    // How far wait() searches the dependencies for a command to run.
    static constexpr int search_depth = 64;

    runtime() : wanted_threads_(read_threads())
    {
    }

    static std::size_t read_threads()
    {
        const char *value = std::getenv("TERN_SYCL_THREADS");
        if (!value || !*value)
            return 1;
        char *end;
        const long number = std::strtol(value, &end, 10);
        if (*end || number < 1 || number > static_cast<long>(most_threads)) {
            std::fprintf(stderr, "sycl: TERN_SYCL_THREADS=%s: give a number from 1 to %zu\n", value,
                         most_threads);
            std::exit(1);
        }
        return static_cast<std::size_t>(number);
    }

    // The functions below are called with the lock.

    void make_ready(command *found)
    {
        found->state.store(command_state::ready, std::memory_order_relaxed);
        ready_.push(found);
        ++ready_count_;
    }

    void take(command *taken)
    {
        taken->state.store(command_state::running, std::memory_order_relaxed);
        ready_.remove(taken);
        --ready_count_;
        ++started_;
    }

    // Sees to it that commands that are ready will start. Releases the lock.
    void wake_threads(std::unique_lock<std::mutex> &lock)
    {
        std::size_t idle = idle_threads_;
        const std::size_t ready = ready_count_;
        while (idle < ready && threads_ < wanted_threads_) {
            start_thread();
            ++idle;
        }
        if (ready > idle)
            start_watcher();
        const bool wake_watcher = ready > idle && watcher_sleeps_;
        lock.unlock();
        if (wake_watcher)
            overload_.notify_one();
        for (std::size_t i = 0; i < ready && i < idle; ++i)
            work_.notify_one();
    }

    // The awaited command, or one that it depends on, that nobody has begun; or null.
    static command *find_ready(command &awaited)
    {
        command *at = &awaited;
        for (int i = 0; i < search_depth && at; ++i) {
            const command_state state = at->state.load(std::memory_order_relaxed);
            if (state == command_state::ready)
                return at;
            if (state != command_state::waiting)
                return nullptr;
            command *waiting = nullptr;
            for (const command_ptr &dependency : at->dependencies) {
                if (dependency->state.load(std::memory_order_relaxed) == command_state::ready)
                    return dependency.get();
                if (dependency->state.load(std::memory_order_relaxed) == command_state::waiting)
                    waiting = dependency.get();
            }
            at = waiting;
        }
        return nullptr;
    }

    void block(command &awaited, std::unique_lock<std::mutex> &lock)
    {
        ++waiters_;
        awaited.is_awaited = true;
        while (!awaited.is_complete() && !find_ready(awaited))
            completed_.wait(lock);
        --waiters_;
    }

    void start_thread()
    {
        ++threads_;
        if (!start([this] { carry_out(); }))
            --threads_;
    }

    void start_watcher()
    {
        if (!has_watcher_)
            has_watcher_ = start([this] { watch(); });
    }

    // Without the lock, from here on.

    // Signals are for the threads of the program.
    template <typename Function> static bool start(Function function)
    {
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        bool is_started = true;
        try {
            std::thread(function).detach();
        } catch (const std::system_error &) {
            is_started = false; // threads that wait run commands, too
        }
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return is_started;
    }

    void run(command &taken)
    {
        command_queue &queue = *taken.queue();
        if (queue.is_profiling)
            taken.times.start = now();
        try {
            taken.run();
        } catch (...) {
            queue.errors.add(std::current_exception());
        }
        taken.clear();
        if (queue.is_profiling)
            taken.times.end = now();
        finish(taken);
    }

    // The life of a thread: commands, in the order in which they became ready.
    void carry_out()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            while (command *next = ready_.first()) {
                take(next);
                lock.unlock();
                run(*next);
                lock.lock();
            }
            ++idle_threads_;
            work_.wait(lock);
            --idle_threads_;
        }
    }

    // The life of the watcher: one more thread whenever no command starts although one is ready.
    void watch()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            watcher_sleeps_ = true;
            while (ready_.empty())
                overload_.wait(lock);
            watcher_sleeps_ = false;
            const std::uint64_t seen = started_;
            lock.unlock();
            std::this_thread::sleep_for(patience);
            lock.lock();
            if (!ready_.empty() && started_ == seen && threads_ < most_threads)
                start_thread();
        }
    }

    const std::size_t wanted_threads_;
    std::mutex mutex_;
    std::condition_variable work_;     // for threads: a command is ready
    std::condition_variable overload_; // for the watcher: more commands are ready than threads idle
    std::condition_variable completed_; // for wait(): a command is complete
    command_row<&command::ready_links> ready_;
    std::size_t ready_count_ = 0;
    std::size_t threads_ = 0;
    std::size_t idle_threads_ = 0;
    std::size_t waiters_ = 0;   // threads in wait()
    std::uint64_t started_ = 0; // commands, ever
    bool has_watcher_ = false;
    bool watcher_sleeps_ = false;
};

} // namespace sycl::detail

#endif
