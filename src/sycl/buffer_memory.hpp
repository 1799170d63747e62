// SPDX-License-Identifier: BSD-3-Clause
// The memory of buffers, and the order of the commands that access it.
#ifndef SYCL_BUFFER_MEMORY_HPP
#define SYCL_BUFFER_MEMORY_HPP

#include "sycl/runtime.hpp"

#include <algorithm>
#include <cstddef>

namespace sycl::detail
{

// Memory that commands access by accessors.
class buffer_memory
{
  public:
    // `storage` keeps the memory at `data`.
    buffer_memory(void *data, std::size_t bytes, std::shared_ptr<void> storage)
        : data_(data), bytes_(bytes), storage_(std::move(storage))
    {
    }

    void *data() const
    {
        return data_;
    }

    std::size_t bytes() const
    {
        return bytes_;
    }

    // All buffers' orders are changed under one lock, so that two commands that access two buffers
    // have one order for both.
    static std::mutex &order_mutex()
    {
        static std::mutex *const mutex = new std::mutex; // used until the process has ended
        return *mutex;
    }

    // Adds a command to the order. Appends to `before` the commands that it has to wait for: the
    // last one that writes, if itself writes those that have read since, and the accesses of the
    // host that conflict. With the lock.
    void add(const command_ptr &added, bool is_writing, std::vector<command_ptr> &before)
    {
        append_commands(added, is_writing, before);
        forget_complete_hosts();
        for (const host &each : hosts_)
            if (is_writing || each.is_writing)
                before.push_back(each.access);
        if (is_writing) {
            readers_.clear();
            last_writer_ = added;
        } else {
            readers_.push_back(added);
        }
    }

    // The same for an access of the host. It does not wait for others of the host, which may be
    // those of the same thread.
    void add_host(const command_ptr &added, bool is_writing, std::vector<command_ptr> &before)
    {
        append_commands(added, is_writing, before);
        forget_complete_hosts();
        hosts_.push_back({added, is_writing});
    }

    // Waits for the commands that were added.
    void wait()
    {
        std::vector<command_ptr> all;
        {
            std::lock_guard<std::mutex> lock(order_mutex());
            all = readers_;
            if (last_writer_)
                all.push_back(last_writer_);
        }
        for (const command_ptr &each : all)
            runtime::instance().wait(*each);
    }

  private:
    struct host {
        command_ptr access;
        bool is_writing;
    };

    void append_commands(const command_ptr &added, bool is_writing,
                         std::vector<command_ptr> &before)
    {
        if (last_writer_ && last_writer_ != added)
            before.push_back(last_writer_);
        forget_complete_readers();
        for (const command_ptr &reader : readers_)
            if (is_writing && reader != added)
                before.push_back(reader);
    }

    void forget_complete_readers()
    {
        readers_.erase(std::remove_if(readers_.begin(), readers_.end(),
                                      [](const command_ptr &each) { return each->is_complete(); }),
                       readers_.end());
    }

    void forget_complete_hosts()
    {
        hosts_.erase(std::remove_if(hosts_.begin(), hosts_.end(),
                                    [](const host &each) { return each.access->is_complete(); }),
                     hosts_.end());
    }

    void *data_;
    std::size_t bytes_;
    std::shared_ptr<void> storage_;
    command_ptr last_writer_;
    std::vector<command_ptr> readers_; // since then
    std::vector<host> hosts_;          // accesses of the host, also ended ones
};

using buffer_memory_ptr = std::shared_ptr<buffer_memory>;

// Access of the host: it begins when the commands before it are complete, and those that come later
// wait for its end.
class host_access
{
  public:
    host_access(buffer_memory &memory, bool is_writing)
        : command_(std::make_shared<command>(nullptr))
    {
        std::vector<command_ptr> before;
        {
            std::lock_guard<std::mutex> lock(buffer_memory::order_mutex());
            memory.add_host(command_, is_writing, before);
            runtime::instance().begin(command_);
        }
        for (const command_ptr &each : before)
            runtime::instance().wait(*each);
    }

    host_access(const host_access &) = delete;
    host_access &operator=(const host_access &) = delete;

    ~host_access()
    {
        runtime::instance().finish(*command_);
    }

  private:
    command_ptr command_;
};

} // namespace sycl::detail

#endif
