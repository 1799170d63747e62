// SPDX-License-Identifier: BSD-3-Clause
// vec: short vectors, with swizzles.
#ifndef SYCL_VEC_HPP
#define SYCL_VEC_HPP

#include "sycl/multi_ptr.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>

#ifdef SYCL_SIMPLE_SWIZZLES
#error "SYCL_SIMPLE_SWIZZLES is left out: use v.swizzle<0, 1>() for v.xy()"
#endif

namespace sycl
{

enum class rounding_mode : int { automatic, rte, rtz, rtp, rtn };

// Places of elements, for vec::swizzle().
struct elem {
    static constexpr int x = 0, y = 1, z = 2, w = 3;
    static constexpr int r = 0, g = 1, b = 2, a = 3;
    static constexpr int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7;
    static constexpr int s8 = 8, s9 = 9, sA = 10, sB = 11, sC = 12, sD = 13, sE = 14, sF = 15;
};

template <typename T, int N> class vec;

namespace detail
{

template <typename Vec, int... Is> class swizzled;

template <typename T> struct vec_traits {
    static constexpr bool is_vec = false;
};

template <typename T, int N> struct vec_traits<vec<T, N>> {
    static constexpr bool is_vec = true;
    static constexpr int size = N;
    using element = T;
    using plain = vec<T, N>;
};

template <typename T, int N, int... Is> struct vec_traits<swizzled<vec<T, N>, Is...>> {
    static constexpr bool is_vec = true;
    static constexpr int size = sizeof...(Is);
    using element = T;
    using plain = vec<T, size>;
};

template <typename T, int N, int... Is>
struct vec_traits<swizzled<const vec<T, N>, Is...>> : vec_traits<swizzled<vec<T, N>, Is...>> {
};

template <typename T> using vec_of = vec_traits<std::decay_t<T>>;

// The integer with as many bytes as T, which comparisons of vectors of T give.
template <std::size_t Bytes>
using integer_of = std::conditional_t<
    Bytes == 1, std::int8_t,
    std::conditional_t<Bytes == 2, std::int16_t,
                       std::conditional_t<Bytes == 4, std::int32_t, std::int64_t>>>;

// How many elements a constructor's argument gives.
template <typename T> constexpr int elements_in()
{
    if constexpr (vec_of<T>::is_vec)
        return vec_of<T>::size;
    else
        return 1;
}

template <typename From, typename To> To round_to(From value, rounding_mode mode)
{
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        switch (mode) {
        case rounding_mode::rte:
            return static_cast<To>(std::nearbyint(value));
        case rounding_mode::rtp:
            return static_cast<To>(std::ceil(value));
        case rounding_mode::rtn:
            return static_cast<To>(std::floor(value));
        default:
            break;
        }
    }
    return static_cast<To>(value);
}

template <typename T> struct found_type {
    using type = T;
};

struct found_none {
};

// The vector type of an operation on two operands of which one or both are vectors.
template <typename A, typename B> constexpr auto find_common_vec()
{
    using first = vec_of<A>;
    using second = vec_of<B>;
    if constexpr (first::is_vec && second::is_vec) {
        if constexpr (std::is_same_v<typename first::plain, typename second::plain>)
            return found_type<typename first::plain>();
        else
            return found_none();
    } else if constexpr (first::is_vec) {
        if constexpr (std::is_convertible_v<B, typename first::element>)
            return found_type<typename first::plain>();
        else
            return found_none();
    } else if constexpr (second::is_vec) {
        if constexpr (std::is_convertible_v<A, typename second::element>)
            return found_type<typename second::plain>();
        else
            return found_none();
    } else {
        return found_none();
    }
}

template <typename A, typename B>
using common_vec_t = typename decltype(find_common_vec<A, B>())::type;

// The operand as a vector.
template <typename Vec, typename Operand> constexpr Vec widen(const Operand &operand)
{
    if constexpr (vec_of<Operand>::is_vec)
        return operand;
    else
        return Vec(static_cast<typename vec_of<Vec>::element>(operand));
}

// The operators of vectors, found for vectors only.
class vec_operators
{
  public:
#define TERN_SYCL_BINARY(op)                                                                       \
    template <typename A, typename B, typename Vec = common_vec_t<A, B>>                           \
    friend constexpr Vec operator op(const A &a, const B &b)                                       \
    {                                                                                              \
        const Vec left = widen<Vec>(a), right = widen<Vec>(b);                                     \
        Vec result;                                                                                \
        for (int i = 0; i < Vec::size(); ++i)                                                      \
            result[i] = static_cast<typename Vec::element_type>(left[i] op right[i]);              \
        return result;                                                                             \
    }                                                                                              \
    template <typename T, int N, typename B, typename = common_vec_t<vec<T, N>, B>>                \
    friend constexpr vec<T, N> &operator op##=(vec<T, N> &a, const B &b)                           \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    template <typename V, int... Is, typename B, typename = common_vec_t<swizzled<V, Is...>, B>>   \
    friend const swizzled<V, Is...> &operator op##=(const swizzled<V, Is...> &a, const B &b)       \
    {                                                                                              \
        return a = a op b;                                                                         \
    }
    TERN_SYCL_BINARY(+)
    TERN_SYCL_BINARY(-)
    TERN_SYCL_BINARY(*)
    TERN_SYCL_BINARY(/)
    TERN_SYCL_BINARY(%)
    TERN_SYCL_BINARY(&)
    TERN_SYCL_BINARY(|)
    TERN_SYCL_BINARY(^)
    TERN_SYCL_BINARY(<<)
    TERN_SYCL_BINARY(>>)
#undef TERN_SYCL_BINARY

// Comparisons give -1 where they hold and 0 elsewhere.
#define TERN_SYCL_COMPARISON(op)                                                                   \
    template <typename A, typename B, typename Vec = common_vec_t<A, B>>                           \
    friend constexpr auto operator op(const A &a, const B &b)                                      \
    {                                                                                              \
        const Vec left = widen<Vec>(a), right = widen<Vec>(b);                                     \
        vec<integer_of<sizeof(typename Vec::element_type)>, Vec::size()> result;                   \
        for (int i = 0; i < Vec::size(); ++i)                                                      \
            result[i] = left[i] op right[i] ? -1 : 0;                                              \
        return result;                                                                             \
    }
    TERN_SYCL_COMPARISON(==)
    TERN_SYCL_COMPARISON(!=)
    TERN_SYCL_COMPARISON(<)
    TERN_SYCL_COMPARISON(>)
    TERN_SYCL_COMPARISON(<=)
    TERN_SYCL_COMPARISON(>=)
    TERN_SYCL_COMPARISON(&&)
    TERN_SYCL_COMPARISON(||)
#undef TERN_SYCL_COMPARISON

