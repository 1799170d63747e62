// SPDX-License-Identifier: BSD-3-Clause
// Buffers: arrays whose accesses order the commands that make them.
#ifndef SYCL_BUFFER_HPP
#define SYCL_BUFFER_HPP

#include "sycl/access.hpp"
#include "sycl/buffer_memory.hpp"
#include "sycl/context.hpp"
#include "sycl/index_space.hpp"

#include <cstring>
#include <iterator>

namespace sycl
{

class handler;
template <typename T, int Dimensions, typename Allocator> class buffer;
template <typename T, int Dimensions, access_mode Mode, target Target, access::placeholder>
class accessor;
template <typename T, int Dimensions, access_mode Mode> class host_accessor;

template <typename T> using buffer_allocator = std::allocator<T>;

namespace property::buffer
{

class use_host_ptr
{
};

class use_mutex
{
  public:
    explicit use_mutex(std::mutex &mutex) : mutex_(&mutex)
    {
    }

    std::mutex *get_mutex_ptr() const
    {
        return mutex_;
    }

  private:
    std::mutex *mutex_;
};

class context_bound
{
  public:
    explicit context_bound(context bound) : context_(std::move(bound))
    {
    }

    context get_context() const
    {
        return context_;
    }

  private:
    context context_;
};

} // namespace property::buffer

template <> struct is_property<property::buffer::use_host_ptr> : std::true_type {
};

template <> struct is_property<property::buffer::use_mutex> : std::true_type {
};

template <> struct is_property<property::buffer::context_bound> : std::true_type {
};

namespace detail
{

struct buffer_access;

template <typename T, typename Container, typename = void> struct is_contiguous : std::false_type {
};

template <typename T, typename Container>
struct is_contiguous<T, Container,
                     std::void_t<decltype(std::size(std::declval<Container &>())),
                                 decltype(std::data(std::declval<Container &>()))>>
    : std::is_convertible<decltype(std::data(std::declval<Container &>())), const T *> {
};

template <typename T, typename Container>
using if_contiguous = std::enable_if_t<is_contiguous<T, Container>::value, int>;

template <typename Iterator>
using if_iterator = std::enable_if_t<
    std::is_convertible_v<typename std::iterator_traits<Iterator>::iterator_category,
                          std::input_iterator_tag>,
    int>;

// What copies of a buffer share, apart from the memory: what happens at the buffer's end.
struct buffer_end {
    explicit buffer_end(buffer_memory_ptr its_memory) : memory(std::move(its_memory))
    {
    }

    buffer_end(const buffer_end &) = delete;
    buffer_end &operator=(const buffer_end &) = delete;

    ~buffer_end()
    {
        if (waits || (write_back && writes_back))
            memory->wait();
        if (write_back && writes_back)
            write_back(memory->data());
    }

    buffer_memory_ptr memory;
    std::function<void(const void *)> write_back; // copies the data to where they belong, if set
    bool writes_back = true;
    bool waits = false; // the memory is the user's, and commands must be done with it
};

// Memory for a buffer of `count` objects, by the buffer's allocator.
template <typename T, typename Allocator>
buffer_memory_ptr allocate_buffer(std::size_t count, const Allocator &allocator)
{
    using rebound = typename std::allocator_traits<Allocator>::template rebind_alloc<T>;
    rebound chosen(allocator);
    T *data = std::allocator_traits<rebound>::allocate(chosen, count ? count : 1);
    std::shared_ptr<void> storage(static_cast<void *>(data), [chosen, count](void *given) mutable {
        std::allocator_traits<rebound>::deallocate(chosen, static_cast<T *>(given),
                                                   count ? count : 1);
    });
    return std::make_shared<buffer_memory>(data, count * sizeof(T), std::move(storage));
}

} // namespace detail

template <typename T, int Dimensions = 1,
          typename Allocator = buffer_allocator<std::remove_const_t<T>>>
class buffer : public detail::with_properties
{
    static_assert(!std::is_const_v<T>, "buffers of const types are left out");

