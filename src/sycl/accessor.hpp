// SPDX-License-Identifier: BSD-3-Clause
// Accessors: how kernels, host tasks and the host reach the elements of buffers.
#ifndef SYCL_ACCESSOR_HPP
#define SYCL_ACCESSOR_HPP

#include "sycl/array_view.hpp"
#include "sycl/buffer.hpp"
#include "sycl/handler.hpp"
#include "sycl/multi_ptr.hpp"

namespace sycl
{

namespace detail
{

template <typename T, access_mode Mode>
using element_of = std::conditional_t<Mode == access_mode::read, const T, T>;

template <int Dimensions> inline constexpr int space_of = Dimensions ? Dimensions : 1;

// Throws unless the part is inside of the array. Returns the array's extent.
template <int Dimensions>
const range<Dimensions> &check_part(const range<Dimensions> &whole, const range<Dimensions> &part,
                                    const id<Dimensions> &offset)
{
    for (int i = 0; i < Dimensions; ++i)
        if (part[i] > whole[i] || offset[i] > whole[i] - part[i])
            throw exception(errc::invalid, "an accessor ends after its buffer");
    return whole;
}

} // namespace detail

template <typename T, int Dimensions = 1, access_mode Mode = detail::default_mode<T>,
          target Target = target::device,
          access::placeholder IsPlaceholder = access::placeholder::false_t>
class accessor : public detail::with_properties,
                 public detail::array_view<accessor<T, Dimensions, Mode, Target, IsPlaceholder>,
                                           detail::element_of<T, Mode>, Dimensions>
{
    static_assert(Mode != sycl::access_mode::atomic,
                  "access_mode::atomic is left out: use atomic_ref");
    static_assert(Target == target::device || Target == target::host_task,
                  "this target is deprecated and left out: use target::device, local_accessor or "
                  "host_accessor");
    static_assert(!std::is_const_v<T> || Mode == sycl::access_mode::read,
                  "an accessor for const elements reads");

    static constexpr int space = detail::space_of<Dimensions>;
    using element = detail::element_of<T, Mode>;
    using view = detail::array_view<accessor, element, Dimensions>;
    using plain = std::remove_const_t<T>;

  public:
    static constexpr sycl::access_mode access_mode = Mode;
    static constexpr target access_target = Target;
    static constexpr access::address_space pointer_space = access::address_space::global_space;
    template <access::decorated Decorated>
    using accessor_ptr = multi_ptr<element, pointer_space, Decorated>;

    accessor() = default;

    // The constructors without a handler make placeholders, which a command group requires later.
    template <typename A>
    accessor(buffer<plain, space, A> &of, const property_list &properties = {})
        : accessor(of, nullptr, of.get_range(), {}, properties)
    {
    }

    template <typename A>
    accessor(buffer<plain, space, A> &of, handler &group, const property_list &properties = {})
        : accessor(of, &group, of.get_range(), {}, properties)
    {
    }

    template <typename A, typename Tag, detail::if_tag<Tag> = 0>
    accessor(buffer<plain, space, A> &of, Tag, const property_list &properties = {})
        : accessor(of, nullptr, of.get_range(), {}, properties)
    {
    }

    template <typename A, typename Tag, detail::if_tag<Tag> = 0>
    accessor(buffer<plain, space, A> &of, handler &group, Tag, const property_list &properties = {})
        : accessor(of, &group, of.get_range(), {}, properties)
    {
    }

    template <typename A>
    accessor(buffer<plain, space, A> &of, range<space> part, const property_list &properties = {})
        : accessor(of, nullptr, part, {}, properties)
    {
    }

    template <typename A, typename Tag, detail::if_tag<Tag> = 0>
    accessor(buffer<plain, space, A> &of, range<space> part, Tag,
             const property_list &properties = {})
        : accessor(of, nullptr, part, {}, properties)
    {
    }

    template <typename A>
    accessor(buffer<plain, space, A> &of, handler &group, range<space> part,
             const property_list &properties = {})
        : accessor(of, &group, part, {}, properties)
    {
    }

    template <typename A, typename Tag, detail::if_tag<Tag> = 0>
    accessor(buffer<plain, space, A> &of, handler &group, range<space> part, Tag,
             const property_list &properties = {})
        : accessor(of, &group, part, {}, properties)
    {
    }

    template <typename A>
    accessor(buffer<plain, space, A> &of, range<space> part, id<space> offset,
             const property_list &properties = {})
        : accessor(of, nullptr, part, offset, properties)
    {
    }

    template <typename A, typename Tag, detail::if_tag<Tag> = 0>
    accessor(buffer<plain, space, A> &of, range<space> part, id<space> offset, Tag,
             const property_list &properties = {})
        : accessor(of, nullptr, part, offset, properties)
    {
    }

    template <typename A>
    accessor(buffer<plain, space, A> &of, handler &group, range<space> part, id<space> offset,
             const property_list &properties = {})
        : accessor(of, &group, part, offset, properties)
    {
    }

    template <typename A, typename Tag, detail::if_tag<Tag> = 0>
    accessor(buffer<plain, space, A> &of, handler &group, range<space> part, id<space> offset, Tag,
             const property_list &properties = {})
        : accessor(of, &group, part, offset, properties)
    {
    }

    // An accessor that reads, from one that may do more.
    template <typename U, sycl::access_mode OtherMode, access::placeholder P,
              std::enable_if_t<Mode == sycl::access_mode::read &&
                                   std::is_same_v<std::remove_const_t<U>, plain> &&
                                   (OtherMode == sycl::access_mode::read_write ||
                                    OtherMode == sycl::access_mode::read),
                               int> = 0>
    accessor(const accessor<U, Dimensions, OtherMode, Target, P> &other)
        : with_properties(other), view(other.extent_, other.part_, other.offset_),
          memory_(other.memory_), data_(other.data_), is_placeholder_(other.is_placeholder_)
    {
    }

    void swap(accessor &other)
    {
        std::swap(*this, other);
    }

    bool is_placeholder() const
    {
        return is_placeholder_;
    }

    [[deprecated("use byte_size()")]] std::size_t get_size() const
    {
        return this->byte_size();
    }

    [[deprecated("use size()")]] std::size_t get_count() const
    {
        return this->size();
    }

    id<space> get_offset() const
    {
        static_assert(Dimensions > 0, "an accessor of one element has no offset");
        return this->offset_;
    }

    template <int D = Dimensions,
              std::enable_if_t<D == 0 && Mode != sycl::access_mode::read, int> = 0>
    const accessor &operator=(const plain &value) const
    {
        *data_ = value;
        return *this;
    }

    // Where the buffer begins, whatever the offset.
    std::add_pointer_t<element> get_pointer() const noexcept
    {
        return data_;
    }

    template <access::decorated Decorated> accessor_ptr<Decorated> get_multi_ptr() const noexcept
    {
        static_assert(Target == target::device, "get_multi_ptr() is for kernels");
        return accessor_ptr<Decorated>(data_);
    }

    friend bool operator==(const accessor &a, const accessor &b)
    {
        return a.memory_ == b.memory_ && a.data_ == b.data_ && a.extent_ == b.extent_ &&
               a.part_ == b.part_ && a.offset_ == b.offset_;
    }

    friend bool operator!=(const accessor &a, const accessor &b)
    {
        return !(a == b);
    }

  private:
    friend class handler;
    friend view;
    template <typename, int, sycl::access_mode, target, access::placeholder> friend class accessor;

    template <typename A>
    accessor(buffer<plain, space, A> &of, handler *group, range<space> part, id<space> offset,
             const property_list &properties)
        : with_properties(properties),
          view(detail::check_part(of.get_range(), part, offset), part, offset),
          memory_(detail::buffer_access::memory(of)), data_(detail::buffer_access::data(of)),
          is_placeholder_(!group)
    {
        if (group)
            group->require(*this);
    }

    element *base_pointer() const
    {
        return data_;
    }

    detail::buffer_memory_ptr memory_;
    element *data_ = nullptr;
    bool is_placeholder_ = false;
};

template <typename T, int D, typename A, access_mode M, target G>
accessor(buffer<T, D, A> &, mode_target_tag_t<M, G>, const property_list & = {})
    -> accessor<T, D, M, G>;
template <typename T, int D, typename A, access_mode M>
accessor(buffer<T, D, A> &, mode_tag_t<M>, const property_list & = {}) -> accessor<T, D, M>;
template <typename T, int D, typename A, access_mode M, target G>
accessor(buffer<T, D, A> &, handler &, mode_target_tag_t<M, G>, const property_list & = {})
    -> accessor<T, D, M, G>;
template <typename T, int D, typename A, access_mode M>
accessor(buffer<T, D, A> &, handler &, mode_tag_t<M>, const property_list & = {})
    -> accessor<T, D, M>;
template <typename T, int D, typename A, access_mode M, target G>
accessor(buffer<T, D, A> &, range<D>, mode_target_tag_t<M, G>, const property_list & = {})
    -> accessor<T, D, M, G>;
template <typename T, int D, typename A, access_mode M>
accessor(buffer<T, D, A> &, range<D>, mode_tag_t<M>, const property_list & = {})
    -> accessor<T, D, M>;
template <typename T, int D, typename A, access_mode M, target G>
accessor(buffer<T, D, A> &, handler &, range<D>, mode_target_tag_t<M, G>,
         const property_list & = {}) -> accessor<T, D, M, G>;
template <typename T, int D, typename A, access_mode M>
accessor(buffer<T, D, A> &, handler &, range<D>, mode_tag_t<M>, const property_list & = {})
    -> accessor<T, D, M>;
template <typename T, int D, typename A, access_mode M, target G>
accessor(buffer<T, D, A> &, range<D>, id<D>, mode_target_tag_t<M, G>, const property_list & = {})
    -> accessor<T, D, M, G>;
template <typename T, int D, typename A, access_mode M>
accessor(buffer<T, D, A> &, range<D>, id<D>, mode_tag_t<M>, const property_list & = {})
    -> accessor<T, D, M>;
template <typename T, int D, typename A, access_mode M, target G>
accessor(buffer<T, D, A> &, handler &, range<D>, id<D>, mode_target_tag_t<M, G>,
         const property_list & = {}) -> accessor<T, D, M, G>;
template <typename T, int D, typename A, access_mode M>
accessor(buffer<T, D, A> &, handler &, range<D>, id<D>, mode_tag_t<M>, const property_list & = {})
    -> accessor<T, D, M>;
// Those without a tag read and write.
template <typename T, int D, typename A>
accessor(buffer<T, D, A> &, const property_list & = {}) -> accessor<T, D>;
template <typename T, int D, typename A>
accessor(buffer<T, D, A> &, handler &, const property_list & = {}) -> accessor<T, D>;
template <typename T, int D, typename A>
accessor(buffer<T, D, A> &, range<D>, const property_list & = {}) -> accessor<T, D>;
template <typename T, int D, typename A>
accessor(buffer<T, D, A> &, handler &, range<D>, const property_list & = {}) -> accessor<T, D>;
template <typename T, int D, typename A>
accessor(buffer<T, D, A> &, range<D>, id<D>, const property_list & = {}) -> accessor<T, D>;
template <typename T, int D, typename A>
accessor(buffer<T, D, A> &, handler &, range<D>, id<D>, const property_list & = {})
    -> accessor<T, D>;

template <typename T, int Dimensions = 1, access_mode Mode = detail::default_mode<T>>
class host_accessor : public detail::with_properties,
                      public detail::array_view<host_accessor<T, Dimensions, Mode>,
                                                detail::element_of<T, Mode>, Dimensions>
{
    static_assert(!std::is_const_v<T> || Mode == access_mode::read,
                  "an accessor for const elements reads");

    static constexpr int space = detail::space_of<Dimensions>;
    using element = detail::element_of<T, Mode>;
    using view = detail::array_view<host_accessor, element, Dimensions>;
    using plain = std::remove_const_t<T>;

  public:
    host_accessor() = default;

    // Each waits until the commands that access the buffer are complete. Later ones wait until this
    // accessor and its copies are destroyed.
    template <typename A>
    host_accessor(buffer<plain, space, A> &of, const property_list &properties = {})
        : host_accessor(properties, of, of.get_range(), {})
    {
    }

    template <typename A, typename Tag, detail::if_tag<Tag> = 0>
    host_accessor(buffer<plain, space, A> &of, Tag, const property_list &properties = {})
        : host_accessor(properties, of, of.get_range(), {})
    {
    }

    template <typename A>
    host_accessor(buffer<plain, space, A> &of, range<space> part,
                  const property_list &properties = {})
        : host_accessor(properties, of, part, {})
    {
    }

    template <typename A, typename Tag, detail::if_tag<Tag> = 0>
    host_accessor(buffer<plain, space, A> &of, range<space> part, Tag,
                  const property_list &properties = {})
        : host_accessor(properties, of, part, {})
    {
    }

    template <typename A>
    host_accessor(buffer<plain, space, A> &of, range<space> part, id<space> offset,
                  const property_list &properties = {})
        : host_accessor(properties, of, part, offset)
    {
    }

    template <typename A, typename Tag, detail::if_tag<Tag> = 0>
    host_accessor(buffer<plain, space, A> &of, range<space> part, id<space> offset, Tag,
                  const property_list &properties = {})
        : host_accessor(properties, of, part, offset)
    {
    }

    void swap(host_accessor &other)
    {
        std::swap(*this, other);
    }

    id<space> get_offset() const
    {
        static_assert(Dimensions > 0, "an accessor of one element has no offset");
        return this->offset_;
    }

    template <int D = Dimensions, std::enable_if_t<D == 0 && Mode != access_mode::read, int> = 0>
    const host_accessor &operator=(const plain &value) const
    {
        *data_ = value;
        return *this;
    }

    std::add_pointer_t<element> get_pointer() const noexcept
    {
        return data_;
    }

    friend bool operator==(const host_accessor &a, const host_accessor &b)
    {
        return a.access_ == b.access_;
    }

    friend bool operator!=(const host_accessor &a, const host_accessor &b)
    {
        return !(a == b);
    }

  private:
    friend view;

    template <typename A>
    host_accessor(const property_list &properties, buffer<plain, space, A> &of, range<space> part,
                  id<space> offset)
        : with_properties(properties),
          view(detail::check_part(of.get_range(), part, offset), part, offset),
          memory_(detail::buffer_access::memory(of)), data_(detail::buffer_access::data(of)),
          access_(std::make_shared<detail::host_access>(*memory_, detail::is_writing(Mode)))
    {
    }

    element *base_pointer() const
    {
        return data_;
    }

    detail::buffer_memory_ptr memory_;
    element *data_ = nullptr;
    std::shared_ptr<detail::host_access> access_; // ends before the memory does
};

template <typename T, int D, typename A, typename Tag, detail::if_tag<Tag> = 0>
host_accessor(buffer<T, D, A> &, Tag, const property_list & = {})
    -> host_accessor<T, D, detail::tag_traits<Tag>::mode>;
template <typename T, int D, typename A, typename Tag, detail::if_tag<Tag> = 0>
host_accessor(buffer<T, D, A> &, range<D>, Tag, const property_list & = {})
    -> host_accessor<T, D, detail::tag_traits<Tag>::mode>;
template <typename T, int D, typename A, typename Tag, detail::if_tag<Tag> = 0>
host_accessor(buffer<T, D, A> &, range<D>, id<D>, Tag, const property_list & = {})
    -> host_accessor<T, D, detail::tag_traits<Tag>::mode>;
template <typename T, int D, typename A>
host_accessor(buffer<T, D, A> &, const property_list & = {}) -> host_accessor<T, D>;
template <typename T, int D, typename A>
host_accessor(buffer<T, D, A> &, range<D>, const property_list & = {}) -> host_accessor<T, D>;
template <typename T, int D, typename A>
host_accessor(buffer<T, D, A> &, range<D>, id<D>, const property_list & = {})
    -> host_accessor<T, D>;

// Memory that the work-items of a work-group share.
template <typename T, int Dimensions = 1>
class local_accessor : public detail::with_properties,
                       public detail::array_view<local_accessor<T, Dimensions>, T, Dimensions>
{
    static constexpr int space = detail::space_of<Dimensions>;
    using view = detail::array_view<local_accessor, T, Dimensions>;
    using plain = std::remove_const_t<T>;

  public:
    static constexpr access::address_space pointer_space = access::address_space::local_space;
    template <access::decorated Decorated>
    using accessor_ptr = multi_ptr<T, pointer_space, Decorated>;

    local_accessor() = default;

    template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
    local_accessor(handler &group, const property_list &properties = {})
        : with_properties(properties), view(range<1>(1), range<1>(1), {}),
          begin_(group.add_local(sizeof(T), alignof(T)))
    {
    }

    template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
    local_accessor(range<space> extent, handler &group, const property_list &properties = {})
        : with_properties(properties), view(extent, extent, {}),
          begin_(group.add_local(extent.size() * sizeof(T), alignof(T)))
    {
    }

    void swap(local_accessor &other)
    {
        std::swap(*this, other);
    }

    template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
    const local_accessor &operator=(const plain &value) const
    {
        *base_pointer() = value;
        return *this;
    }

    std::add_pointer_t<T> get_pointer() const noexcept
    {
        return base_pointer();
    }

    template <access::decorated Decorated> accessor_ptr<Decorated> get_multi_ptr() const noexcept
    {
        return accessor_ptr<Decorated>(base_pointer());
    }

    friend bool operator==(const local_accessor &a, const local_accessor &b)
    {
        return a.begin_ == b.begin_ && a.extent_ == b.extent_;
    }

    friend bool operator!=(const local_accessor &a, const local_accessor &b)
    {
        return !(a == b);
    }

  private:
    friend view;

    T *base_pointer() const
    {
        return reinterpret_cast<T *>(detail::current_work_group().local + begin_);
    }

    std::size_t begin_ = 0; // in the memory of the work-group
};

template <typename T, int D, access_mode M, target G, access::placeholder P>
multi_ptr(const accessor<T, D, M, G, P> &)
    -> multi_ptr<detail::element_of<T, M>, access::address_space::global_space,
                 access::decorated::no>;

template <typename T, int D>
multi_ptr(const local_accessor<T, D> &)
    -> multi_ptr<T, access::address_space::local_space, access::decorated::no>;

// Functions of buffers that make accessors.
template <typename T, int Dimensions, typename Allocator>
template <access_mode Mode, target Target>
accessor<T, Dimensions, Mode, Target, access::placeholder::false_t>
buffer<T, Dimensions, Allocator>::get_access(handler &group)
{
    return {*this, group};
}

template <typename T, int Dimensions, typename Allocator>
template <access_mode Mode, target Target>
accessor<T, Dimensions, Mode, Target, access::placeholder::false_t>
buffer<T, Dimensions, Allocator>::get_access(handler &group, range<Dimensions> part,
                                             id<Dimensions> offset)
{
    return {*this, group, part, offset};
}

template <typename T, int Dimensions, typename Allocator>
template <typename First, typename... Rest>
auto buffer<T, Dimensions, Allocator>::get_access(First &&first, Rest &&...rest)
{
    return accessor(*this, std::forward<First>(first), std::forward<Rest>(rest)...);
}

template <typename T, int Dimensions, typename Allocator>
template <typename... Arguments>
auto buffer<T, Dimensions, Allocator>::get_host_access(Arguments &&...arguments)
{
    return host_accessor(*this, std::forward<Arguments>(arguments)...);
}

} // namespace sycl

namespace std
{
template <typename T, int D, sycl::access_mode M, sycl::target G, sycl::access::placeholder P>
struct hash<sycl::accessor<T, D, M, G, P>> {
    size_t operator()(const sycl::accessor<T, D, M, G, P> &of) const
    {
        return hash<const void *>()(of.get_pointer());
    }
};

template <typename T, int D, sycl::access_mode M> struct hash<sycl::host_accessor<T, D, M>> {
    size_t operator()(const sycl::host_accessor<T, D, M> &of) const
    {
        return hash<const void *>()(of.get_pointer());
    }
};
} // namespace std

#endif