    template <typename A, typename Vec = typename vec_of<A>::plain>
    friend constexpr Vec operator-(const A &a)
    {
        const Vec value = a;
        Vec result;
        for (int i = 0; i < Vec::size(); ++i)
            result[i] = static_cast<typename Vec::element_type>(-value[i]);
        return result;
    }

    template <typename A, typename Vec = typename vec_of<A>::plain>
    friend constexpr Vec operator+(const A &a)
    {
        return a;
    }

    template <typename A, typename Vec = typename vec_of<A>::plain>
    friend constexpr Vec operator~(const A &a)
    {
        const Vec value = a;
        Vec result;
        for (int i = 0; i < Vec::size(); ++i)
            result[i] = static_cast<typename Vec::element_type>(~value[i]);
        return result;
    }

    template <typename A, typename Vec = typename vec_of<A>::plain>
    friend constexpr auto operator!(const A &a)
    {
        return a == typename Vec::element_type(0);
    }

    template <typename T, int N> friend constexpr vec<T, N> &operator++(vec<T, N> &a)
    {
        return a += T(1);
    }

    template <typename T, int N> friend constexpr vec<T, N> &operator--(vec<T, N> &a)
    {
        return a -= T(1);
    }

    template <typename T, int N> friend constexpr vec<T, N> operator++(vec<T, N> &a, int)
    {
        const vec<T, N> before = a;
        a += T(1);
        return before;
    }

    template <typename T, int N> friend constexpr vec<T, N> operator--(vec<T, N> &a, int)
    {
        const vec<T, N> before = a;
        a -= T(1);
        return before;
    }
};

} // namespace detail