  public:
    using value_type = T;
    using reference = T &;
    using const_reference = const T &;
    using allocator_type = Allocator;

    buffer(const range<Dimensions> &extent, const property_list &properties = {})
        : buffer(extent, Allocator(), properties)
    {
    }

    buffer(const range<Dimensions> &extent, Allocator allocator,
           const property_list &properties = {})
        : with_properties(properties), extent_(extent), allocator_(allocator),
          end_(std::make_shared<detail::buffer_end>(
              detail::allocate_buffer<T>(extent.size(), allocator)))
    {
    }

    buffer(T *host, const range<Dimensions> &extent, const property_list &properties = {})
        : buffer(host, extent, Allocator(), properties)
    {
    }

    buffer(T *host, const range<Dimensions> &extent, Allocator allocator,
           const property_list &properties = {})
        : with_properties(properties), extent_(extent), allocator_(allocator)
    {
        begin_with(host, nullptr);
    }

    buffer(const T *host, const range<Dimensions> &extent, const property_list &properties = {})
        : buffer(host, extent, Allocator(), properties)
    {
    }

    buffer(const T *host, const range<Dimensions> &extent, Allocator allocator,
           const property_list &properties = {})
        : buffer(extent, allocator, properties)
    {
        copy_from(host);
    }

    template <typename Container, int D = Dimensions, std::enable_if_t<D == 1, int> = 0,
              detail::if_contiguous<T, Container> = 0>
    buffer(Container &container, const property_list &properties = {})
        : buffer(std::data(container), range<1>(std::size(container)), properties)
    {
    }

    template <typename Container, int D = Dimensions, std::enable_if_t<D == 1, int> = 0,
              detail::if_contiguous<T, Container> = 0>
    buffer(Container &container, Allocator allocator, const property_list &properties = {})
        : buffer(std::data(container), range<1>(std::size(container)), allocator, properties)
    {
    }

    buffer(const std::shared_ptr<T> &host, const range<Dimensions> &extent,
           const property_list &properties = {})
        : buffer(host, extent, Allocator(), properties)
    {
    }

    buffer(const std::shared_ptr<T> &host, const range<Dimensions> &extent, Allocator allocator,
           const property_list &properties = {})
        : with_properties(properties), extent_(extent), allocator_(allocator)
    {
        begin_with(host.get(), host);
    }

    buffer(const std::shared_ptr<T[]> &host, const range<Dimensions> &extent,
           const property_list &properties = {})
        : buffer(std::shared_ptr<T>(host, host.get()), extent, properties)
    {
    }

    buffer(const std::shared_ptr<T[]> &host, const range<Dimensions> &extent, Allocator allocator,
           const property_list &properties = {})
        : buffer(std::shared_ptr<T>(host, host.get()), extent, allocator, properties)
    {
    }

    template <typename Iterator, int D = Dimensions, std::enable_if_t<D == 1, int> = 0,
              detail::if_iterator<Iterator> = 0>
    buffer(Iterator first, Iterator last, const property_list &properties = {})
        : buffer(first, last, Allocator(), properties)
    {
    }

    template <typename Iterator, int D = Dimensions, std::enable_if_t<D == 1, int> = 0,
              detail::if_iterator<Iterator> = 0>
    buffer(Iterator first, Iterator last, Allocator allocator, const property_list &properties = {})
        : buffer(std::vector<T>(first, last), allocator, properties)
    {
    }

    // A part of another buffer, of rows that lie one after the other.
    buffer(buffer &whole, const id<Dimensions> &first, const range<Dimensions> &part)
        : with_properties(whole), extent_(part), allocator_(whole.allocator_), end_(whole.end_),
          first_(whole.first_ + detail::linearize(first, whole.extent_)), is_part_(true)
    {
        if (whole.is_part_)
            throw exception(errc::invalid, "a sub-buffer has no sub-buffers");
        // Of the dimensions after the first with more than one element, all elements are needed.
        bool is_inside = false;
        for (int i = 0; i < Dimensions; ++i) {
            if (first[i] + part[i] > whole.extent_[i])
                throw exception(errc::invalid, "a sub-buffer ends after its buffer");
            if (is_inside && part[i] != whole.extent_[i])
                throw exception(errc::invalid, "a sub-buffer is not contiguous");
            is_inside = is_inside || part[i] > 1;
        }
    }

