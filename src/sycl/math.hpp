// SPDX-License-Identifier: BSD-3-Clause
// Mathematical functions of SYCL 2020, 4.17.5 to 4.17.9, of numbers, vec and marray.
#ifndef SYCL_MATH_HPP
#define SYCL_MATH_HPP

#include "sycl/elementwise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sycl
{

namespace detail
{

inline constexpr double pi = 3.14159265358979323846;

// A number of type T that is written as a double.
template <typename T> constexpr T as(double value)
{
    return static_cast<T>(value);
}

} // namespace detail

// Each function has the name, and the expression for one element.
#define TERN_SYCL_FLOAT_1(name, ...)                                                               \
    template <typename T, detail::if_float<T> = 0> auto name(const T &value)                       \
    {                                                                                              \
        return detail::map([](auto x) { return static_cast<decltype(x)>(__VA_ARGS__); }, value);   \
    }
#define TERN_SYCL_FLOAT_2(name, ...)                                                               \
    template <typename T, typename U, detail::if_float<T, U> = 0>                                  \
    auto name(const T &first, const U &second)                                                     \
    {                                                                                              \
        return detail::map([](auto x, auto y) { return static_cast<decltype(x)>(__VA_ARGS__); },   \
                           first, second);                                                         \
    }
#define TERN_SYCL_FLOAT_3(name, ...)                                                               \
    template <typename T, typename U, typename V, detail::if_float<T, U, V> = 0>                   \
    auto name(const T &first, const U &second, const V &third)                                     \
    {                                                                                              \
        return detail::map(                                                                        \
            [](auto x, auto y, auto z) { return static_cast<decltype(x)>(__VA_ARGS__); }, first,   \
            second, third);                                                                        \
    }

TERN_SYCL_FLOAT_1(acos, std::acos(x))
TERN_SYCL_FLOAT_1(acosh, std::acosh(x))
TERN_SYCL_FLOAT_1(asin, std::asin(x))
TERN_SYCL_FLOAT_1(asinh, std::asinh(x))
TERN_SYCL_FLOAT_1(atan, std::atan(x))
TERN_SYCL_FLOAT_1(atanh, std::atanh(x))
TERN_SYCL_FLOAT_1(cbrt, std::cbrt(x))
TERN_SYCL_FLOAT_1(ceil, std::ceil(x))
TERN_SYCL_FLOAT_1(cos, std::cos(x))
TERN_SYCL_FLOAT_1(cosh, std::cosh(x))
TERN_SYCL_FLOAT_1(erfc, std::erfc(x))
TERN_SYCL_FLOAT_1(erf, std::erf(x))
TERN_SYCL_FLOAT_1(exp, std::exp(x))
TERN_SYCL_FLOAT_1(exp2, std::exp2(x))
TERN_SYCL_FLOAT_1(expm1, std::expm1(x))
TERN_SYCL_FLOAT_1(fabs, std::fabs(x))
TERN_SYCL_FLOAT_1(floor, std::floor(x))
TERN_SYCL_FLOAT_1(log, std::log(x))
TERN_SYCL_FLOAT_1(log2, std::log2(x))
TERN_SYCL_FLOAT_1(log10, std::log10(x))
TERN_SYCL_FLOAT_1(log1p, std::log1p(x))
TERN_SYCL_FLOAT_1(logb, std::logb(x))
TERN_SYCL_FLOAT_1(rint, std::rint(x))
TERN_SYCL_FLOAT_1(round, std::round(x))
TERN_SYCL_FLOAT_1(sin, std::sin(x))
TERN_SYCL_FLOAT_1(sinh, std::sinh(x))
TERN_SYCL_FLOAT_1(sqrt, std::sqrt(x))
TERN_SYCL_FLOAT_1(tan, std::tan(x))
TERN_SYCL_FLOAT_1(tanh, std::tanh(x))
TERN_SYCL_FLOAT_1(tgamma, std::tgamma(x))
TERN_SYCL_FLOAT_1(trunc, std::trunc(x))
TERN_SYCL_FLOAT_1(lgamma, std::lgamma(x))
TERN_SYCL_FLOAT_1(acospi, std::acos(x) / detail::as<decltype(x)>(detail::pi))
TERN_SYCL_FLOAT_1(asinpi, std::asin(x) / detail::as<decltype(x)>(detail::pi))
TERN_SYCL_FLOAT_1(atanpi, std::atan(x) / detail::as<decltype(x)>(detail::pi))
TERN_SYCL_FLOAT_1(cospi, std::cos(x *detail::as<decltype(x)>(detail::pi)))
TERN_SYCL_FLOAT_1(sinpi, std::sin(x *detail::as<decltype(x)>(detail::pi)))
TERN_SYCL_FLOAT_1(tanpi, std::tan(x *detail::as<decltype(x)>(detail::pi)))
TERN_SYCL_FLOAT_1(exp10, std::pow(decltype(x)(10), x))
TERN_SYCL_FLOAT_1(rsqrt, 1 / std::sqrt(x))
TERN_SYCL_FLOAT_1(degrees, x *detail::as<decltype(x)>(180 / detail::pi))
TERN_SYCL_FLOAT_1(radians, x *detail::as<decltype(x)>(detail::pi / 180))
TERN_SYCL_FLOAT_1(sign, std::isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x)
TERN_SYCL_FLOAT_2(atan2, std::atan2(x, y))
TERN_SYCL_FLOAT_2(copysign, std::copysign(x, y))
TERN_SYCL_FLOAT_2(fdim, std::fdim(x, y))
TERN_SYCL_FLOAT_2(fmax, std::fmax(x, y))
TERN_SYCL_FLOAT_2(fmin, std::fmin(x, y))
TERN_SYCL_FLOAT_2(fmod, std::fmod(x, y))
TERN_SYCL_FLOAT_2(hypot, std::hypot(x, y))
TERN_SYCL_FLOAT_2(nextafter, std::nextafter(x, y))
TERN_SYCL_FLOAT_2(pow, std::pow(x, y))
TERN_SYCL_FLOAT_2(remainder, std::remainder(x, y))
TERN_SYCL_FLOAT_2(atan2pi, std::atan2(x, y) / detail::as<decltype(x)>(detail::pi))
TERN_SYCL_FLOAT_2(powr, std::pow(x, y))
TERN_SYCL_FLOAT_2(maxmag, std::fabs(x) > std::fabs(y)   ? x
                          : std::fabs(y) > std::fabs(x) ? y
                                                        : std::fmax(x, y))
TERN_SYCL_FLOAT_2(minmag, std::fabs(x) < std::fabs(y)   ? x
                          : std::fabs(y) < std::fabs(x) ? y
                                                        : std::fmin(x, y))
TERN_SYCL_FLOAT_2(step, y < x ? 0 : 1)
TERN_SYCL_FLOAT_3(fma, std::fma(x, y, z))
TERN_SYCL_FLOAT_3(mad, x *y + z)
TERN_SYCL_FLOAT_3(mix, x + (y - x) * z)

template <typename T, typename U, typename V, detail::if_float<T, U, V> = 0>
auto smoothstep(const T &low, const U &high, const V &value)
{
    return detail::map(
        [](auto a, auto b, auto x) {
            const auto t = std::clamp((x - a) / (b - a), decltype(x)(0), decltype(x)(1));
            return t * t * (3 - 2 * t);
        },
        low, high, value);
}

// With an integer exponent, for each element or for all.
template <typename T, typename U, detail::if_float<T> = 0, detail::if_integer<U> = 0>
auto pown(const T &base, const U &exponent)
{
    return detail::map([](auto x, auto n) { return static_cast<decltype(x)>(std::pow(x, n)); },
                       base, exponent);
}

template <typename T, typename U, detail::if_float<T> = 0, detail::if_integer<U> = 0>
auto rootn(const T &value, const U &degree)
{
    return detail::map(
        [](auto x, auto n) {
            // A root of odd degree keeps the sign.
            const bool is_odd = std::fmod(n, decltype(n)(2)) != 0;
            const auto root = std::pow(is_odd ? std::fabs(x) : x, 1 / n);
            return static_cast<decltype(x)>(is_odd ? std::copysign(root, x) : root);
        },
        value, degree);
}

template <typename T, typename U, detail::if_float<T> = 0, detail::if_integer<U> = 0>
auto ldexp(const T &value, const U &exponent)
{
    return detail::map(
        [](auto x, auto n) { return static_cast<decltype(x)>(std::ldexp(x, static_cast<int>(n))); },
        value, exponent);
}

template <typename T, detail::if_float<T> = 0> auto ilogb(const T &value)
{
    return detail::map([](auto x) { return std::ilogb(x); }, value);
}

namespace detail
{

// Calls function(element, place of the second result) for each element. The second results are
// stored where `second` points to, a pointer or a multi_ptr.
template <typename T, typename Pointer, typename Function>
auto map_with_second(const T &value, Pointer second, const Function &function)
{
    if constexpr (elements_of<T>::is_array) {
        using shape = elements_of<T>;
        typename shape::template with<typename shape::element> results;
        for (std::size_t i = 0; i < shape::size; ++i) {
            const int at = static_cast<int>(i);
            results[at] = function(value[at], &(*second)[at]);
        }
        return results;
    } else {
        return function(value, &*second);
    }
}

} // namespace detail

template <typename T, typename Pointer, detail::if_float<T> = 0>
auto fract(const T &value, Pointer whole)
{
    return detail::map_with_second(value, whole, [](auto x, auto *floor) {
        *floor = std::floor(x);
        return std::fmin(x - *floor, std::nextafter(decltype(x)(1), decltype(x)(0)));
    });
}

template <typename T, typename Pointer, detail::if_float<T> = 0>
auto frexp(const T &value, Pointer exponent)
{
    return detail::map_with_second(value, exponent, [](auto x, auto *power) {
        int found;
        const auto fraction = std::frexp(x, &found);
        *power = found;
        return fraction;
    });
}

template <typename T, typename Pointer, detail::if_float<T> = 0>
auto lgamma_r(const T &value, Pointer sign)
{
    return detail::map_with_second(value, sign, [](auto x, auto *negative) {
        // Between -1 and 0 gamma is negative, and so in every second such interval.
        *negative = x < 0 && std::fmod(std::floor(x), decltype(x)(2)) != 0 ? -1 : 1;
        return std::lgamma(x);
    });
}

template <typename T, typename Pointer, detail::if_float<T> = 0>
auto modf(const T &value, Pointer whole)
{
    return detail::map_with_second(value, whole,
                                   [](auto x, auto *part) { return std::modf(x, part); });
}

template <typename T, typename Pointer, detail::if_float<T> = 0>
auto sincos(const T &value, Pointer cosine)
{
    return detail::map_with_second(value, cosine, [](auto x, auto *cos) {
        *cos = std::cos(x);
        return std::sin(x);
    });
}

template <typename T, typename Pointer, detail::if_float<T> = 0>
T remquo(const T &x, const T &y, Pointer quotient)
{
    if constexpr (detail::elements_of<T>::is_array) {
        T results;
        for (int i = 0; i < static_cast<int>(detail::elements_of<T>::size); ++i) {
            int bits;
            results[i] = std::remquo(x[i], y[i], &bits);
            (*quotient)[i] = bits;
        }
        return results;
    } else {
        int bits;
        const T result = std::remquo(x, y, &bits);
        *quotient = bits;
        return result;
    }
}

inline float nan(std::uint32_t)
{
    return std::numeric_limits<float>::quiet_NaN();
}

inline double nan(std::uint64_t)
{
    return std::numeric_limits<double>::quiet_NaN();
}

// Functions that may be less accurate. These are not.
#define TERN_SYCL_AGAIN_1(name)                                                                    \
    template <typename T, detail::if_float<T> = 0> auto name(const T &value)                       \
    {                                                                                              \
        return sycl::name(value);                                                                  \
    }
#define TERN_SYCL_AGAIN                                                                            \
    TERN_SYCL_AGAIN_1(cos)                                                                         \
    TERN_SYCL_AGAIN_1(exp)                                                                         \
    TERN_SYCL_AGAIN_1(exp2)                                                                        \
    TERN_SYCL_AGAIN_1(exp10)                                                                       \
    TERN_SYCL_AGAIN_1(log)                                                                         \
    TERN_SYCL_AGAIN_1(log2)                                                                        \
    TERN_SYCL_AGAIN_1(log10)                                                                       \
    TERN_SYCL_AGAIN_1(rsqrt)                                                                       \
    TERN_SYCL_AGAIN_1(sin)                                                                         \
    TERN_SYCL_AGAIN_1(sqrt)                                                                        \
    TERN_SYCL_AGAIN_1(tan)                                                                         \
    TERN_SYCL_FLOAT_1(recip, 1 / x)                                                                \
    TERN_SYCL_FLOAT_2(divide, x / y)                                                               \
    TERN_SYCL_FLOAT_2(powr, std::pow(x, y))

namespace native
{
TERN_SYCL_AGAIN
} // namespace native

namespace half_precision
{
TERN_SYCL_AGAIN
} // namespace half_precision

#undef TERN_SYCL_AGAIN
#undef TERN_SYCL_AGAIN_1

// Of numbers of both kinds.
template <typename T, typename U, detail::if_number<T, U> = 0> auto min(const T &a, const U &b)
{
    return detail::map([](auto x, auto y) { return y < x ? y : x; }, a, b);
}

template <typename T, typename U, detail::if_number<T, U> = 0> auto max(const T &a, const U &b)
{
    return detail::map([](auto x, auto y) { return x < y ? y : x; }, a, b);
}

template <typename T, typename U, typename V, detail::if_number<T, U, V> = 0>
auto clamp(const T &value, const U &low, const V &high)
{
    return detail::map([](auto x, auto a, auto b) { return x < a   ? a
                                                           : b < x ? b
                                                                   : x; }, value, low,
                       high);
}

// Of integers.
#define TERN_SYCL_INTEGER_1(name, ...)                                                             \
    template <typename T, detail::if_integer<T> = 0> auto name(const T &value)                     \
    {                                                                                              \
        return detail::map([](auto x) { return static_cast<decltype(x)>(__VA_ARGS__); }, value);   \
    }
#define TERN_SYCL_INTEGER_2(name, ...)                                                             \
    template <typename T, typename U, detail::if_integer<T, U> = 0>                                \
    auto name(const T &first, const U &second)                                                     \
    {                                                                                              \
        return detail::map([](auto x, auto y) { return static_cast<decltype(x)>(__VA_ARGS__); },   \
                           first, second);                                                         \
    }
#define TERN_SYCL_INTEGER_3(name, ...)                                                             \
    template <typename T, typename U, typename V, detail::if_integer<T, U, V> = 0>                 \
    auto name(const T &first, const U &second, const V &third)                                     \
    {                                                                                              \
        return detail::map(                                                                        \
            [](auto x, auto y, auto z) { return static_cast<decltype(x)>(__VA_ARGS__); }, first,   \
            second, third);                                                                        \
    }

namespace detail
{

template <typename T> inline constexpr int bits_of = static_cast<int>(sizeof(T) * 8);

template <typename T> using unsigned_of = std::make_unsigned_t<T>;

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

// The integer with twice the bits, for products.
template <typename T>
using twice_as_wide =
    std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, int128, uint128>,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <typename T> T absolute(T value)
{
    return value < T(0) ? static_cast<T>(unsigned_of<T>(0) - unsigned_of<T>(value)) : value;
}

template <typename T> T leading_zeros(T value)
{
    if (!value)
        return static_cast<T>(bits_of<T>);
    return static_cast<T>(__builtin_clzll(unsigned_of<T>(value)) - (64 - bits_of<T>));
}

template <typename T> T trailing_zeros(T value)
{
    return static_cast<T>(value ? __builtin_ctzll(unsigned_of<T>(value)) : bits_of<T>);
}

template <typename T> T rotate_left(T value, T count)
{
    const unsigned by = static_cast<unsigned>(unsigned_of<T>(count) % bits_of<T>);
    const unsigned_of<T> bits = unsigned_of<T>(value);
    if (!by)
        return value;
    return static_cast<T>(unsigned_of<T>(bits << by) | unsigned_of<T>(bits >> (bits_of<T> - by)));
}

template <typename T> T high_half(T a, T b)
{
    using wide = twice_as_wide<T>;
    return static_cast<T>((static_cast<wide>(a) * static_cast<wide>(b)) >> bits_of<T>);
}

// The nearest number that T can hold.
template <typename T, typename Wide> T saturate(Wide value)
{
    using limits = std::numeric_limits<T>;
    if (value > static_cast<Wide>(limits::max()))
        return limits::max();
    return value < static_cast<Wide>(limits::min()) ? limits::min() : static_cast<T>(value);
}

template <typename T> T add_saturated(T a, T b)
{
    T sum;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return b < T(0) ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

template <typename T> T subtract_saturated(T a, T b)
{
    T difference;
    if (!__builtin_sub_overflow(a, b, &difference))
        return difference;
    return std::is_unsigned_v<T> || b > T(0) ? std::numeric_limits<T>::min()
                                             : std::numeric_limits<T>::max();
}

template <typename T> auto distance_between(T a, T b)
{
    return static_cast<T>(a < b ? unsigned_of<T>(b) - unsigned_of<T>(a)
                                : unsigned_of<T>(a) - unsigned_of<T>(b));
}

} // namespace detail

TERN_SYCL_INTEGER_1(abs, detail::absolute(x))
TERN_SYCL_INTEGER_1(clz, detail::leading_zeros(x))
TERN_SYCL_INTEGER_1(ctz, detail::trailing_zeros(x))
TERN_SYCL_INTEGER_1(popcount, __builtin_popcountll(detail::unsigned_of<decltype(x)>(x)))
TERN_SYCL_INTEGER_2(abs_diff, detail::distance_between(x, y))
TERN_SYCL_INTEGER_2(add_sat, detail::add_saturated(x, y))
TERN_SYCL_INTEGER_2(sub_sat, detail::subtract_saturated(x, y))
TERN_SYCL_INTEGER_2(hadd, (x >> 1) + (y >> 1) + (x & y & 1))
TERN_SYCL_INTEGER_2(rhadd, (x >> 1) + (y >> 1) + ((x | y) & 1))
TERN_SYCL_INTEGER_2(mul_hi, detail::high_half(x, y))
TERN_SYCL_INTEGER_2(rotate, detail::rotate_left(x, y))
TERN_SYCL_INTEGER_2(mul24, x *y)
TERN_SYCL_INTEGER_3(mad24, x *y + z)
TERN_SYCL_INTEGER_3(mad_hi, detail::high_half(x, y) + z)
TERN_SYCL_INTEGER_3(mad_sat, detail::saturate<decltype(x)>(
                                 static_cast<detail::twice_as_wide<decltype(x)>>(x) * y + z))
#undef TERN_SYCL_INTEGER_1
#undef TERN_SYCL_INTEGER_2
#undef TERN_SYCL_INTEGER_3
#undef TERN_SYCL_FLOAT_1
#undef TERN_SYCL_FLOAT_2
#undef TERN_SYCL_FLOAT_3

// Geometry.
template <typename T, typename U, detail::if_float<T, U> = 0> auto dot(const T &a, const U &b)
{
    if constexpr (detail::elements_of<T>::is_array) {
        detail::element_type_of<T> sum(0);
        for (int i = 0; i < static_cast<int>(detail::elements_of<T>::size); ++i)
            sum += a[i] * b[i];
        return sum;
    } else {
        return a * b;
    }
}

template <typename T, detail::if_float<T> = 0> T cross(const T &a, const T &b)
{
    static_assert(detail::elements_of<T>::size == 3 || detail::elements_of<T>::size == 4,
                  "cross() is for 3 or 4 elements");
    T result;
    result[0] = a[1] * b[2] - a[2] * b[1];
    result[1] = a[2] * b[0] - a[0] * b[2];
    result[2] = a[0] * b[1] - a[1] * b[0];
    if constexpr (detail::elements_of<T>::size == 4)
        result[3] = 0;
    return result;
}

template <typename T, detail::if_float<T> = 0> auto length(const T &of)
{
    return std::sqrt(dot(of, of));
}

template <typename T, detail::if_float<T> = 0> auto distance(const T &a, const T &b)
{
    return length(a - b);
}

template <typename T, detail::if_float<T> = 0> auto normalize(const T &of)
{
    const auto size = length(of);
    return size > 0 ? of / size : of;
}

template <typename T, detail::if_float<T> = 0> auto fast_length(const T &of)
{
    return length(of);
}

template <typename T, detail::if_float<T> = 0> auto fast_distance(const T &a, const T &b)
{
    return distance(a, b);
}

template <typename T, detail::if_float<T> = 0> auto fast_normalize(const T &of)
{
    return normalize(of);
}

namespace detail
{

// What a relation gives for one element: of a vec an integer with all bits or none, else a bool.
template <typename T, typename Relation, typename... Arguments>
auto relate(const Relation &relation, const T &first, const Arguments &...rest)
{
    if constexpr (vec_of<T>::is_vec) {
        return map(
            [&](auto... x) {
                using result = integer_of<sizeof(element_type_of<T>)>;
                return static_cast<result>(relation(x...) ? -1 : 0);
            },
            first, rest...);
    } else {
        return map([&](auto... x) { return static_cast<bool>(relation(x...)); }, first, rest...);
    }
}

} // namespace detail

#define TERN_SYCL_RELATION_1(name, ...)                                                            \
    template <typename T, detail::if_float<T> = 0> auto name(const T &value)                       \
    {                                                                                              \
        return detail::relate([](auto x) { return __VA_ARGS__; }, value);                          \
    }
#define TERN_SYCL_RELATION_2(name, ...)                                                            \
    template <typename T, detail::if_float<T> = 0> auto name(const T &first, const T &second)      \
    {                                                                                              \
        return detail::relate([](auto x, auto y) { return __VA_ARGS__; }, first, second);          \
    }
TERN_SYCL_RELATION_1(isfinite, std::isfinite(x))
TERN_SYCL_RELATION_1(isinf, std::isinf(x))
TERN_SYCL_RELATION_1(isnan, std::isnan(x))
TERN_SYCL_RELATION_1(isnormal, std::isnormal(x))
TERN_SYCL_RELATION_1(signbit, std::signbit(x))
TERN_SYCL_RELATION_2(isequal, x == y)
TERN_SYCL_RELATION_2(isnotequal, x != y)
TERN_SYCL_RELATION_2(isgreater, x > y)
TERN_SYCL_RELATION_2(isgreaterequal, x >= y)
TERN_SYCL_RELATION_2(isless, x < y)
TERN_SYCL_RELATION_2(islessequal, x <= y)
TERN_SYCL_RELATION_2(islessgreater, x<y || x> y)
TERN_SYCL_RELATION_2(isordered, !std::isunordered(x, y))
TERN_SYCL_RELATION_2(isunordered, std::isunordered(x, y))
#undef TERN_SYCL_RELATION_1
#undef TERN_SYCL_RELATION_2

namespace detail
{

// Whether an element counts as true for any(), all() and select(): of a vec or a number, by its
// highest bit; of bools, as it is.
template <typename T> constexpr bool is_set(T value)
{
    if constexpr (std::is_same_v<T, bool>)
        return value;
    else
        return static_cast<std::make_signed_t<T>>(value) < 0;
}

} // namespace detail

template <typename T, detail::if_integer<T> = 0> bool any(const T &of)
{
    if constexpr (detail::elements_of<T>::is_array) {
        for (int i = 0; i < static_cast<int>(detail::elements_of<T>::size); ++i)
            if (detail::is_set(of[i]))
                return true;
        return false;
    } else {
        return detail::is_set(of);
    }
}

template <typename T, detail::if_integer<T> = 0> bool all(const T &of)
{
    if constexpr (detail::elements_of<T>::is_array) {
        for (int i = 0; i < static_cast<int>(detail::elements_of<T>::size); ++i)
            if (!detail::is_set(of[i]))
                return false;
        return true;
    } else {
        return detail::is_set(of);
    }
}

// b where the condition is set, and a elsewhere.
template <typename T, typename Condition, detail::if_number<T> = 0,
          detail::if_integer<Condition> = 0>
T select(const T &a, const T &b, const Condition &condition)
{
    if constexpr (detail::elements_of<T>::is_array) {
        T result;
        for (int i = 0; i < static_cast<int>(detail::elements_of<T>::size); ++i)
            result[i] = detail::is_set(condition[i]) ? b[i] : a[i];
        return result;
    } else {
        return condition ? b : a; // of a number, any value but 0 is true
    }
}

// The bits of b where those of the mask are 1, and of a elsewhere.
template <typename T, detail::if_number<T> = 0> T bitselect(const T &a, const T &b, const T &mask)
{
    return detail::map(
        [](auto x, auto y, auto m) {
            using number = decltype(x);
            using bits = std::make_unsigned_t<detail::integer_of<sizeof(number)>>;
            bits first, second, chosen;
            std::memcpy(&first, &x, sizeof x);
            std::memcpy(&second, &y, sizeof y);
            std::memcpy(&chosen, &m, sizeof m);
            const bits mixed = static_cast<bits>((first & ~chosen) | (second & chosen));
            number result;
            std::memcpy(&result, &mixed, sizeof result);
            return result;
        },
        a, b, mask);
}

} // namespace sycl

#endif