template <typename T, int N>
class alignas(sizeof(T) * (N == 3 ? 4 : N)) vec : public detail::vec_operators
{
    static_assert(N == 1 || N == 2 || N == 3 || N == 4 || N == 8 || N == 16,
                  "a vec has 1, 2, 3, 4, 8 or 16 elements");
    static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, std::byte>,
                  "a vec has numbers as elements");

  public:
    using element_type = T;
    using value_type = T;

    constexpr vec() = default;

    // All elements have the value.
    explicit constexpr vec(const T &value)
    {
        for (T &each : values_)
            each = value;
    }

    // From numbers and vectors, one after the other.
    template <typename First, typename... Rest,
              std::enable_if_t<(sizeof...(Rest) > 0) && (detail::elements_in<First>() + ... +
                                                         detail::elements_in<Rest>()) == N,
                               int> = 0>
    constexpr vec(const First &first, const Rest &...rest)
    {
        int at = 0;
        append(at, first);
        (append(at, rest), ...);
    }

    template <
        typename V, int... Is,
        std::enable_if_t<
            sizeof...(Is) == N && std::is_same_v<typename detail::vec_of<V>::element, T>, int> = 0>
    constexpr vec(const detail::swizzled<V, Is...> &from) : vec(from.value())
    {
    }

    constexpr vec &operator=(const T &value)
    {
        return *this = vec(value);
    }

    // A vector of one element is like that element.
    template <int M = N, std::enable_if_t<M == 1, int> = 0> constexpr operator T() const
    {
        return values_[0];
    }

    static constexpr int size() noexcept
    {
        return N;
    }

    static constexpr std::size_t byte_size() noexcept
    {
        return sizeof(vec);
    }

    [[deprecated("use size()")]] static constexpr std::size_t get_count()
    {
        return N;
    }

    [[deprecated("use byte_size()")]] static constexpr std::size_t get_size()
    {
        return sizeof(vec);
    }

    constexpr T &operator[](int index)
    {
        return values_[index];
    }

    constexpr const T &operator[](int index) const
    {
        return values_[index];
    }

    template <typename U, rounding_mode Mode = rounding_mode::automatic> vec<U, N> convert() const
    {
        vec<U, N> result;
        for (int i = 0; i < N; ++i)
            result[i] = detail::round_to<T, U>(values_[i], Mode);
        return result;
    }

    // The same bytes as another type.
    template <typename Other> Other as() const
    {
        static_assert(sizeof(Other) == sizeof(vec), "as() is for a type of the same size");
        Other result;
        std::memcpy(static_cast<void *>(&result), values_, sizeof result);
        return result;
    }

    // The elements at offset * N from the pointer.
    void load(std::size_t offset, const T *from)
    {
        std::memcpy(values_, from + offset * N, N * sizeof(T));
    }

    void store(std::size_t offset, T *to) const
    {
        std::memcpy(to + offset * N, values_, N * sizeof(T));
    }

    template <typename U, access::address_space Space, access::decorated Decorated>
    void load(std::size_t offset, multi_ptr<U, Space, Decorated> from)
    {
        load(offset, from.get());
    }

    template <access::address_space Space, access::decorated Decorated>
    void store(std::size_t offset, multi_ptr<T, Space, Decorated> to) const
    {
        store(offset, to.get());
    }

    template <int... Is> detail::swizzled<vec, Is...> swizzle()
    {
        return detail::swizzled<vec, Is...>(*this);
    }

    template <int... Is> detail::swizzled<const vec, Is...> swizzle() const
    {
        return detail::swizzled<const vec, Is...>(*this);
    }

#define TERN_SYCL_ELEMENT(name, index)                                                             \
    template <int M = N, std::enable_if_t<(M > index), int> = 0> constexpr T &name()               \
    {                                                                                              \
        return values_[index];                                                                     \
    }                                                                                              \
    template <int M = N, std::enable_if_t<(M > index), int> = 0> constexpr const T &name() const   \
    {                                                                                              \
        return values_[index];                                                                     \
    }
    TERN_SYCL_ELEMENT(x, 0)
    TERN_SYCL_ELEMENT(y, 1)
    TERN_SYCL_ELEMENT(z, 2)
    TERN_SYCL_ELEMENT(w, 3)
    TERN_SYCL_ELEMENT(r, 0)
    TERN_SYCL_ELEMENT(g, 1)
    TERN_SYCL_ELEMENT(b, 2)
    TERN_SYCL_ELEMENT(a, 3)
    TERN_SYCL_ELEMENT(s0, 0)
    TERN_SYCL_ELEMENT(s1, 1)
    TERN_SYCL_ELEMENT(s2, 2)
    TERN_SYCL_ELEMENT(s3, 3)
    TERN_SYCL_ELEMENT(s4, 4)
    TERN_SYCL_ELEMENT(s5, 5)
    TERN_SYCL_ELEMENT(s6, 6)
    TERN_SYCL_ELEMENT(s7, 7)
    TERN_SYCL_ELEMENT(s8, 8)
    TERN_SYCL_ELEMENT(s9, 9)
    TERN_SYCL_ELEMENT(sA, 10)
    TERN_SYCL_ELEMENT(sB, 11)
    TERN_SYCL_ELEMENT(sC, 12)
    TERN_SYCL_ELEMENT(sD, 13)
    TERN_SYCL_ELEMENT(sE, 14)
    TERN_SYCL_ELEMENT(sF, 15)
