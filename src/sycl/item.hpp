// SPDX-License-Identifier: BSD-3-Clause
// What a kernel's function is called with: item, nd_item, and the groups that a work-item is in.
#ifndef SYCL_ITEM_HPP
#define SYCL_ITEM_HPP

#include "sycl/index_space.hpp"
#include "sycl/memory_model.hpp"
#include "sycl/refused.hpp"
#include "sycl/work_group.hpp"

#include <cstdint>

#define TERN_SYCL_NO_GROUP_COPY                                                                    \
    "async_work_group_copy() is left out: copy in a loop over the work-items, then "               \
    "group_barrier()"

namespace sycl
{

namespace detail
{
struct item_access;
}

template <int Dimensions = 1, bool WithOffset = true>
class item : public detail::integer_if_one<item<Dimensions, WithOffset>, Dimensions>
{
  public:
    static constexpr int dimensions = Dimensions;

    item() = delete;

    template <bool O, std::enable_if_t<WithOffset && !O, int> = 0>
    item(const item<Dimensions, O> &other) : id_(other.id_), range_(other.range_)
    {
    }

    id<Dimensions> get_id() const
    {
        return id_;
    }

    std::size_t get_id(int dimension) const
    {
        return id_[dimension];
    }

    std::size_t operator[](int dimension) const
    {
        return id_[dimension];
    }

    range<Dimensions> get_range() const
    {
        return range_;
    }

    std::size_t get_range(int dimension) const
    {
        return range_[dimension];
    }

    template <bool O = WithOffset, std::enable_if_t<O, int> = 0>
    [[deprecated("offsets are deprecated in SYCL 2020")]] id<Dimensions> get_offset() const
    {
        return {};
    }

    std::size_t get_linear_id() const
    {
        return detail::linearize(id_, range_);
    }

    friend bool operator==(const item &a, const item &b)
    {
        return a.id_ == b.id_ && a.range_ == b.range_;
    }

    friend bool operator!=(const item &a, const item &b)
    {
        return !(a == b);
    }

  private:
    friend struct detail::item_access;
    template <int, bool> friend class item;

    item(const id<Dimensions> &its_id, const range<Dimensions> &its_range)
        : id_(its_id), range_(its_range)
    {
    }

    id<Dimensions> id_;
    range<Dimensions> range_;
};

class sub_group
{
  public:
    using id_type = id<1>;
    using range_type = range<1>;
    using linear_id_type = std::uint32_t;
    static constexpr int dimensions = 1;
    static constexpr memory_scope fence_scope = memory_scope::sub_group;

    id<1> get_group_id() const noexcept
    {
        return {number_};
    }

    linear_id_type get_group_linear_id() const noexcept
    {
        return static_cast<linear_id_type>(number_);
    }

    id<1> get_local_id() const noexcept
    {
        return {lane_};
    }

    linear_id_type get_local_linear_id() const noexcept
    {
        return static_cast<linear_id_type>(lane_);
    }

    range<1> get_local_range() const noexcept
    {
        return {size_};
    }

    linear_id_type get_local_linear_range() const noexcept
    {
        return static_cast<linear_id_type>(size_);
    }

    range<1> get_group_range() const noexcept
    {
        return {count_};
    }

    linear_id_type get_group_linear_range() const noexcept
    {
        return static_cast<linear_id_type>(count_);
    }

    range<1> get_max_local_range() const noexcept
    {
        return {detail::sub_group_size};
    }

    bool leader() const noexcept
    {
        return lane_ == 0;
    }

    friend bool operator==(const sub_group &a, const sub_group &b)
    {
        return a.number_ == b.number_ && a.lane_ == b.lane_ && a.size_ == b.size_;
    }

    friend bool operator!=(const sub_group &a, const sub_group &b)
    {
        return !(a == b);
    }

  private:
    friend struct detail::item_access;

    // The sub-group of a work-item of a work-group, both given by their linear sizes and numbers.
    sub_group(std::size_t work_item, std::size_t work_items)
        : number_(work_item / detail::sub_group_size), lane_(work_item % detail::sub_group_size),
          size_(work_items - number_ * detail::sub_group_size),
          count_((work_items + detail::sub_group_size - 1) / detail::sub_group_size)
    {
        if (size_ > detail::sub_group_size)
            size_ = detail::sub_group_size;
    }