    range<Dimensions> get_range() const
    {
        return extent_;
    }

    std::size_t size() const noexcept
    {
        return extent_.size();
    }

    std::size_t byte_size() const noexcept
    {
        return size() * sizeof(T);
    }

    [[deprecated("use size()")]] std::size_t get_count() const
    {
        return size();
    }

    [[deprecated("use byte_size()")]] std::size_t get_size() const
    {
        return byte_size();
    }

    Allocator get_allocator() const
    {
        return allocator_;
    }

    // These are defined beside the accessors.
    template <access_mode Mode = access_mode::read_write, target Target = target::device>
    accessor<T, Dimensions, Mode, Target, access::placeholder::false_t> get_access(handler &group);

    template <access_mode Mode = access_mode::read_write, target Target = target::device>
    accessor<T, Dimensions, Mode, Target, access::placeholder::false_t>
    get_access(handler &group, range<Dimensions> part, id<Dimensions> offset = {});

    template <typename First, typename... Rest> auto get_access(First &&first, Rest &&...rest);

    template <typename... Arguments> auto get_host_access(Arguments &&...arguments);

    // Where the data are copied at the end: a pointer, an output iterator, a weak_ptr, or nowhere.
    template <typename Destination = std::nullptr_t>
    void set_final_data(Destination destination = nullptr)
    {
        const std::size_t count = end_->memory->bytes() / sizeof(T);
        if constexpr (std::is_null_pointer_v<Destination>) {
            end_->write_back = nullptr;
        } else if constexpr (std::is_convertible_v<Destination, std::weak_ptr<T>>) {
            end_->write_back = [weak = std::weak_ptr<T>(destination), count](const void *data) {
                if (const std::shared_ptr<T> alive = weak.lock())
                    std::copy_n(static_cast<const T *>(data), count, alive.get());
            };
        } else if constexpr (std::is_convertible_v<Destination, std::weak_ptr<T[]>>) {
            end_->write_back = [weak = std::weak_ptr<T[]>(destination), count](const void *data) {
                if (const std::shared_ptr<T[]> alive = weak.lock())
                    std::copy_n(static_cast<const T *>(data), count, alive.get());
            };
        } else {
            end_->write_back = [destination, count](const void *data) {
                std::copy_n(static_cast<const T *>(data), count, destination);
            };
        }
    }

    void set_write_back(bool flag = true)
    {
        end_->writes_back = flag;
    }

    bool is_sub_buffer() const
    {
        return is_part_;
    }

    template <typename U, int OtherDimensions> auto reinterpret(range<OtherDimensions> extent) const
    {
        using other_allocator = typename std::allocator_traits<Allocator>::template rebind_alloc<
            std::remove_const_t<U>>;
        if (extent.size() * sizeof(U) != byte_size())
            throw exception(errc::invalid, "reinterpret(): the sizes in bytes differ");
        return buffer<U, OtherDimensions, other_allocator>(
            *this, extent, other_allocator(allocator_), end_, first_ * sizeof(T) / sizeof(U),
            is_part_);
    }

    template <typename U, int OtherDimensions = Dimensions> auto reinterpret() const
    {
        static_assert(OtherDimensions == 1 ||
                          (OtherDimensions == Dimensions && sizeof(U) == sizeof(T)),
                      "reinterpret() needs a range");
        if constexpr (OtherDimensions == Dimensions && sizeof(U) == sizeof(T))
            return reinterpret<U>(extent_);
        else
            return reinterpret<U>(range<1>(byte_size() / sizeof(U)));
    }

    friend bool operator==(const buffer &a, const buffer &b)
    {
        return a.end_ == b.end_ && a.first_ == b.first_ && a.extent_ == b.extent_;
    }

