// SPDX-License-Identifier: BSD-3-Clause
// Index spaces of one to three dimensions: range, id and nd_range.
#ifndef SYCL_INDEX_SPACE_HPP
#define SYCL_INDEX_SPACE_HPP

#include <cstddef>
#include <type_traits>

namespace sycl
{

template <int Dimensions> class range;
template <int Dimensions> class id;
template <int Dimensions, bool WithOffset> class item;

namespace detail
{

// What range and id share. Derived is the class itself.
template <typename Derived, int Dimensions> class coordinates
{
    static_assert(Dimensions >= 1 && Dimensions <= 3, "an index space has 1, 2 or 3 dimensions");

  public:
    static constexpr int dimensions = Dimensions;

    constexpr std::size_t get(int dimension) const
    {
        return values_[dimension];
    }

    constexpr std::size_t &operator[](int dimension)
    {
        return values_[dimension];
    }

    constexpr std::size_t operator[](int dimension) const
    {
        return values_[dimension];
    }

    friend constexpr bool operator==(const Derived &a, const Derived &b)
    {
        bool is_equal = true;
        for (int i = 0; i < Dimensions; ++i)
            is_equal = is_equal && a[i] == b[i];
        return is_equal;
    }

    friend constexpr bool operator!=(const Derived &a, const Derived &b)
    {
        return !(a == b);
    }

  protected:
    template <typename... Values>
    constexpr explicit coordinates(Values... values) : values_{static_cast<std::size_t>(values)...}
    {
    }

    std::size_t values_[static_cast<std::size_t>(Dimensions)];
};

// The base of classes that convert to an integer if they have one dimension.
template <typename Derived, int Dimensions> class integer_if_one
{
};

template <typename Derived> class integer_if_one<Derived, 1>
{
  public:
    constexpr operator std::size_t() const
    {
        return static_cast<const Derived &>(*this)[0];
    }
};

template <typename T>
using if_integral = std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>, int>;

} // namespace detail

// Each operator works on each dimension. The forms with a scalar are templates, so that they match
// exactly: an id of one dimension converts to an integer, too.
#define TERN_SYCL_BINARY(op)                                                                       \
    friend constexpr TERN_SYCL_CLASS operator op(const TERN_SYCL_CLASS &a,                         \
                                                 const TERN_SYCL_CLASS &b)                         \
    {                                                                                              \
        TERN_SYCL_CLASS result(a);                                                                 \
        for (int i = 0; i < Dimensions; ++i)                                                       \
            result[i] = static_cast<std::size_t>(a[i] op b[i]);                                    \
        return result;                                                                             \
    }                                                                                              \
    template <typename T, detail::if_integral<T> = 0>                                              \
    friend constexpr TERN_SYCL_CLASS operator op(const TERN_SYCL_CLASS &a, const T &b)             \
    {                                                                                              \
        TERN_SYCL_CLASS result(a);                                                                 \
        for (int i = 0; i < Dimensions; ++i)                                                       \
            result[i] = static_cast<std::size_t>(a[i] op static_cast<std::size_t>(b));             \
        return result;                                                                             \
    }                                                                                              \
    template <typename T, detail::if_integral<T> = 0>                                              \
    friend constexpr TERN_SYCL_CLASS operator op(const T &a, const TERN_SYCL_CLASS &b)             \
    {                                                                                              \
        TERN_SYCL_CLASS result(b);                                                                 \
        for (int i = 0; i < Dimensions; ++i)                                                       \
            result[i] = static_cast<std::size_t>(static_cast<std::size_t>(a) op b[i]);             \
        return result;                                                                             \
    }
#define TERN_SYCL_ASSIGNING(op)                                                                    \
    TERN_SYCL_BINARY(op)                                                                           \
    friend constexpr TERN_SYCL_CLASS &operator op##=(TERN_SYCL_CLASS &a, const TERN_SYCL_CLASS &b) \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    friend constexpr TERN_SYCL_CLASS &operator op##=(TERN_SYCL_CLASS &a, const std::size_t &b)     \
    {                                                                                              \
        return a = a op b;                                                                         \
    }
#define TERN_SYCL_OPERATORS                                                                        \
    TERN_SYCL_ASSIGNING(+)                                                                         \
    TERN_SYCL_ASSIGNING(-)                                                                         \
    TERN_SYCL_ASSIGNING(*)                                                                         \
    TERN_SYCL_ASSIGNING(/)                                                                         \
    TERN_SYCL_ASSIGNING(%)                                                                         \
    TERN_SYCL_ASSIGNING(<<)                                                                        \
    TERN_SYCL_ASSIGNING(>>)                                                                        \
    TERN_SYCL_ASSIGNING(&)                                                                         \
    TERN_SYCL_ASSIGNING(|)                                                                         \
    TERN_SYCL_ASSIGNING(^)                                                                         \
    TERN_SYCL_BINARY(&&)                                                                           \
    TERN_SYCL_BINARY(||)                                                                           \
    TERN_SYCL_BINARY(<)                                                                            \
    TERN_SYCL_BINARY(>)                                                                            \
    TERN_SYCL_BINARY(<=)                                                                           \
    TERN_SYCL_BINARY(>=)                                                                           \
    friend constexpr TERN_SYCL_CLASS operator+(const TERN_SYCL_CLASS &a)                           \
    {                                                                                              \
        return a;                                                                                  \
    }                                                                                              \
    friend constexpr TERN_SYCL_CLASS operator-(const TERN_SYCL_CLASS &a)                           \
    {                                                                                              \
        return std::size_t(0) - a;                                                                 \
    }                                                                                              \
    friend constexpr TERN_SYCL_CLASS &operator++(TERN_SYCL_CLASS &a)                               \
    {                                                                                              \
        return a += 1;                                                                             \
    }                                                                                              \
    friend constexpr TERN_SYCL_CLASS &operator--(TERN_SYCL_CLASS &a)                               \
    {                                                                                              \
        return a -= 1;                                                                             \
    }                                                                                              \
    friend constexpr TERN_SYCL_CLASS operator++(TERN_SYCL_CLASS &a, int)                           \
    {                                                                                              \
        TERN_SYCL_CLASS before(a);                                                                 \
        a += 1;                                                                                    \
        return before;                                                                             \
    }                                                                                              \
    friend constexpr TERN_SYCL_CLASS operator--(TERN_SYCL_CLASS &a, int)                           \
    {                                                                                              \
        TERN_SYCL_CLASS before(a);                                                                 \
        a -= 1;                                                                                    \
        return before;                                                                             \
    }

#define TERN_SYCL_CLASS range
template <int Dimensions = 1>
class range : public detail::coordinates<range<Dimensions>, Dimensions>
{
    using base = detail::coordinates<range, Dimensions>;

