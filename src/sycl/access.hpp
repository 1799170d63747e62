// SPDX-License-Identifier: BSD-3-Clause
// How accessors access buffers: modes, targets, tags and properties.
#ifndef SYCL_ACCESS_HPP
#define SYCL_ACCESS_HPP

#include "sycl/property.hpp"

namespace sycl
{

enum class access_mode : int {
    read,
    write,
    read_write,
    discard_write,      // deprecated: write, with the property no_init
    discard_read_write, // deprecated: read_write, with the property no_init
    atomic,             // deprecated, and left out: use atomic_ref
};

enum class target : int {
    device,
    host_task,
    constant_buffer, // deprecated, and left out: use device
    local,           // deprecated, and left out: use local_accessor
    host_buffer,     // deprecated, and left out: use host_accessor
    global_buffer = device,
};

namespace access
{

using sycl::target;
using mode = sycl::access_mode;

enum class placeholder : int { false_t, true_t };

} // namespace access

template <access_mode Mode> struct mode_tag_t {
    explicit mode_tag_t() = default;
};

template <access_mode Mode, target Target> struct mode_target_tag_t {
    explicit mode_target_tag_t() = default;
};

inline constexpr mode_tag_t<access_mode::read> read_only{};
inline constexpr mode_tag_t<access_mode::read_write> read_write{};
inline constexpr mode_tag_t<access_mode::write> write_only{};
inline constexpr mode_target_tag_t<access_mode::read, target::host_task> read_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::read_write, target::host_task>
    read_write_host_task{};
inline constexpr mode_target_tag_t<access_mode::write, target::host_task> write_only_host_task{};

namespace property
{
class no_init
{
};
} // namespace property

inline constexpr property::no_init no_init{};

template <> struct is_property<property::no_init> : std::true_type {
};

namespace detail
{

template <typename Tag> struct tag_traits {
    static constexpr bool is_tag = false;
};

template <access_mode Mode> struct tag_traits<mode_tag_t<Mode>> {
    static constexpr bool is_tag = true;
    static constexpr access_mode mode = Mode;
    static constexpr sycl::target target = sycl::target::device;
};

template <access_mode Mode, sycl::target Target>
struct tag_traits<mode_target_tag_t<Mode, Target>> {
    static constexpr bool is_tag = true;
    static constexpr access_mode mode = Mode;
    static constexpr sycl::target target = Target;
};

template <typename Tag> using if_tag = std::enable_if_t<tag_traits<Tag>::is_tag, int>;

template <typename T>
inline constexpr access_mode default_mode =
    std::is_const_v<T> ? access_mode::read : access_mode::read_write;

constexpr bool is_writing(access_mode mode)
{
    return mode != access_mode::read;
}

} // namespace detail
} // namespace sycl

#endif