    friend bool operator!=(const buffer &a, const buffer &b)
    {
        return !(a == b);
    }

  private:
    friend struct detail::buffer_access;
    template <typename, int, typename> friend class buffer;
    friend struct std::hash<buffer>;

    // For reinterpret().
    buffer(const detail::with_properties &properties, const range<Dimensions> &extent,
           Allocator allocator, std::shared_ptr<detail::buffer_end> end, std::size_t first,
           bool is_part)
        : with_properties(properties), extent_(extent), allocator_(allocator), end_(std::move(end)),
          first_(first), is_part_(is_part)
    {
    }

    // For iterators, whose data are not copied back.
    buffer(const std::vector<T> &data, Allocator allocator, const property_list &properties)
        : buffer(data.data(), range<1>(data.size()), allocator, properties)
    {
    }

    void copy_from(const T *host)
    {
        if (byte_size())
            std::memcpy(static_cast<void *>(end_->memory->data()), host, byte_size());
    }

    // Begins with the data of the host, and copies the result back to them at the end. With
    // use_host_ptr the buffer works on the host's data themselves.
    void begin_with(T *host, std::shared_ptr<T> keep)
    {
        if (has_property<property::buffer::use_host_ptr>()) {
            end_ = std::make_shared<detail::buffer_end>(
                std::make_shared<detail::buffer_memory>(host, byte_size(), std::move(keep)));
            end_->waits = true;
            return;
        }
        end_ = std::make_shared<detail::buffer_end>(
            detail::allocate_buffer<T>(extent_.size(), allocator_));
        copy_from(host);
        end_->write_back = [host, keep = std::move(keep), bytes = byte_size()](const void *data) {
            if (bytes)
                std::memcpy(static_cast<void *>(host), data, bytes);
        };
    }

    range<Dimensions> extent_;
    Allocator allocator_;
    std::shared_ptr<detail::buffer_end> end_;
    std::size_t first_ = 0; // in objects, from the beginning of the memory
    bool is_part_ = false;
};

template <typename Iterator, typename Allocator, detail::if_iterator<Iterator> = 0>
buffer(Iterator, Iterator, Allocator, const property_list & = {})
    -> buffer<typename std::iterator_traits<Iterator>::value_type, 1, Allocator>;

template <typename Iterator, detail::if_iterator<Iterator> = 0>
buffer(Iterator, Iterator, const property_list & = {})
    -> buffer<typename std::iterator_traits<Iterator>::value_type, 1>;

template <typename T, int Dimensions, typename Allocator>
buffer(const T *, const range<Dimensions> &, Allocator, const property_list & = {})
    -> buffer<T, Dimensions, Allocator>;

template <typename T, int Dimensions>
buffer(const T *, const range<Dimensions> &, const property_list & = {}) -> buffer<T, Dimensions>;

template <typename Container, typename Allocator>
buffer(Container &, Allocator, const property_list & = {})
    -> buffer<typename Container::value_type, 1, Allocator>;

template <typename Container>
buffer(Container &, const property_list & = {}) -> buffer<typename Container::value_type, 1>;

namespace detail
{

struct buffer_access {
    template <typename T, int Dimensions, typename Allocator>
    static const buffer_memory_ptr &memory(const buffer<T, Dimensions, Allocator> &of)
    {
        return of.end_->memory;
    }

    template <typename T, int Dimensions, typename Allocator>
    static T *data(const buffer<T, Dimensions, Allocator> &of)
    {
        return static_cast<T *>(of.end_->memory->data()) + of.first_;
    }
};

} // namespace detail
} // namespace sycl

namespace std
{
template <typename T, int Dimensions, typename Allocator>
struct hash<sycl::buffer<T, Dimensions, Allocator>> {
    size_t operator()(const sycl::buffer<T, Dimensions, Allocator> &of) const
    {
        return hash<shared_ptr<sycl::detail::buffer_end>>()(of.end_);
    }
};
} // namespace std

#endif
