// SPDX-License-Identifier: BSD-3-Clause
// Functions of numbers, applied to each element of vec and marray.
#ifndef SYCL_ELEMENTWISE_HPP
#define SYCL_ELEMENTWISE_HPP

#include "sycl/marray.hpp"
#include "sycl/vec.hpp"

#include <cstddef>
#include <type_traits>

namespace sycl::detail
{

// The elements of an argument: of an array, or the number itself.
template <typename T> struct elements {
    using element = T;
    static constexpr bool is_array = false;
};

template <typename T, int N> struct elements<vec<T, N>> {
    using element = T;
    static constexpr bool is_array = true;
    static constexpr std::size_t size = N;
    template <typename U> using with = vec<U, N>;
};

template <typename V, int... Is>
struct elements<swizzled<V, Is...>>
    : elements<vec<typename vec_of<V>::element, static_cast<int>(sizeof...(Is))>> {
};

template <typename T, std::size_t N> struct elements<marray<T, N>> {
    using element = T;
    static constexpr bool is_array = true;
    static constexpr std::size_t size = N;
    template <typename U> using with = marray<U, N>;
};

template <typename T> using elements_of = elements<std::decay_t<T>>;
template <typename T> using element_type_of = typename elements_of<T>::element;

template <typename T>
inline constexpr bool is_float_like = std::is_floating_point_v<element_type_of<T>>;
template <typename T>
inline constexpr bool is_integer_like = std::is_integral_v<element_type_of<T>>;

// For functions of numbers of these kinds. Of several arguments one is enough: others are
// converted.
template <typename... Ts> using if_float = std::enable_if_t<(is_float_like<Ts> || ...), int>;
template <typename... Ts> using if_integer = std::enable_if_t<(is_integer_like<Ts> && ...), int>;
template <typename... Ts>
using if_number = std::enable_if_t<((is_float_like<Ts> || is_integer_like<Ts>)&&...), int>;

// The first array among the types, or the common type of the numbers.
template <typename T, typename... Rest> struct common_shape {
    using type = std::conditional_t<elements_of<T>::is_array, elements_of<T>,
                                    typename common_shape<Rest...>::type>;
};

template <typename T> struct common_shape<T> {
    using type = elements_of<T>;
};

template <typename T> auto element_at(const T &of, std::size_t index)
{
    if constexpr (elements_of<T>::is_array)
        return of[static_cast<int>(index)];
    else
        return of;
}

// Calls the function for each element of the arguments. Numbers count for each of them.
template <typename Function, typename... Arguments>
auto map(const Function &function, const Arguments &...arguments)
{
    using shape = typename common_shape<Arguments...>::type;
    if constexpr (shape::is_array) {
        using element = typename shape::element;
        using result =
            decltype(function(static_cast<element>(std::declval<element_type_of<Arguments>>())...));
        typename shape::template with<result> results;
        for (std::size_t i = 0; i < shape::size; ++i)
            results[static_cast<int>(i)] =
                function(static_cast<element>(element_at(arguments, i))...);
        return results;
    } else {
        using number = std::common_type_t<Arguments...>;
        return function(static_cast<number>(arguments)...);
    }
}

} // namespace sycl::detail

#endif
