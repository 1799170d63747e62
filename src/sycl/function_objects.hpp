// SPDX-License-Identifier: BSD-3-Clause
// Function objects for reductions and scans, and their identities.
#ifndef SYCL_FUNCTION_OBJECTS_HPP
#define SYCL_FUNCTION_OBJECTS_HPP

#include <limits>
#include <type_traits>
#include <utility>

namespace sycl
{

#define TERN_SYCL_FUNCTION_OBJECT(name, expression)                                                \
    template <typename T = void> struct name {                                                     \
        constexpr T operator()(const T &a, const T &b) const                                       \
        {                                                                                          \
            return static_cast<T>(expression);                                                     \
        }                                                                                          \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <typename T, typename U> constexpr auto operator()(T &&a, U &&b) const            \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
TERN_SYCL_FUNCTION_OBJECT(plus, a + b)
TERN_SYCL_FUNCTION_OBJECT(multiplies, a *b)
TERN_SYCL_FUNCTION_OBJECT(bit_and, a &b)
TERN_SYCL_FUNCTION_OBJECT(bit_or, a | b)
TERN_SYCL_FUNCTION_OBJECT(bit_xor, a ^ b)
TERN_SYCL_FUNCTION_OBJECT(logical_and, a &&b)
TERN_SYCL_FUNCTION_OBJECT(logical_or, a || b)
TERN_SYCL_FUNCTION_OBJECT(minimum, b < a ? b : a)
TERN_SYCL_FUNCTION_OBJECT(maximum, a < b ? b : a)
#undef TERN_SYCL_FUNCTION_OBJECT

namespace detail
{

// Whether the operation is the object of this type, or that of any type.
template <template <typename> class Object, typename Operation, typename T>
inline constexpr bool is_object = std::is_same_v<std::decay_t<Operation>, Object<T>> ||
                                  std::is_same_v<std::decay_t<Operation>, Object<void>>;

template <typename Operation, typename T> constexpr bool has_identity()
{
    constexpr bool is_number = std::is_arithmetic_v<T>, is_integer = std::is_integral_v<T>;
    if constexpr (is_object<plus, Operation, T> || is_object<multiplies, Operation, T> ||
                  is_object<minimum, Operation, T> || is_object<maximum, Operation, T>)
        return is_number;
    else if constexpr (is_object<bit_and, Operation, T> || is_object<bit_or, Operation, T> ||
                       is_object<bit_xor, Operation, T>)
        return is_integer;
    else if constexpr (is_object<logical_and, Operation, T> || is_object<logical_or, Operation, T>)
        return is_number;
    else
        return false;
}

template <typename T> constexpr T lowest()
{
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
}

template <typename T> constexpr T highest()
{
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? limits::infinity() : limits::max();
}

template <typename Operation, typename T> constexpr T find_identity()
{
    if constexpr (is_object<multiplies, Operation, T> || is_object<logical_and, Operation, T>)
        return T(1);
    else if constexpr (is_object<bit_and, Operation, T>)
        return static_cast<T>(~T(0));
    else if constexpr (is_object<minimum, Operation, T>)
        return highest<T>();
    else if constexpr (is_object<maximum, Operation, T>)
        return lowest<T>();
    else
        return T(0);
}

template <bool IsKnown, typename Operation, typename T> struct identity_holder {
};

template <typename Operation, typename T> struct identity_holder<true, Operation, T> {
    static constexpr std::decay_t<T> value = find_identity<Operation, std::decay_t<T>>();
};

} // namespace detail

template <typename Operation, typename T>
struct has_known_identity : std::bool_constant<detail::has_identity<Operation, std::decay_t<T>>()> {
};

template <typename Operation, typename T>
inline constexpr bool has_known_identity_v = has_known_identity<Operation, T>::value;

template <typename Operation, typename T>
struct known_identity : detail::identity_holder<has_known_identity_v<Operation, T>, Operation, T> {
};

template <typename Operation, typename T>
inline constexpr T known_identity_v = known_identity<Operation, T>::value;

} // namespace sycl

#endif
