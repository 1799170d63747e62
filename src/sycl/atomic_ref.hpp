// SPDX-License-Identifier: BSD-3-Clause
// Atomic access to an object that is not declared as atomic.
#ifndef SYCL_ATOMIC_REF_HPP
#define SYCL_ATOMIC_REF_HPP

#include "sycl/memory_model.hpp"

#include <cstddef>
#include <type_traits>

namespace sycl
{

namespace detail
{

// The value of __ATOMIC_RELAXED and so on that the compiler's built-in functions take.
constexpr int to_builtin(memory_order order)
{
    return static_cast<int>(to_std(order));
}

// What a failed compare-exchange may have: nothing is stored.
constexpr memory_order load_part(memory_order order)
{
    if (order == memory_order::acq_rel)
        return memory_order::acquire;
    return order == memory_order::release ? memory_order::relaxed : order;
}

constexpr memory_order store_part(memory_order order)
{
    if (order == memory_order::acq_rel)
        return memory_order::release;
    return order == memory_order::acquire ? memory_order::relaxed : order;
}

// What operators ++ and others add or subtract: one, or one element.
template <typename T> struct atomic_difference {
    using type = T;
    static constexpr T scale = 1;
};

template <typename T> struct atomic_difference<T *> {
    using type = std::ptrdiff_t;
    static constexpr std::ptrdiff_t scale = sizeof(T);
};

} // namespace detail

template <typename T, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space = access::address_space::generic_space>
class atomic_ref
{
    static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                  "atomic_ref is for types of 4 or 8 bytes");
    static_assert(std::is_arithmetic_v<T> || std::is_pointer_v<T>,
                  "atomic_ref is for numbers and pointers");
    static_assert(DefaultOrder == memory_order::relaxed || DefaultOrder == memory_order::acq_rel ||
                      DefaultOrder == memory_order::seq_cst,
                  "the default order is relaxed, acq_rel or seq_cst");
    static_assert(Space != access::address_space::constant_space &&
                      Space != access::address_space::private_space,
                  "atomic_ref is for global, local or generic memory");

    static constexpr bool is_integer = std::is_integral_v<T>;
    static constexpr bool is_pointer = std::is_pointer_v<T>;

  public:
    using value_type = T;
    using difference_type = typename detail::atomic_difference<T>::type;
    static constexpr std::size_t required_alignment = sizeof(T);
    static constexpr bool is_always_lock_free = true;
    static constexpr memory_order default_read_order = detail::load_part(DefaultOrder);
    static constexpr memory_order default_write_order = detail::store_part(DefaultOrder);
    static constexpr memory_order default_read_modify_write_order = DefaultOrder;
    static constexpr memory_scope default_scope = DefaultScope;

    explicit atomic_ref(T &object) noexcept : object_(&object)
    {
    }

    atomic_ref(const atomic_ref &) noexcept = default;
    atomic_ref &operator=(const atomic_ref &) = delete;

    bool is_lock_free() const noexcept
    {
        return true;
    }

    void store(T value, memory_order order = default_write_order,
               memory_scope = default_scope) const noexcept
    {
        __atomic_store(object_, &value, detail::to_builtin(order));
    }

    T operator=(T desired) const noexcept
    {
        store(desired);
        return desired;
    }

    T load(memory_order order = default_read_order, memory_scope = default_scope) const noexcept
    {
        T value;
        __atomic_load(object_, &value, detail::to_builtin(order));
        return value;
    }

    operator T() const noexcept
    {
        return load();
    }

    T exchange(T value, memory_order order = default_read_modify_write_order,
               memory_scope = default_scope) const noexcept
    {
        T before;
        __atomic_exchange(object_, &value, &before, detail::to_builtin(order));
        return before;
    }

    bool compare_exchange_weak(T &expected, T desired, memory_order success, memory_order failure,
                               memory_scope = default_scope) const noexcept
    {
        return __atomic_compare_exchange(object_, &expected, &desired, true,
                                         detail::to_builtin(success), detail::to_builtin(failure));
    }

