// SPDX-License-Identifier: BSD-3-Clause
// Runs the work-items of work-groups on one thread, each on a fiber, so that a work-item may wait
// for others.
//
// A fiber runs one work-item after the other until one of them waits. Then another fiber goes on
// with the next. A kernel whose work-items never wait therefore runs as a plain loop.
#ifndef SYCL_WORK_GROUP_HPP
#define SYCL_WORK_GROUP_HPP

#include "sycl/fiber.hpp"

#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace sycl::detail
{

class work_group;
class item_scheduler;

inline constexpr std::size_t max_work_group_size = 1024;
inline constexpr std::size_t sub_group_size = 16;
inline constexpr std::size_t max_local_memory = 1024 * 1024;
inline constexpr std::size_t local_alignment = 128; // that of the largest vectors

// A kernel that has been started: it deals out work-groups and runs their work-items.
class kernel_launch
{
  public:
    virtual ~kernel_launch() = default;

    // Makes `group` the next work-group that no thread has taken. Returns false if there is none.
    // Several threads may call this at the same time.
    virtual bool open(work_group &group) = 0;

    // Runs work-items that have not begun, one after the other, until all have.
    virtual void run_items(work_group &group) = 0;

    // A thread that runs work-groups of this kernel calls the first before and the second after
    // that. Its work-groups have what the first returns.
    virtual void *begin_thread()
    {
        return nullptr;
    }

    virtual void end_thread(void *)
    {
    }

    std::size_t local_bytes = 0; // memory that each work-group needs for local accessors
};

struct fiber {
    context_switch context;
    stack memory;
    fiber *next = nullptr; // in the one list that the fiber is in
    work_group *group = nullptr;

    fiber();
    ~fiber();
    fiber(const fiber &) = delete;
    fiber &operator=(const fiber &) = delete;
};

// First in, first out.
class fiber_list
{
  public:
    bool empty() const
    {
        return !first_;
    }

    void push(fiber *added)
    {
        added->next = nullptr;
        (first_ ? last_->next : first_) = added;
        last_ = added;
    }

    fiber *pop()
    {
        fiber *taken = first_;
        first_ = taken->next;
        return taken;
    }

    void append(fiber_list &other)
    {
        if (other.empty())
            return;
        (first_ ? last_->next : first_) = other.first_;
        last_ = other.last_;
        other.first_ = nullptr;
    }

  private:
    fiber *first_ = nullptr;
    fiber *last_ = nullptr;
};

// Where the members of a group meet.
struct barrier_state {
    std::size_t arrived = 0;
    fiber_list waiting;
};

// A work-group while it runs, or a slice of a range without work-groups.
class work_group
{
  public:
    kernel_launch *launch = nullptr;
    std::size_t number = 0;    // its linear number in the launch
    std::size_t size = 0;      // work-items
    std::size_t begun = 0;     // of these, and so the next one's number
    std::size_t ended = 0;     // of these
    barrier_state whole;       // where all work-items meet
    char *local = nullptr;     // memory for local accessors
    void *of_thread = nullptr; // what begin_thread() returned

    work_group() = default;
    work_group(const work_group &) = delete;
    work_group &operator=(const work_group &) = delete;

    ~work_group()
    {
        std::free(local);
    }

    void begin(kernel_launch &of, std::size_t its_number, std::size_t its_size)
    {
        launch = &of;
        number = its_number;
        size = its_size;
        begun = ended = 0;
        if (of.local_bytes > local_capacity_)
            enlarge_local(of.local_bytes);
    }

    // Where the members of a sub-group meet.
    barrier_state &part(std::size_t sub_group)
    {
        if (sub_group >= parts_.size())
            parts_.resize((max_work_group_size + sub_group_size - 1) / sub_group_size);
        return parts_[sub_group];
    }

    // An entry for each work-item, for what it gives to and takes from the others of a group.
    void **slots()
    {
        if (slots_.size() < size)
            slots_.resize(size);
        return slots_.data();
    }

  private:
    void enlarge_local(std::size_t bytes)
    {
        std::free(local);
        local_capacity_ = 0;
        local = static_cast<char *>(std::aligned_alloc(
            local_alignment, (bytes + local_alignment - 1) / local_alignment * local_alignment));
        if (!local)
            throw exception(errc::memory_allocation, "no memory for local accessors");
        local_capacity_ = bytes;
    }

    std::vector<barrier_state> parts_;
    std::vector<void *> slots_;
    std::size_t local_capacity_ = 0;
};

// Fibers that have nothing to do. They stay on the thread that made them.
class fiber_pool
{
  public:
    // Each has two mappings, and Linux allows 65,530 to a process.
    static constexpr std::size_t most = 8 * max_work_group_size;

    static fiber_pool &of_this_thread()
    {
        static thread_local fiber_pool pool;
        return pool;
    }

    ~fiber_pool()
    {
        while (!idle_.empty())
            delete idle_.pop();
    }

    bool can_take() const
    {
        return !idle_.empty() || made_ < most;
    }

    fiber *take()
    {
        if (!idle_.empty())
            return idle_.pop();
        fiber *made = new fiber;
        ++made_;
        return made;
    }

    void give_back(fiber *unused)
    {
        idle_.push(unused);
    }

    // Ends a fiber in the middle of its work-item.
    void destroy(fiber *unfinished)
    {
        delete unfinished;
        --made_;
    }

  private:
    fiber_list idle_;
    std::size_t made_ = 0;
};

// The scheduler whose fibers this thread runs; null outside of kernels with work-items.
inline thread_local item_scheduler *current_scheduler = nullptr;

class item_scheduler
{
  public:
    // Runs all work-groups of the kernel that other threads have not taken. Throws the first
    // exception of a work-item, or one that says why the kernel cannot end.
    void run(kernel_launch &launch)
    {
        launch_ = &launch;
        item_scheduler *outer = std::exchange(current_scheduler, this);
        describe_caller(main_, outer && outer->current_ ? &outer->current_->context : nullptr);
        try {
            of_thread_ = launch.begin_thread();
            while (step()) {
            }
        } catch (...) {
            note_error();
        }
        abandon();
        current_scheduler = outer;
        if (error_)
            std::rethrow_exception(error_);
    }

    work_group &current_group()
    {
        return *current_->group;
    }

    // Lets other work-items run, and returns true. Returns false at once if none can.
    bool yield()
    {
        ++stalled_;
        if (!current_ || (runnable_.empty() && !starting_ && !may_open()))
            return false;
        runnable_.push(current_);
        ++runnable_count_;
        suspend();
        return true;
    }

    // Waits until `expected` work-items have called this for the same state. The last one calls
    // finish() before any goes on.
    template <typename Finish> void meet(barrier_state &at, std::size_t expected, Finish &&finish)
    {
        if (++at.arrived < expected) {
            at.waiting.push(current_);
            suspend();
            return;
        }
        finish();
        at.arrived = 0;
        runnable_count_ += expected - 1;
        runnable_.append(at.waiting);
        stalled_ = 0;
    }

  private:
    friend struct fiber;

    // How often work-items may yield, without one that ends or a barrier that opens, before another
    // work-group is started beside theirs.
    static constexpr std::size_t patience = 64;

    bool may_open() const
    {
        return !is_exhausted_ && stalled_ > patience && stalled_ > 2 * runnable_count_ &&
               fiber_pool::of_this_thread().can_take();
    }

    // Runs one fiber until it waits, yields or has nothing to do. Returns false at the end of the
    // kernel.
    bool step()
    {
        if (!starting_ && ((groups_.empty() && !is_exhausted_) || may_open()))
            open_group();
        if (starting_ && fiber_pool::of_this_thread().can_take()) {
            fiber *fresh = fiber_pool::of_this_thread().take();
            fresh->group = starting_;
            resume(fresh);
        } else if (!runnable_.empty()) {
            --runnable_count_;
            resume(runnable_.pop());
        } else if (groups_.empty()) {
            return !is_exhausted_;
        } else {
            throw_stuck();
        }
        return true;
    }

    void open_group()
    {
        std::unique_ptr<work_group> group;
        if (spare_.empty()) {
            group = std::make_unique<work_group>();
        } else {
            group = std::move(spare_.back());
            spare_.pop_back();
        }
        stalled_ = 0;
        if (!launch_->open(*group)) {
            is_exhausted_ = true;
            return;
        }
        group->of_thread = of_thread_;
        starting_ = group.get();
        groups_.push_back(std::move(group));
    }

    void close_group(const work_group *ended)
    {
        for (auto &group : groups_) {
            if (group.get() == ended) {
                std::swap(group, groups_.back());
                spare_.push_back(std::move(groups_.back()));
                groups_.pop_back();
                return;
            }
        }
    }

    void resume(fiber *next)
    {
        current_ = next;
        switch_context(main_, next->context);
        current_ = nullptr;
        if (starting_ && starting_->begun == starting_->size)
            starting_ = nullptr;
        if (ended_) {
            close_group(ended_);
            ended_ = nullptr;
        }
    }

    void suspend()
    {
        switch_context(current_->context, main_);
    }

    void note_error()
    {
        if (!error_)
            error_ = std::current_exception();
    }

    // Only a mistake of the kernel can bring this about, or too many fibers.
    [[noreturn]] void throw_stuck()
    {
        const work_group &group = *groups_.front();
        if (starting_)
            throw exception(errc::runtime, "a kernel needs more than " +
                                               std::to_string(fiber_pool::most) +
                                               " work-items that wait at the same time");
        throw exception(errc::runtime, "work-group " + std::to_string(group.number) +
                                           " is stuck: work-items wait in a group function, and " +
                                           std::to_string(group.ended) + " of " +
                                           std::to_string(group.size) +
                                           " ended without calling it");
    }

    // After an error: ends the work-items that still wait. Their objects are not destroyed.
    void abandon()
    {
        for (auto &group : groups_) {
            for (std::size_t i = 0; i * sub_group_size < group->size; ++i)
                destroy(group->part(i).waiting);
            destroy(group->whole.waiting);
        }
        destroy(runnable_);
    }

    void destroy(fiber_list &unfinished)
    {
        while (!unfinished.empty())
            fiber_pool::of_this_thread().destroy(unfinished.pop());
    }

    // The life of a fiber: work-items of the group that it is given, again and again.
    [[noreturn]] static void fiber_main()
    {
        note_first_switch();
        for (;;) {
            item_scheduler &scheduler = *current_scheduler;
            fiber *self = scheduler.current_;
            scheduler.run_items(*self->group);
            fiber_pool::of_this_thread().give_back(self);
            switch_context(self->context, current_scheduler->main_);
        }
    }

    void run_items(work_group &group)
    {
        try {
            group.launch->run_items(group);
        } catch (...) {
            note_error();
            ++group.ended; // the work-item that threw
        }
        stalled_ = 0;
        if (group.ended == group.size)
            ended_ = &group;
    }

    kernel_launch *launch_ = nullptr;
    void *of_thread_ = nullptr;
    context_switch main_;
    fiber *current_ = nullptr;
    fiber_list runnable_; // work-items that can go on
    std::size_t runnable_count_ = 0;
    work_group *starting_ = nullptr; // the group that has work-items to begin
    work_group *ended_ = nullptr;    // the group whose last work-item has ended just now
    std::vector<std::unique_ptr<work_group>> groups_; // that have begun and not ended
    std::vector<std::unique_ptr<work_group>> spare_;
    bool is_exhausted_ = false; // all groups of the launch have begun
    std::size_t stalled_ = 0;   // yields since the last progress
    std::exception_ptr error_;
};

inline fiber::fiber()
{
#ifdef TERN_SYCL_TSAN
    context.tsan_fiber = __tsan_create_fiber(0);
#endif
    begin_context(context, memory, item_scheduler::fiber_main);
}

inline fiber::~fiber()
{
#ifdef TERN_SYCL_TSAN
    __tsan_destroy_fiber(context.tsan_fiber);
#endif
}

// The work-group whose work-item the caller is.
inline work_group &current_work_group()
{
    return current_scheduler->current_group();
}

} // namespace sycl::detail

namespace sycl::ext::tern
{

// For loops in a kernel that wait for another work-item, another command or another process. Lets
// other work-items run and returns true, or returns false if there are none that can: then the
// caller may pause. Does nothing but return false outside of kernels.
inline bool yield()
{
    return detail::current_scheduler && detail::current_scheduler->yield();
}

} // namespace sycl::ext::tern

#endif
