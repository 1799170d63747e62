// SPDX-License-Identifier: BSD-3-Clause
// Algorithms that all work-items of a group call together.
//
// Each work-item brings an object. The last one to come does the work for all.
#ifndef SYCL_GROUP_ALGORITHMS_HPP
#define SYCL_GROUP_ALGORITHMS_HPP

#include "sycl/function_objects.hpp"
#include "sycl/group_barrier.hpp"

#include <cstdint>
#include <iterator>
#include <optional>

namespace sycl
{

namespace detail
{

template <typename Group>
using if_sub_group = std::enable_if_t<std::is_same_v<std::decay_t<Group>, sub_group>, int>;

// What a work-item gives to the others and what it gets.
template <typename Given, typename Taken> struct parcel {
    Given given;
    Taken taken;
};

// Calls work() once for the group, and returns its result to all.
template <typename Group, typename Work> auto once(const Group &members, const Work &work)
{
    using result = decltype(work());
    std::optional<result> mine;
    exchange(members, mine, [&](const auto &each, std::size_t count) {
        const result common = work();
        for (std::size_t i = 0; i < count; ++i)
            each(i).emplace(common);
    });
    return *mine;
}

// Returns the value of the work-item whose number choose(own number) is, or the own one if there is
// no such work-item.
template <typename Group, typename T, typename Choose>
T take_from(const Group &members, const T &value, const Choose &choose)
{
    struct {
        T given;
        T taken;
        std::size_t from;
    } mine{value, value, static_cast<std::size_t>(choose(members.get_local_linear_id()))};
    exchange(members, mine, [](const auto &each, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            if (each(i).from < count)
                each(i).taken = each(each(i).from).given;
    });
    return mine.taken;
}

// Combines the values of all work-items, in their order.
template <typename Group, typename T, typename Operation>
T reduce(const Group &members, const T &value, const Operation &operation)
{
    parcel<T, T> mine{value, value};
    exchange(members, mine, [&](const auto &each, std::size_t count) {
        T result = each(0).given;
        for (std::size_t i = 1; i < count; ++i)
            result = operation(result, each(i).given);
        for (std::size_t i = 0; i < count; ++i)
            each(i).taken = result;
    });
    return mine.taken;
}

// Each work-item gets what `first` and the values of the work-items before it make, and its own
// value too if IsInclusive.
template <bool IsInclusive, typename Group, typename V, typename T, typename Operation>
T scan(const Group &members, const V &value, const T &first, const Operation &operation)
{
    parcel<V, T> mine{value, first};
    exchange(members, mine, [&](const auto &each, std::size_t count) {
        T result = first;
        for (std::size_t i = 0; i < count; ++i) {
            if (!IsInclusive)
                each(i).taken = result;
            result = operation(result, each(i).given);
            if (IsInclusive)
                each(i).taken = result;
        }
    });
    return mine.taken;
}

template <typename Operation, typename T> void require_identity()
{
    static_assert(has_known_identity_v<Operation, T>,
                  "this operation has no known identity: use the form with an initial value");
}

} // namespace detail

// Broadcast: the value of the first work-item, or of the one with the given number.
template <typename Group, typename T, detail::if_group<Group> = 0>
T group_broadcast(Group members, T value)
{
    return detail::take_from(members, value, [](std::size_t) { return 0; });
}

template <typename Group, typename T, detail::if_group<Group> = 0>
T group_broadcast(Group members, T value, typename Group::linear_id_type from)
{
    return detail::take_from(members, value, [=](std::size_t) { return from; });
}

template <typename Group, typename T, detail::if_group<Group> = 0>
T group_broadcast(Group members, T value, typename Group::id_type from)
{
    const std::size_t number = detail::linearize(from, members.get_local_range());
    return detail::take_from(members, value, [=](std::size_t) { return number; });
}

// Predicates.
template <typename Group, detail::if_group<Group> = 0>
bool any_of_group(Group members, bool is_true)
{
    return detail::reduce(members, is_true, logical_or<bool>());
}

template <typename Group, detail::if_group<Group> = 0>
bool all_of_group(Group members, bool is_true)
{
    return detail::reduce(members, is_true, logical_and<bool>());
}

template <typename Group, detail::if_group<Group> = 0>
bool none_of_group(Group members, bool is_true)
{
    return !any_of_group(members, is_true);
}

template <typename Group, typename T, typename Predicate, detail::if_group<Group> = 0>
bool any_of_group(Group members, T value, Predicate predicate)
{
    return any_of_group(members, static_cast<bool>(predicate(value)));
}

template <typename Group, typename T, typename Predicate, detail::if_group<Group> = 0>
bool all_of_group(Group members, T value, Predicate predicate)
{
    return all_of_group(members, static_cast<bool>(predicate(value)));
}

template <typename Group, typename T, typename Predicate, detail::if_group<Group> = 0>
bool none_of_group(Group members, T value, Predicate predicate)
{
    return none_of_group(members, static_cast<bool>(predicate(value)));
}

template <typename Group, typename Pointer, typename Predicate, detail::if_group<Group> = 0>
bool joint_any_of(Group members, Pointer first, Pointer last, Predicate predicate)
{
    return detail::once(members, [&] {
        for (Pointer at = first; at != last; ++at)
            if (predicate(*at))
                return true;
        return false;
    });
}

template <typename Group, typename Pointer, typename Predicate, detail::if_group<Group> = 0>
bool joint_all_of(Group members, Pointer first, Pointer last, Predicate predicate)
{
    return !joint_any_of(members, first, last, [&](const auto &each) { return !predicate(each); });
}

template <typename Group, typename Pointer, typename Predicate, detail::if_group<Group> = 0>
bool joint_none_of(Group members, Pointer first, Pointer last, Predicate predicate)
{
    return !joint_any_of(members, first, last, predicate);
}

// Exchanges within a sub-group.
template <typename Group, typename T, detail::if_sub_group<Group> = 0>
T shift_group_left(Group members, T value, typename Group::linear_id_type delta = 1)
{
    return detail::take_from(members, value, [=](std::size_t own) { return own + delta; });
}

template <typename Group, typename T, detail::if_sub_group<Group> = 0>
T shift_group_right(Group members, T value, typename Group::linear_id_type delta = 1)
{
    return detail::take_from(members, value, [=](std::size_t own) { return own - delta; });
}

template <typename Group, typename T, detail::if_sub_group<Group> = 0>
T permute_group_by_xor(Group members, T value, typename Group::linear_id_type mask)
{
    return detail::take_from(members, value, [=](std::size_t own) { return own ^ mask; });
}

template <typename Group, typename T, detail::if_sub_group<Group> = 0>
T select_from_group(Group members, T value, typename Group::id_type from)
{
    return detail::take_from(members, value, [=](std::size_t) { return from[0]; });
}

// Reductions.
template <typename Group, typename T, typename Operation, detail::if_group<Group> = 0>
T reduce_over_group(Group members, T value, Operation operation)
{
    return detail::reduce(members, value, operation);
}

template <typename Group, typename V, typename T, typename Operation, detail::if_group<Group> = 0>
T reduce_over_group(Group members, V value, T init, Operation operation)
{
    return operation(init, detail::reduce(members, static_cast<T>(value), operation));
}

template <typename Group, typename Pointer, typename T, typename Operation,
          detail::if_group<Group> = 0>
T joint_reduce(Group members, Pointer first, Pointer last, T init, Operation operation)
{
    return detail::once(members, [&] {
        T result = init;
        for (Pointer at = first; at != last; ++at)
            result = operation(result, *at);
        return result;
    });
}

template <typename Group, typename Pointer, typename Operation, detail::if_group<Group> = 0>
typename std::iterator_traits<Pointer>::value_type joint_reduce(Group members, Pointer first,
                                                                Pointer last, Operation operation)
{
    using value = typename std::iterator_traits<Pointer>::value_type;
    detail::require_identity<Operation, value>();
    return joint_reduce(members, first, last, known_identity_v<Operation, value>, operation);
}

// Scans.
template <typename Group, typename T, typename Operation, detail::if_group<Group> = 0>
T exclusive_scan_over_group(Group members, T value, Operation operation)
{
    detail::require_identity<Operation, T>();
    return detail::scan<false>(members, value, known_identity_v<Operation, T>, operation);
}

template <typename Group, typename V, typename T, typename Operation, detail::if_group<Group> = 0>
T exclusive_scan_over_group(Group members, V value, T init, Operation operation)
{
    return detail::scan<false>(members, value, init, operation);
}

template <typename Group, typename T, typename Operation, detail::if_group<Group> = 0>
T inclusive_scan_over_group(Group members, T value, Operation operation)
{
    detail::require_identity<Operation, T>();
    return detail::scan<true>(members, value, known_identity_v<Operation, T>, operation);
}

template <typename Group, typename V, typename Operation, typename T, detail::if_group<Group> = 0>
T inclusive_scan_over_group(Group members, V value, Operation operation, T init)
{
    return detail::scan<true>(members, value, init, operation);
}

template <typename Group, typename In, typename Out, typename T, typename Operation,
          detail::if_group<Group> = 0>
Out joint_exclusive_scan(Group members, In first, In last, Out result, T init, Operation operation)
{
    return detail::once(members, [&] {
        Out to = result;
        T sum = init;
        for (In at = first; at != last; ++at, ++to) {
            const T next = operation(sum, *at); // before *to, which may be the same place
            *to = sum;
            sum = next;
        }
        return to;
    });
}

template <typename Group, typename In, typename Out, typename Operation,
          detail::if_group<Group> = 0>
Out joint_exclusive_scan(Group members, In first, In last, Out result, Operation operation)
{
    using value = typename std::iterator_traits<Out>::value_type;
    detail::require_identity<Operation, value>();
    return joint_exclusive_scan(members, first, last, result, known_identity_v<Operation, value>,
                                operation);
}

template <typename Group, typename In, typename Out, typename Operation, typename T,
          detail::if_group<Group> = 0>
Out joint_inclusive_scan(Group members, In first, In last, Out result, Operation operation, T init)
{
    return detail::once(members, [&] {
        Out to = result;
        T sum = init;
        for (In at = first; at != last; ++at, ++to)
            *to = sum = operation(sum, *at);
        return to;
    });
}

template <typename Group, typename In, typename Out, typename Operation,
          detail::if_group<Group> = 0>
Out joint_inclusive_scan(Group members, In first, In last, Out result, Operation operation)
{
    using value = typename std::iterator_traits<Out>::value_type;
    detail::require_identity<Operation, value>();
    return joint_inclusive_scan(members, first, last, result, operation,
                                known_identity_v<Operation, value>);
}

} // namespace sycl

#endif
