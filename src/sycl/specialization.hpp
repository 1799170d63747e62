// SPDX-License-Identifier: BSD-3-Clause
// Specialization constants: values that kernels read and that command groups set.
#ifndef SYCL_SPECIALIZATION_HPP
#define SYCL_SPECIALIZATION_HPP

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace sycl
{

class handler;

// The name of a constant, and its value if no command group sets one. An object with static
// storage.
template <typename T> class specialization_id
{
  public:
    using value_type = T;

    template <typename... Arguments>
    explicit constexpr specialization_id(Arguments &&...arguments)
        : value_(std::forward<Arguments>(arguments)...)
    {
    }

    specialization_id(const specialization_id &) = delete;
    specialization_id(specialization_id &&) = delete;
    specialization_id &operator=(const specialization_id &) = delete;
    specialization_id &operator=(specialization_id &&) = delete;

  private:
    friend class kernel_handler;

    T value_;
};

// The constants of a command group. A kernel function may take one after its other arguments.
class kernel_handler
{
  public:
    template <auto &Id>
    typename std::remove_reference_t<decltype(Id)>::value_type get_specialization_constant() const
    {
        using value = typename std::remove_reference_t<decltype(Id)>::value_type;
        if (const entry *found = find(&Id))
            return *static_cast<const value *>(found->value.get());
        return Id.value_;
    }

  private:
    friend class handler;

    struct entry {
        const void *id;
        std::shared_ptr<void> value;
    };

    kernel_handler() = default;

    template <auto &Id> void set(typename std::remove_reference_t<decltype(Id)>::value_type value)
    {
        if (!entries_)
            entries_ = std::make_shared<std::vector<entry>>();
        auto kept = std::make_shared<decltype(value)>(std::move(value));
        if (entry *found = find(&Id))
            found->value = std::move(kept);
        else
            entries_->push_back({&Id, std::move(kept)});
    }

    entry *find(const void *id) const
    {
        if (entries_)
            for (entry &each : *entries_)
                if (each.id == id)
                    return &each;
        return nullptr;
    }

    std::shared_ptr<std::vector<entry>> entries_; // null as long as none is set
};

namespace detail
{

// Calls a kernel function with the arguments, and with the kernel_handler if it takes one.
template <typename Kernel, typename... Arguments>
void call_kernel(const Kernel &kernel, const kernel_handler &constants, Arguments &&...arguments)
{
    if constexpr (std::is_invocable_v<const Kernel &, Arguments...>)
        kernel(std::forward<Arguments>(arguments)...);
    else
        kernel(std::forward<Arguments>(arguments)..., constants);
}

} // namespace detail
} // namespace sycl

#endif