    std::size_t number_;
    std::size_t lane_; // this work-item's place
    std::size_t size_;
    std::size_t count_;
};

template <int Dimensions = 1> class group
{
  public:
    using id_type = id<Dimensions>;
    using range_type = range<Dimensions>;
    using linear_id_type = std::size_t;
    static constexpr int dimensions = Dimensions;
    static constexpr memory_scope fence_scope = memory_scope::work_group;

    id<Dimensions> get_group_id() const noexcept
    {
        return group_id_;
    }

    std::size_t get_group_id(int dimension) const noexcept
    {
        return group_id_[dimension];
    }

    id<Dimensions> get_local_id() const noexcept
    {
        return local_id_;
    }

    std::size_t get_local_id(int dimension) const noexcept
    {
        return local_id_[dimension];
    }

    range<Dimensions> get_local_range() const noexcept
    {
        return local_range_;
    }

    std::size_t get_local_range(int dimension) const noexcept
    {
        return local_range_[dimension];
    }

    range<Dimensions> get_group_range() const noexcept
    {
        return group_range_;
    }

    std::size_t get_group_range(int dimension) const noexcept
    {
        return group_range_[dimension];
    }

    range<Dimensions> get_max_local_range() const noexcept
    {
        return local_range_;
    }

    std::size_t operator[](int dimension) const noexcept
    {
        return group_id_[dimension];
    }

    std::size_t get_group_linear_id() const noexcept
    {
        return detail::linearize(group_id_, group_range_);
    }

    std::size_t get_local_linear_id() const noexcept
    {
        return detail::linearize(local_id_, local_range_);
    }

    std::size_t get_group_linear_range() const noexcept
    {
        return group_range_.size();
    }

    std::size_t get_local_linear_range() const noexcept
    {
        return local_range_.size();
    }

    bool leader() const noexcept
    {
        return get_local_linear_id() == 0;
    }

    template <typename... Arguments> void async_work_group_copy(const Arguments &...) const
    {
        static_assert(detail::is_there<Arguments...>, TERN_SYCL_NO_GROUP_COPY);
    }

    friend bool operator==(const group &a, const group &b)
    {
        return a.group_id_ == b.group_id_ && a.local_id_ == b.local_id_ &&
               a.group_range_ == b.group_range_ && a.local_range_ == b.local_range_;
    }

    friend bool operator!=(const group &a, const group &b)
    {
        return !(a == b);
    }

  private:
    friend struct detail::item_access;

    group() = default;

    id<Dimensions> group_id_;
    id<Dimensions> local_id_; // of this work-item
    range<Dimensions> group_range_;
    range<Dimensions> local_range_;
};

template <int Dimensions = 1> class nd_item
{
  public:
    static constexpr int dimensions = Dimensions;

    nd_item() = delete;

    id<Dimensions> get_global_id() const
    {
        id<Dimensions> position = offset_;
        for (int i = 0; i < Dimensions; ++i)
            position[i] += group_.get_group_id(i) * group_.get_local_range(i) + get_local_id(i);
        return position;
    }

    std::size_t get_global_id(int dimension) const
    {
        return get_global_id()[dimension];
    }

    std::size_t get_global_linear_id() const
    {
        return detail::linearize(get_global_id() - offset_, get_global_range());
    }

    id<Dimensions> get_local_id() const
    {
        return group_.get_local_id();
    }

    std::size_t get_local_id(int dimension) const
    {
        return group_.get_local_id(dimension);
    }

    std::size_t get_local_linear_id() const
    {
        return group_.get_local_linear_id();
    }

    group<Dimensions> get_group() const
    {
        return group_;
    }

    sub_group get_sub_group() const;

    std::size_t get_group(int dimension) const
    {
        return group_.get_group_id(dimension);
    }

    std::size_t get_group_linear_id() const
    {
        return group_.get_group_linear_id();
    }

    range<Dimensions> get_group_range() const
    {
        return group_.get_group_range();
    }

    std::size_t get_group_range(int dimension) const
    {
        return group_.get_group_range(dimension);
    }

    range<Dimensions> get_global_range() const
    {
        return group_.get_group_range() * group_.get_local_range();
    }

    std::size_t get_global_range(int dimension) const
    {
        return get_global_range()[dimension];
    }

    range<Dimensions> get_local_range() const
    {
        return group_.get_local_range();
    }

    std::size_t get_local_range(int dimension) const
    {
        return group_.get_local_range(dimension);
    }

    [[deprecated("offsets are deprecated in SYCL 2020")]] id<Dimensions> get_offset() const
    {
        return offset_;
    }

    nd_range<Dimensions> get_nd_range() const
    {
        return {get_global_range(), get_local_range(), offset_};
    }

    // SYCL 1.2.1's name of group_barrier().
    void barrier(access::fence_space = access::fence_space::global_and_local) const;

    template <typename... Arguments> void async_work_group_copy(const Arguments &...) const
    {
        static_assert(detail::is_there<Arguments...>, TERN_SYCL_NO_GROUP_COPY);
    }

    friend bool operator==(const nd_item &a, const nd_item &b)
    {
        return a.group_ == b.group_ && a.offset_ == b.offset_;
    }

    friend bool operator!=(const nd_item &a, const nd_item &b)
    {
        return !(a == b);
    }

  private:
    friend struct detail::item_access;

    nd_item(const group<Dimensions> &its_group, const id<Dimensions> &offset)
        : group_(its_group), offset_(offset)
    {
    }

    group<Dimensions> group_;
    id<Dimensions> offset_;
};

namespace detail
{

// Makes the objects above, whose constructors are private.
struct item_access {
    template <int Dimensions>
    static item<Dimensions> make_item(const id<Dimensions> &position,
                                      const range<Dimensions> &extent)
    {
        return {position, extent};
    }

    // The first work-item of a work-group.
    template <int Dimensions>
    static nd_item<Dimensions> make_nd_item(const nd_range<Dimensions> &all,
                                            std::size_t group_number)
    {
        group<Dimensions> made;
        made.group_range_ = all.get_group_range();
        made.local_range_ = all.get_local_range();
        made.group_id_ = delinearize(group_number, made.group_range_);
        return {made, all.get_offset()};
    }

    template <int Dimensions>
    static void set_local_id(nd_item<Dimensions> &of, const id<Dimensions> &local)
    {
        of.group_.local_id_ = local;
    }

    static sub_group make_sub_group(std::size_t work_item, std::size_t work_items)
    {
        return {work_item, work_items};
    }
};

} // namespace detail

template <int Dimensions> sub_group nd_item<Dimensions>::get_sub_group() const
{
    return detail::item_access::make_sub_group(get_local_linear_id(), get_local_range().size());
}

#undef TERN_SYCL_NO_GROUP_COPY

} // namespace sycl

#endif
