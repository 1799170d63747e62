// SPDX-License-Identifier: BSD-3-Clause
// Properties of objects, and the list in which constructors take them.
#ifndef SYCL_PROPERTY_HPP
#define SYCL_PROPERTY_HPP

#include "sycl/exception.hpp"

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace sycl
{

// A property specializes these for itself, and for each class that takes it.
template <typename Property> struct is_property : std::false_type {
};

template <typename Property, typename Object> struct is_property_of : std::false_type {
};

template <typename Property> inline constexpr bool is_property_v = is_property<Property>::value;

template <typename Property, typename Object>
inline constexpr bool is_property_of_v = is_property_of<Property, Object>::value;

class property_list
{
  public:
    template <typename... Properties,
              std::enable_if_t<(is_property_v<std::decay_t<Properties>> && ...), int> = 0>
    property_list(Properties &&...properties)
    {
        (entries_.push_back(
             {key<std::decay_t<Properties>>(),
              std::make_shared<std::decay_t<Properties>>(std::forward<Properties>(properties))}),
         ...);
    }

    template <typename Property> bool has_property() const noexcept
    {
        return find<Property>() != nullptr;
    }

    template <typename Property> Property get_property() const
    {
        if (const Property *found = find<Property>())
            return *found;
        throw exception(errc::invalid, "get_property(): the object does not have this property");
    }

  private:
    struct entry {
        const void *key;
        std::shared_ptr<void> value;
    };

    // An address that only this property has.
    template <typename Property> static const void *key()
    {
        static const char it = 0;
        return &it;
    }

    template <typename Property> const Property *find() const
    {
        for (const entry &each : entries_)
            if (each.key == key<Property>())
                return static_cast<const Property *>(each.value.get());
        return nullptr;
    }

    std::vector<entry> entries_;
};

namespace detail
{

// The functions by which an object gives its properties back.
class with_properties
{
  public:
    template <typename Property> bool has_property() const noexcept
    {
        return properties_.has_property<Property>();
    }

    template <typename Property> Property get_property() const
    {
        return properties_.get_property<Property>();
    }

  protected:
    with_properties() = default;

    explicit with_properties(property_list properties) : properties_(std::move(properties))
    {
    }

  private:
    property_list properties_;
};

} // namespace detail

class queue;

namespace property::queue
{

class in_order
{
};

class enable_profiling
{
};

} // namespace property::queue

template <> struct is_property<property::queue::in_order> : std::true_type {
};

template <> struct is_property<property::queue::enable_profiling> : std::true_type {
};

template <> struct is_property_of<property::queue::in_order, queue> : std::true_type {
};

template <> struct is_property_of<property::queue::enable_profiling, queue> : std::true_type {
};

} // namespace sycl

#endif
