// SPDX-License-Identifier: BSD-3-Clause
// Orders and scopes of memory operations, address spaces, and fences.
#ifndef SYCL_MEMORY_MODEL_HPP
#define SYCL_MEMORY_MODEL_HPP

#include <atomic>

namespace sycl
{

enum class memory_order : int { relaxed, acquire, release, acq_rel, seq_cst };

inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

enum class memory_scope : int { work_item, sub_group, work_group, device, system };

inline constexpr memory_scope memory_scope_work_item = memory_scope::work_item;
inline constexpr memory_scope memory_scope_sub_group = memory_scope::sub_group;
inline constexpr memory_scope memory_scope_work_group = memory_scope::work_group;
inline constexpr memory_scope memory_scope_device = memory_scope::device;
inline constexpr memory_scope memory_scope_system = memory_scope::system;

namespace access
{

enum class address_space : int {
    global_space,
    local_space,
    constant_space,
    private_space,
    generic_space,
};

enum class decorated : int { no, yes, legacy };

// Of nd_item::barrier().
enum class fence_space : char { local_space, global_space, global_and_local };

} // namespace access

namespace detail
{

constexpr std::memory_order to_std(memory_order order)
{
    switch (order) {
    case memory_order::relaxed:
        return std::memory_order_relaxed;
    case memory_order::acquire:
        return std::memory_order_acquire;
    case memory_order::release:
        return std::memory_order_release;
    case memory_order::acq_rel:
        return std::memory_order_acq_rel;
    default:
        return std::memory_order_seq_cst;
    }
}

// A fence for a group whose work-items run on one thread: only the compiler might reorder.
// Pairs with the fences of the other work-items of the group.
inline void fence_scope(memory_scope scope)
{
    if (scope > memory_scope::work_group)
        std::atomic_thread_fence(std::memory_order_acq_rel);
    else
        std::atomic_signal_fence(std::memory_order_acq_rel);
}

} // namespace detail

// Pairs with fences and atomic operations of work-items in the scope.
inline void atomic_fence(memory_order order, memory_scope scope)
{
    if (scope > memory_scope::work_group)
        std::atomic_thread_fence(detail::to_std(order));
    else
        std::atomic_signal_fence(detail::to_std(order));
}

} // namespace sycl

#endif
