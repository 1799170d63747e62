// SPDX-License-Identifier: BSD-3-Clause
// span: std::span where there is one, and the part of it that reductions need in C++17.
#ifndef SYCL_SPAN_HPP
#define SYCL_SPAN_HPP

#include <cstddef>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace sycl
{

#if __cplusplus >= 202002L
using std::dynamic_extent;
using std::span;
#else
inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <typename T, std::size_t Extent = dynamic_extent> class span
{
  public:
    using element_type = T;
    using iterator = T *;

    constexpr span(T *first, std::size_t count) : first_(first), count_(count)
    {
    }

    template <std::size_t Count> constexpr span(T (&array)[Count]) : first_(array), count_(Count)
    {
    }

    constexpr T *data() const
    {
        return first_;
    }

    constexpr std::size_t size() const
    {
        return count_;
    }

    constexpr T &operator[](std::size_t index) const
    {
        return first_[index];
    }

    constexpr T *begin() const
    {
        return first_;
    }

    constexpr T *end() const
    {
        return first_ + count_;
    }

  private:
    T *first_;
    std::size_t count_;
};

template <typename T> span(T *, std::size_t) -> span<T>;
template <typename T, std::size_t Count> span(T (&)[Count]) -> span<T, Count>;
#endif

} // namespace sycl

#endif