  public:
    constexpr range() : base(0)
    {
    }

    template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
    constexpr range(std::size_t dim0) : base(dim0)
    {
    }

    template <int D = Dimensions, std::enable_if_t<D == 2, int> = 0>
    constexpr range(std::size_t dim0, std::size_t dim1) : base(dim0, dim1)
    {
    }

    template <int D = Dimensions, std::enable_if_t<D == 3, int> = 0>
    constexpr range(std::size_t dim0, std::size_t dim1, std::size_t dim2) : base(dim0, dim1, dim2)
    {
    }

    constexpr std::size_t size() const
    {
        std::size_t product = 1;
        for (int i = 0; i < Dimensions; ++i)
            product *= this->values_[i];
        return product;
    }

    TERN_SYCL_OPERATORS
};
#undef TERN_SYCL_CLASS

#define TERN_SYCL_CLASS id
template <int Dimensions = 1>
class id : public detail::coordinates<id<Dimensions>, Dimensions>,
           public detail::integer_if_one<id<Dimensions>, Dimensions>
{
    using base = detail::coordinates<id, Dimensions>;

  public:
    constexpr id() : base(0)
    {
    }

    template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
    constexpr id(std::size_t dim0) : base(dim0)
    {
    }

    template <int D = Dimensions, std::enable_if_t<D == 2, int> = 0>
    constexpr id(std::size_t dim0, std::size_t dim1) : base(dim0, dim1)
    {
    }

    template <int D = Dimensions, std::enable_if_t<D == 3, int> = 0>
    constexpr id(std::size_t dim0, std::size_t dim1, std::size_t dim2) : base(dim0, dim1, dim2)
    {
    }

    constexpr id(const range<Dimensions> &from) : base(0)
    {
        for (int i = 0; i < Dimensions; ++i)
            this->values_[i] = from[i];
    }

    template <bool WithOffset>
    constexpr id(const item<Dimensions, WithOffset> &from) : id(from.get_id())
    {
    }

    // Comparisons of one dimension with an integer, which might convert either way.
    template <typename T, int D = Dimensions, std::enable_if_t<D == 1, int> = 0,
              detail::if_integral<T> = 0>
    friend constexpr bool operator==(const id &a, const T &b)
    {
        return a[0] == static_cast<std::size_t>(b);
    }

    template <typename T, int D = Dimensions, std::enable_if_t<D == 1, int> = 0,
              detail::if_integral<T> = 0>
    friend constexpr bool operator!=(const id &a, const T &b)
    {
        return a[0] != static_cast<std::size_t>(b);
    }

    template <typename T, int D = Dimensions, std::enable_if_t<D == 1, int> = 0,
              detail::if_integral<T> = 0>
    friend constexpr bool operator==(const T &a, const id &b)
    {
        return static_cast<std::size_t>(a) == b[0];
    }

    template <typename T, int D = Dimensions, std::enable_if_t<D == 1, int> = 0,
              detail::if_integral<T> = 0>
    friend constexpr bool operator!=(const T &a, const id &b)
    {
        return static_cast<std::size_t>(a) != b[0];
    }

    TERN_SYCL_OPERATORS
};
#undef TERN_SYCL_CLASS
#undef TERN_SYCL_OPERATORS
#undef TERN_SYCL_ASSIGNING
#undef TERN_SYCL_BINARY

range(std::size_t)->range<1>;
range(std::size_t, std::size_t)->range<2>;
range(std::size_t, std::size_t, std::size_t)->range<3>;
id(std::size_t)->id<1>;
id(std::size_t, std::size_t)->id<2>;
id(std::size_t, std::size_t, std::size_t)->id<3>;

template <int Dimensions = 1> class nd_range
{
  public:
    static constexpr int dimensions = Dimensions;

    constexpr nd_range(range<Dimensions> global_size, range<Dimensions> local_size,
                       id<Dimensions> offset = {})
        : global_(global_size), local_(local_size), offset_(offset)
    {
    }

    constexpr range<Dimensions> get_global_range() const
    {
        return global_;
    }

    constexpr range<Dimensions> get_local_range() const
    {
        return local_;
    }

    constexpr range<Dimensions> get_group_range() const
    {
        range<Dimensions> groups;
        for (int i = 0; i < Dimensions; ++i)
            groups[i] = local_[i] ? global_[i] / local_[i] : 0;
        return groups;
    }

    constexpr id<Dimensions> get_offset() const
    {
        return offset_;
    }

    friend constexpr bool operator==(const nd_range &a, const nd_range &b)
    {
        return a.global_ == b.global_ && a.local_ == b.local_ && a.offset_ == b.offset_;
    }

    friend constexpr bool operator!=(const nd_range &a, const nd_range &b)
    {
        return !(a == b);
    }

  private:
    range<Dimensions> global_;
    range<Dimensions> local_;
    id<Dimensions> offset_;
};

namespace detail
{

// The last dimension varies fastest.
template <int Dimensions>
constexpr std::size_t linearize(const id<Dimensions> &position, const range<Dimensions> &extent)
{
    std::size_t linear = position[0];
    for (int i = 1; i < Dimensions; ++i)
        linear = linear * extent[i] + position[i];
    return linear;
}

template <int Dimensions>
constexpr id<Dimensions> delinearize(std::size_t linear, const range<Dimensions> &extent)
{
    id<Dimensions> position;
    for (int i = Dimensions - 1; i > 0; --i) {
        position[i] = linear % extent[i];
        linear /= extent[i];
    }
    position[0] = linear;
    return position;
}

// The position after this one in linear order.
template <int Dimensions>
constexpr void advance(id<Dimensions> &position, const range<Dimensions> &extent)
{
    for (int i = Dimensions - 1; i > 0; --i) {
        if (++position[i] < extent[i])
            return;
        position[i] = 0;
    }
    ++position[0];
}

} // namespace detail
} // namespace sycl

#endif
