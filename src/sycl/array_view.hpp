// SPDX-License-Identifier: BSD-3-Clause
// The part that accessors have in common: elements of an array of up to three dimensions.
#ifndef SYCL_ARRAY_VIEW_HPP
#define SYCL_ARRAY_VIEW_HPP

#include "sycl/index_space.hpp"

#include <cstddef>
#include <iterator>
#include <limits>

namespace sycl::detail
{

// What a[i] is for an array of more dimensions: the next [] follows.
template <typename T, int Dimensions, int Given> class partial_subscript
{
  public:
    partial_subscript(T *base, const range<Dimensions> &extent, std::size_t linear,
                      const id<Dimensions> &offset)
        : base_(base), extent_(extent), linear_(linear), offset_(offset)
    {
    }

    decltype(auto) operator[](std::size_t index) const
    {
        const std::size_t next = linear_ * extent_[Given] + offset_[Given] + index;
        if constexpr (Given + 1 == Dimensions)
            return static_cast<T &>(base_[next]);
        else
            return partial_subscript<T, Dimensions, Given + 1>(base_, extent_, next, offset_);
    }

  private:
    T *base_;
    range<Dimensions> extent_;
    std::size_t linear_; // of the indices so far
    id<Dimensions> offset_;
};

// Iterates over the elements of a part of an array.
template <typename T, int Dimensions> class view_iterator
{
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_const_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = T *;
    using reference = T &;

    view_iterator() = default;

    view_iterator(T *base, const range<Dimensions> &extent, const range<Dimensions> &part,
                  const id<Dimensions> &offset, std::size_t at)
        : base_(base), extent_(extent), part_(part), offset_(offset),
          at_(static_cast<difference_type>(at))
    {
    }

    reference operator*() const
    {
        const id<Dimensions> position = delinearize(static_cast<std::size_t>(at_), part_);
        return base_[linearize(position + offset_, extent_)];
    }

    pointer operator->() const
    {
        return &**this;
    }

    reference operator[](difference_type distance) const
    {
        return *(*this + distance);
    }

    view_iterator &operator+=(difference_type distance)
    {
        at_ += distance;
        return *this;
    }

    view_iterator &operator-=(difference_type distance)
    {
        at_ -= distance;
        return *this;
    }

    view_iterator &operator++()
    {
        ++at_;
        return *this;
    }

    view_iterator &operator--()
    {
        --at_;
        return *this;
    }

    view_iterator operator++(int)
    {
        view_iterator before(*this);
        ++at_;
        return before;
    }

    view_iterator operator--(int)
    {
        view_iterator before(*this);
        --at_;
        return before;
    }

    friend view_iterator operator+(view_iterator from, difference_type distance)
    {
        return from += distance;
    }

    friend view_iterator operator+(difference_type distance, view_iterator from)
    {
        return from += distance;
    }

    friend view_iterator operator-(view_iterator from, difference_type distance)
    {
        return from -= distance;
    }

    friend difference_type operator-(const view_iterator &a, const view_iterator &b)
    {
        return a.at_ - b.at_;
    }

    friend bool operator==(const view_iterator &a, const view_iterator &b)
    {
        return a.at_ == b.at_;
    }

    friend bool operator!=(const view_iterator &a, const view_iterator &b)
    {
        return a.at_ != b.at_;
    }

    friend bool operator<(const view_iterator &a, const view_iterator &b)
    {
        return a.at_ < b.at_;
    }

    friend bool operator>(const view_iterator &a, const view_iterator &b)
    {
        return a.at_ > b.at_;
    }

    friend bool operator<=(const view_iterator &a, const view_iterator &b)
    {
        return a.at_ <= b.at_;
    }

    friend bool operator>=(const view_iterator &a, const view_iterator &b)
    {
        return a.at_ >= b.at_;
    }

  private:
    T *base_ = nullptr;
    range<Dimensions> extent_;
    range<Dimensions> part_;
    id<Dimensions> offset_;
    difference_type at_ = 0;
};

// The base of accessors that convert to their element if they have just one.
template <typename Derived, typename T, int Dimensions> class element_if_single
{
};

template <typename Derived, typename T> class element_if_single<Derived, T, 0>
{
  public:
    operator T &() const
    {
        return *static_cast<const Derived &>(*this).begin();
    }
};

// The functions of accessors that access elements. Derived has base(), where the array begins, and
// Dimensions is that of the accessor: 0 stands for a single element.
template <typename Derived, typename T, int Dimensions>
class array_view : public element_if_single<Derived, T, Dimensions>
{
    static constexpr int space = Dimensions ? Dimensions : 1;

  public:
    static constexpr int dimensions = Dimensions;
    using value_type = T;
    using reference = T &;
    using const_reference = const T &;
    using iterator = view_iterator<T, space>;
    using const_iterator = view_iterator<const T, space>;
    using reverse_iterator = std::reverse_iterator<iterator>;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;
    using difference_type = std::ptrdiff_t;
    using size_type = std::size_t;

    size_type size() const noexcept
    {
        return part_.size();
    }

    size_type byte_size() const noexcept
    {
        return size() * sizeof(T);
    }

    size_type max_size() const noexcept
    {
        return std::numeric_limits<difference_type>::max() / sizeof(T);
    }

    bool empty() const noexcept
    {
        return size() == 0;
    }

    template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0> range<space> get_range() const
    {
        return part_;
    }

    template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
    reference operator[](const id<space> &index) const
    {
        return base()[linearize(index + offset_, extent_)];
    }

    // A template, so that an item, which converts to an id and to an integer, counts as an id.
    template <typename Index, int D = Dimensions,
              std::enable_if_t<D == 1 && std::is_integral_v<Index>, int> = 0>
    reference operator[](Index index) const
    {
        return base()[static_cast<std::size_t>(index) + offset_[0]];
    }

    template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
    auto operator[](std::size_t index) const
    {
        return partial_subscript<T, space, 1>(base(), extent_, index + offset_[0], offset_);
    }

    iterator begin() const noexcept
    {
        return {base(), extent_, part_, offset_, 0};
    }

    iterator end() const noexcept
    {
        return {base(), extent_, part_, offset_, size()};
    }

    const_iterator cbegin() const noexcept
    {
        return {base(), extent_, part_, offset_, 0};
    }

    const_iterator cend() const noexcept
    {
        return {base(), extent_, part_, offset_, size()};
    }

    reverse_iterator rbegin() const noexcept
    {
        return reverse_iterator(end());
    }

    reverse_iterator rend() const noexcept
    {
        return reverse_iterator(begin());
    }

    const_reverse_iterator crbegin() const noexcept
    {
        return const_reverse_iterator(cend());
    }

    const_reverse_iterator crend() const noexcept
    {
        return const_reverse_iterator(cbegin());
    }

  protected:
    array_view() : extent_(), part_()
    {
    }

    // The part of an array of this extent that begins at the offset.
    array_view(const range<space> &extent, const range<space> &part, const id<space> &offset)
        : extent_(extent), part_(part), offset_(offset)
    {
    }

    T *base() const
    {
        return static_cast<const Derived &>(*this).base_pointer();
    }

    range<space> extent_;
    range<space> part_;
    id<space> offset_;
};

} // namespace sycl::detail

#endif
