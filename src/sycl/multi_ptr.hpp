// SPDX-License-Identifier: BSD-3-Clause
// Pointers that name an address space. All spaces are memory of the process.
#ifndef SYCL_MULTI_PTR_HPP
#define SYCL_MULTI_PTR_HPP

#include "sycl/memory_model.hpp"

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace sycl
{

template <typename T> struct remove_decoration {
    using type = T;
};

template <typename T> using remove_decoration_t = typename remove_decoration<T>::type;

namespace detail
{

// Whether a pointer to one space may become one to another by itself, or only by a cast.
constexpr bool is_wider(access::address_space to, access::address_space from)
{
    return to == from || (to == access::address_space::generic_space &&
                          from != access::address_space::constant_space);
}

constexpr bool may_cast(access::address_space to, access::address_space from)
{
    return is_wider(to, from) || is_wider(from, to);
}

} // namespace detail

template <typename ElementType, access::address_space Space,
          access::decorated DecorateAddress = access::decorated::legacy>
class multi_ptr
{
    static_assert(DecorateAddress != access::decorated::legacy,
                  "decorated::legacy is left out: use decorated::no or decorated::yes");

  public:
    static constexpr bool is_decorated = DecorateAddress == access::decorated::yes;
    static constexpr access::address_space address_space = Space;
    using value_type = ElementType;
    using pointer = std::add_pointer_t<ElementType>;
    using reference = std::add_lvalue_reference_t<ElementType>;
    using iterator_category = std::random_access_iterator_tag;
    using difference_type = std::ptrdiff_t;

    multi_ptr() = default;

    explicit multi_ptr(pointer to) : pointer_(to)
    {
    }

    multi_ptr(std::nullptr_t)
    {
    }

    // To more general types and spaces, and between the decorations.
    template <
        typename Other, access::address_space From, access::decorated D,
        std::enable_if_t<std::is_convertible_v<Other *, pointer> && detail::is_wider(Space, From),
                         int> = 0>
    multi_ptr(const multi_ptr<Other, From, D> &other) : pointer_(other.get())
    {
    }

    // From the generic space back, and from void to a type.
    template <typename Other, access::address_space From, access::decorated D,
              std::enable_if_t<!(std::is_convertible_v<Other *, pointer> &&
                                 detail::is_wider(Space, From)) &&
                                   detail::may_cast(Space, From) &&
                                   (std::is_const_v<ElementType> || !std::is_const_v<Other>),
                               long> = 0>
    explicit multi_ptr(const multi_ptr<Other, From, D> &other)
        : pointer_(static_cast<pointer>(other.get()))
    {
    }

    // An accessor.
    template <typename Accessor,
              std::enable_if_t<
                  std::is_convertible_v<typename Accessor::value_type *, pointer> &&
                      std::is_same_v<decltype(std::declval<const Accessor &>()
                                                  .template get_multi_ptr<DecorateAddress>()),
                                     multi_ptr<typename Accessor::value_type,
                                               Accessor::pointer_space, DecorateAddress>> &&
                      detail::is_wider(Space, Accessor::pointer_space),
                  int> = 0>
    multi_ptr(const Accessor &accessor)
        : pointer_(accessor.template get_multi_ptr<DecorateAddress>().get())
    {
    }

    multi_ptr &operator=(std::nullptr_t)
    {
        pointer_ = nullptr;
        return *this;
    }

    template <typename T = ElementType>
    std::add_lvalue_reference_t<T> operator[](std::ptrdiff_t index) const
    {
        return pointer_[index];
    }

    template <typename T = ElementType> std::add_lvalue_reference_t<T> operator*() const
    {
        return *pointer_;
    }

    pointer operator->() const
    {
        return pointer_;
    }

    pointer get() const
    {
        return pointer_;
    }

    pointer get_raw() const
    {
        return pointer_;
    }

    pointer get_decorated() const
    {
        return pointer_;
    }

    explicit operator pointer() const
    {
        return pointer_;
    }

    void prefetch(std::size_t) const
    {
        static_assert(Space == access::address_space::global_space,
                      "prefetch() is for global memory");
    }

    friend multi_ptr &operator++(multi_ptr &a)
    {
        ++a.pointer_;
        return a;
    }

    friend multi_ptr operator++(multi_ptr &a, int)
    {
        return multi_ptr(a.pointer_++);
    }

    friend multi_ptr &operator--(multi_ptr &a)
    {
        --a.pointer_;
        return a;
    }

    friend multi_ptr operator--(multi_ptr &a, int)
    {
        return multi_ptr(a.pointer_--);
    }

    friend multi_ptr &operator+=(multi_ptr &a, difference_type distance)
    {
        a.pointer_ += distance;
        return a;
    }

    friend multi_ptr &operator-=(multi_ptr &a, difference_type distance)
    {
        a.pointer_ -= distance;
        return a;
    }

    friend multi_ptr operator+(const multi_ptr &a, difference_type distance)
    {
        return multi_ptr(a.pointer_ + distance);
    }

    friend multi_ptr operator-(const multi_ptr &a, difference_type distance)
    {
        return multi_ptr(a.pointer_ - distance);
    }

    friend difference_type operator-(const multi_ptr &a, const multi_ptr &b)
    {
        return a.pointer_ - b.pointer_;
    }

#define TERN_SYCL_COMPARISON(op)                                                                   \
    friend bool operator op(const multi_ptr &a, const multi_ptr &b)                                \
    {                                                                                              \
        return a.pointer_ op b.pointer_;                                                           \
    }                                                                                              \
    friend bool operator op(const multi_ptr &a, std::nullptr_t)                                    \
    {                                                                                              \
        return a.pointer_ op static_cast<pointer>(nullptr);                                        \
    }                                                                                              \
    friend bool operator op(std::nullptr_t, const multi_ptr &b)                                    \
    {                                                                                              \
        return static_cast<pointer>(nullptr) op b.pointer_;                                        \
    }
    TERN_SYCL_COMPARISON(==)
    TERN_SYCL_COMPARISON(!=)
    TERN_SYCL_COMPARISON(<)
    TERN_SYCL_COMPARISON(>)
    TERN_SYCL_COMPARISON(<=)
    TERN_SYCL_COMPARISON(>=)
#undef TERN_SYCL_COMPARISON

  private:
    pointer pointer_ = nullptr;
};

template <access::address_space Space, access::decorated DecorateAddress, typename T>
multi_ptr<T, Space, DecorateAddress> address_space_cast(T *pointer)
{
    return multi_ptr<T, Space, DecorateAddress>(pointer);
}

// Names for each space. The older names without decoration, such as global_ptr, are left out.
#define TERN_SYCL_POINTER(space)                                                                   \
    template <typename T>                                                                          \
    using raw_##space##_ptr =                                                                      \
        multi_ptr<T, access::address_space::space##_space, access::decorated::no>;                 \
    template <typename T>                                                                          \
    using decorated_##space##_ptr =                                                                \
        multi_ptr<T, access::address_space::space##_space, access::decorated::yes>;
TERN_SYCL_POINTER(global)
TERN_SYCL_POINTER(local)
TERN_SYCL_POINTER(private)
TERN_SYCL_POINTER(generic)
#undef TERN_SYCL_POINTER

} // namespace sycl

#endif