    bool compare_exchange_weak(T &expected, T desired,
                               memory_order order = default_read_modify_write_order,
                               memory_scope scope = default_scope) const noexcept
    {
        return compare_exchange_weak(expected, desired, order, detail::load_part(order), scope);
    }

    bool compare_exchange_strong(T &expected, T desired, memory_order success, memory_order failure,
                                 memory_scope = default_scope) const noexcept
    {
        return __atomic_compare_exchange(object_, &expected, &desired, false,
                                         detail::to_builtin(success), detail::to_builtin(failure));
    }

    bool compare_exchange_strong(T &expected, T desired,
                                 memory_order order = default_read_modify_write_order,
                                 memory_scope scope = default_scope) const noexcept
    {
        return compare_exchange_strong(expected, desired, order, detail::load_part(order), scope);
    }

    T fetch_add(difference_type operand, memory_order order = default_read_modify_write_order,
                memory_scope = default_scope) const noexcept
    {
        if constexpr (is_integer || is_pointer)
            return __atomic_fetch_add(object_, operand * scale, detail::to_builtin(order));
        else
            return update(order, [operand](T before) { return before + operand; });
    }

    T fetch_sub(difference_type operand, memory_order order = default_read_modify_write_order,
                memory_scope = default_scope) const noexcept
    {
        if constexpr (is_integer || is_pointer)
            return __atomic_fetch_sub(object_, operand * scale, detail::to_builtin(order));
        else
            return update(order, [operand](T before) { return before - operand; });
    }

    T fetch_min(T operand, memory_order order = default_read_modify_write_order,
                memory_scope = default_scope) const noexcept
    {
        static_assert(!is_pointer, "fetch_min() is for numbers");
        return update(order, [operand](T before) { return operand < before ? operand : before; });
    }

    T fetch_max(T operand, memory_order order = default_read_modify_write_order,
                memory_scope = default_scope) const noexcept
    {
        static_assert(!is_pointer, "fetch_max() is for numbers");
        return update(order, [operand](T before) { return before < operand ? operand : before; });
    }

    T fetch_and(T operand, memory_order order = default_read_modify_write_order,
                memory_scope = default_scope) const noexcept
    {
        static_assert(is_integer, "fetch_and() is for integers");
        return __atomic_fetch_and(object_, operand, detail::to_builtin(order));
    }

    T fetch_or(T operand, memory_order order = default_read_modify_write_order,
               memory_scope = default_scope) const noexcept
    {
        static_assert(is_integer, "fetch_or() is for integers");
        return __atomic_fetch_or(object_, operand, detail::to_builtin(order));
    }

    T fetch_xor(T operand, memory_order order = default_read_modify_write_order,
                memory_scope = default_scope) const noexcept
    {
        static_assert(is_integer, "fetch_xor() is for integers");
        return __atomic_fetch_xor(object_, operand, detail::to_builtin(order));
    }

    T operator++(int) const noexcept
    {
        return fetch_add(1);
    }

    T operator--(int) const noexcept
    {
        return fetch_sub(1);
    }

    T operator++() const noexcept
    {
        return fetch_add(1) + 1;
    }

    T operator--() const noexcept
    {
        return fetch_sub(1) - 1;
    }

    T operator+=(difference_type operand) const noexcept
    {
        return fetch_add(operand) + operand;
    }

    T operator-=(difference_type operand) const noexcept
    {
        return fetch_sub(operand) - operand;
    }

    T operator&=(T operand) const noexcept
    {
        return fetch_and(operand) & operand;
    }

    T operator|=(T operand) const noexcept
    {
        return fetch_or(operand) | operand;
    }

    T operator^=(T operand) const noexcept
    {
        return fetch_xor(operand) ^ operand;
    }

  private:
    static constexpr difference_type scale = detail::atomic_difference<T>::scale;

    // Replaces the value by change(value), in one step for all others.
    template <typename Change> T update(memory_order order, const Change &change) const noexcept
    {
        T before = load(memory_order::relaxed);
        while (!compare_exchange_weak(before, change(before), order)) {
        }
        return before;
    }

    T *object_;
};

} // namespace sycl

#endif
