// SPDX-License-Identifier: BSD-3-Clause
// marray: arrays of any fixed size, with arithmetic on their elements.
#ifndef SYCL_MARRAY_HPP
#define SYCL_MARRAY_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sycl
{

#define TERN_SYCL_BINARY(op)                                                                       \
    friend constexpr marray operator op(const marray &a, const marray &b)                          \
    {                                                                                              \
        marray result;                                                                             \
        for (std::size_t i = 0; i < N; ++i)                                                        \
            result.values_[i] = static_cast<T>(a.values_[i] op b.values_[i]);                      \
        return result;                                                                             \
    }                                                                                              \
    friend constexpr marray operator op(const marray &a, const T &b)                               \
    {                                                                                              \
        return a op marray(b);                                                                     \
    }                                                                                              \
    friend constexpr marray operator op(const T &a, const marray &b)                               \
    {                                                                                              \
        return marray(a) op b;                                                                     \
    }                                                                                              \
    friend constexpr marray &operator op##=(marray &a, const marray &b)                            \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    friend constexpr marray &operator op##=(marray &a, const T &b)                                 \
    {                                                                                              \
        return a = a op marray(b);                                                                 \
    }
#define TERN_SYCL_COMPARISON(op)                                                                   \
    friend constexpr marray<bool, N> operator op(const marray &a, const marray &b)                 \
    {                                                                                              \
        marray<bool, N> result;                                                                    \
        for (std::size_t i = 0; i < N; ++i)                                                        \
            result[i] = a.values_[i] op b.values_[i];                                              \
        return result;                                                                             \
    }                                                                                              \
    friend constexpr marray<bool, N> operator op(const marray &a, const T &b)                      \
    {                                                                                              \
        return a op marray(b);                                                                     \
    }                                                                                              \
    friend constexpr marray<bool, N> operator op(const T &a, const marray &b)                      \
    {                                                                                              \
        return marray(a) op b;                                                                     \
    }

template <typename T, std::size_t N> class marray
{
  public:
    using value_type = T;
    using reference = T &;
    using const_reference = const T &;
    using iterator = T *;
    using const_iterator = const T *;

    constexpr marray() : values_{}
    {
    }

    explicit constexpr marray(const T &value) : values_{}
    {
        for (T &each : values_)
            each = value;
    }

    template <typename... Values, std::enable_if_t<sizeof...(Values) == N && (N > 1) &&
                                                       (std::is_convertible_v<Values, T> && ...),
                                                   int> = 0>
    constexpr marray(const Values &...values) : values_{static_cast<T>(values)...}
    {
    }

    constexpr marray &operator=(const T &value)
    {
        return *this = marray(value);
    }

    template <std::size_t M = N, std::enable_if_t<M == 1, int> = 0> constexpr operator T() const
    {
        return values_[0];
    }

    static constexpr std::size_t size() noexcept
    {
        return N;
    }

    constexpr T &operator[](std::size_t index)
    {
        return values_[index];
    }

    constexpr const T &operator[](std::size_t index) const
    {
        return values_[index];
    }

    constexpr iterator begin()
    {
        return values_;
    }

    constexpr const_iterator begin() const
    {
        return values_;
    }

    constexpr iterator end()
    {
        return values_ + N;
    }

    constexpr const_iterator end() const
    {
        return values_ + N;
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
    TERN_SYCL_COMPARISON(==)
    TERN_SYCL_COMPARISON(!=)
    TERN_SYCL_COMPARISON(<)
    TERN_SYCL_COMPARISON(>)
    TERN_SYCL_COMPARISON(<=)
    TERN_SYCL_COMPARISON(>=)
    TERN_SYCL_COMPARISON(&&)
    TERN_SYCL_COMPARISON(||)

    friend constexpr marray operator+(const marray &a)
    {
        return a;
    }

    friend constexpr marray operator-(const marray &a)
    {
        marray result;
        for (std::size_t i = 0; i < N; ++i)
            result.values_[i] = static_cast<T>(-a.values_[i]);
        return result;
    }

    friend constexpr marray operator~(const marray &a)
    {
        marray result;
        for (std::size_t i = 0; i < N; ++i)
            result.values_[i] = static_cast<T>(~a.values_[i]);
        return result;
    }

    friend constexpr marray<bool, N> operator!(const marray &a)
    {
        marray<bool, N> result;
        for (std::size_t i = 0; i < N; ++i)
            result[i] = !a.values_[i];
        return result;
    }

    friend constexpr marray &operator++(marray &a)
    {
        return a = a + T(1);
    }

    friend constexpr marray &operator--(marray &a)
    {
        return a = a - T(1);
    }

    friend constexpr marray operator++(marray &a, int)
    {
        const marray before = a;
        a = a + T(1);
        return before;
    }

    friend constexpr marray operator--(marray &a, int)
    {
        const marray before = a;
        a = a - T(1);
        return before;
    }

  private:
    T values_[N];
};
#undef TERN_SYCL_COMPARISON
#undef TERN_SYCL_BINARY

template <typename T, typename... Rest, std::enable_if_t<(std::is_same_v<T, Rest> && ...), int> = 0>
marray(T, Rest...) -> marray<T, 1 + sizeof...(Rest)>;

// Names such as mfloat4.
#define TERN_SYCL_NAMES(type, name)                                                                \
    using m##name##2 = marray<type, 2>;                                                            \
    using m##name##3 = marray<type, 3>;                                                            \
    using m##name##4 = marray<type, 4>;                                                            \
    using m##name##8 = marray<type, 8>;                                                            \
    using m##name##16 = marray<type, 16>;
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
TERN_SYCL_NAMES(bool, bool)
#undef TERN_SYCL_NAMES

} // namespace sycl

#endif