#undef TERN_SYCL_ELEMENT

    // Halves, and every second element. A vector of three counts as one of four.
    auto lo()
    {
        return part<1, 0>(*this, half());
    }

    auto lo() const
    {
        return part<1, 0>(*this, half());
    }

    auto hi()
    {
        return part<1, half_size>(*this, half());
    }

    auto hi() const
    {
        return part<1, half_size>(*this, half());
    }

    auto even()
    {
        return part<2, 0>(*this, half());
    }

    auto even() const
    {
        return part<2, 0>(*this, half());
    }

    auto odd()
    {
        return part<2, 1>(*this, half());
    }

    auto odd() const
    {
        return part<2, 1>(*this, half());
    }

  private:
    static constexpr int half_size = N == 3 ? 2 : N / 2;
    using half = std::make_integer_sequence<int, half_size>;

    template <int Stride, int First, typename Self, int... Is>
    static detail::swizzled<Self, (First + Stride * Is)...> part(Self &self,
                                                                 std::integer_sequence<int, Is...>)
    {
        return detail::swizzled<Self, (First + Stride * Is)...>(self);
    }

    template <typename Given> constexpr void append(int &at, const Given &given)
    {
        if constexpr (detail::vec_of<Given>::is_vec) {
            const typename detail::vec_of<Given>::plain all = given;
            for (int i = 0; i < all.size(); ++i)
                values_[at++] = static_cast<T>(all[i]);
        } else {
            values_[at++] = static_cast<T>(given);
        }
    }

    T values_[N == 3 ? 4 : N] = {};
};

template <typename T, typename... Rest, std::enable_if_t<(std::is_same_v<T, Rest> && ...), int> = 0>
vec(T, Rest...) -> vec<T, 1 + static_cast<int>(sizeof...(Rest))>;

namespace detail
{

// Chosen elements of a vector, in some order, as if they were a vector.
template <typename Vec, int... Is> class swizzled : public vec_operators
{
    using element = typename vec_of<Vec>::element;

  public:
    using value_type = element;

    explicit swizzled(Vec &of) : of_(of)
    {
        static_assert(((Is >= 0 && (Is < vec_of<Vec>::size || vec_of<Vec>::size == 3)) && ...),
                      "a swizzle names an element that the vec does not have");
    }

    swizzled(const swizzled &) = default;

    static constexpr int size()
    {
        return sizeof...(Is);
    }

    vec<element, size()> value() const
    {
        if constexpr (size() == 1)
            return vec<element, 1>(of_[Is]...);
        else
            return vec<element, size()>(of_[Is]...);
    }

    // A swizzle of one element is like that element.
    template <typename T = element, std::enable_if_t<sizeof...(Is) == 1, T *> = nullptr>
    operator T() const
    {
        return value()[0];
    }

    element &operator[](int index) const
    {
        constexpr int places[] = {Is...};
        return of_[places[index]];
    }

    const swizzled &operator=(const vec<element, sizeof...(Is)> &values) const
    {
        int at = 0;
        ((of_[Is] = values[at++]), ...);
        return *this;
    }

    const swizzled &operator=(const element &same) const
    {
        ((of_[Is] = same), ...);
        return *this;
    }

    const swizzled &operator=(const swizzled &other) const
    {
        return *this = other.value();
    }

  private:
    Vec &of_;
};

} // namespace detail

// Names such as float4.
#define TERN_SYCL_NAMES(type, name)                                                                \
    using name##2 = vec<type, 2>;                                                                  \
    using name##3 = vec<type, 3>;                                                                  \
    using name##4 = vec<type, 4>;                                                                  \
    using name##8 = vec<type, 8>;                                                                  \
    using name##16 = vec<type, 16>;
TERN_SYCL_NAMES(std::int8_t, char)
TERN_SYCL_NAMES(std::uint8_t, uchar)
TERN_SYCL_NAMES(std::int16_t, short)
TERN_SYCL_NAMES(std::uint16_t, ushort)
TERN_SYCL_NAMES(std::int32_t, int)
TERN_SYCL_NAMES(std::uint32_t, uint)
TERN_SYCL_NAMES(std::int64_t, long)
TERN_SYCL_NAMES(std::uint64_t, ulong)
TERN_SYCL_NAMES(float, float)
TERN_SYCL_NAMES(double, double)
#undef TERN_SYCL_NAMES

} // namespace sycl

#endif
