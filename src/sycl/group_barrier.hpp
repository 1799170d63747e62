// SPDX-License-Identifier: BSD-3-Clause
// Where the work-items of a group meet: group_barrier(), and the base of the group algorithms.
#ifndef SYCL_GROUP_BARRIER_HPP
#define SYCL_GROUP_BARRIER_HPP

#include "sycl/item.hpp"

namespace sycl
{

template <typename T> struct is_group : std::false_type {
};

template <int Dimensions> struct is_group<group<Dimensions>> : std::true_type {
};

template <> struct is_group<sub_group> : std::true_type {
};

template <typename T> inline constexpr bool is_group_v = is_group<std::decay_t<T>>::value;

namespace detail
{

template <typename Group> using if_group = std::enable_if_t<is_group_v<Group>, int>;

template <int Dimensions> barrier_state &barrier_of(work_group &all, const group<Dimensions> &)
{
    return all.whole;
}

inline barrier_state &barrier_of(work_group &all, const sub_group &part)
{
    return all.part(part.get_group_linear_id());
}

// The number of a group's first work-item in the work-group.
template <int Dimensions> std::size_t first_of(const group<Dimensions> &)
{
    return 0;
}

inline std::size_t first_of(const sub_group &part)
{
    return part.get_group_linear_id() * sub_group_size;
}

// All work-items of the group call this, each with an object of its own. The last one to come calls
// finish(object, number of work-items), where object(i) is the i-th work-item's object. After that
// all go on.
template <typename Group, typename Object, typename Finish>
void exchange(const Group &members, Object &mine, Finish &&finish)
{
    work_group &all = current_work_group();
    void **slots = all.slots() + first_of(members);
    slots[members.get_local_linear_id()] = const_cast<std::remove_const_t<Object> *>(&mine);
    const std::size_t count = members.get_local_linear_range();
    current_scheduler->meet(barrier_of(all, members), count, [&] {
        finish([slots](std::size_t i) -> Object & { return *static_cast<Object *>(slots[i]); },
               count);
    });
}

} // namespace detail

// Waits until all work-items of the group have called it. What they wrote before is then visible to
// all of them, and the fence makes it visible in the given scope.
template <typename Group, detail::if_group<Group> = 0>
void group_barrier(const Group &members, memory_scope fence_scope = Group::fence_scope)
{
    detail::work_group &all = detail::current_work_group();
    detail::fence_scope(fence_scope);
    detail::current_scheduler->meet(detail::barrier_of(all, members),
                                    members.get_local_linear_range(), [] {});
    detail::fence_scope(fence_scope);
}

template <int Dimensions> void nd_item<Dimensions>::barrier(access::fence_space) const
{
    group_barrier(get_group());
}

} // namespace sycl

#endif
