// SPDX-License-Identifier: BSD-3-Clause
// What SYCL 2020 has and this library has not. Each name exists, so that its use gives a message.
#ifndef SYCL_REFUSED_HPP
#define SYCL_REFUSED_HPP

#include "sycl/info.hpp"

namespace sycl
{

namespace detail
{

// False, but known only when a template is used.
template <typename...> inline constexpr bool is_there = false;
template <auto...> inline constexpr bool is_there_for = false;

} // namespace detail

#define TERN_SYCL_REFUSED_CLASS(name, reason)                                                      \
    template <typename... Parameters> class name                                                   \
    {                                                                                              \
        static_assert(detail::is_there<Parameters...>, "sycl::" #name " is left out: " reason);    \
                                                                                                   \
      public:                                                                                      \
        template <typename... Arguments> name(Arguments &&...)                                     \
        {                                                                                          \
        }                                                                                          \
    };
#define TERN_SYCL_REFUSED_VALUES(name, reason)                                                     \
    template <auto... Parameters> class name                                                       \
    {                                                                                              \
        static_assert(detail::is_there_for<Parameters...>,                                         \
                      "sycl::" #name " is left out: " reason);                                     \
                                                                                                   \
      public:                                                                                      \
        template <typename... Arguments> name(Arguments &&...)                                     \
        {                                                                                          \
        }                                                                                          \
    };

// Images.
TERN_SYCL_REFUSED_VALUES(sampled_image, "there are no images")
TERN_SYCL_REFUSED_VALUES(unsampled_image, "there are no images")
TERN_SYCL_REFUSED_CLASS(image_sampler, "there are no images")
TERN_SYCL_REFUSED_CLASS(sampled_image_accessor, "there are no images")
TERN_SYCL_REFUSED_CLASS(unsampled_image_accessor, "there are no images")
TERN_SYCL_REFUSED_CLASS(host_sampled_image_accessor, "there are no images")
TERN_SYCL_REFUSED_CLASS(host_unsampled_image_accessor, "there are no images")

// Kernel bundles: kernels are functions of the program.
enum class bundle_state : int { input, object, executable };
TERN_SYCL_REFUSED_VALUES(kernel_bundle, "kernels are functions of the program")
TERN_SYCL_REFUSED_VALUES(device_image, "kernels are functions of the program")
TERN_SYCL_REFUSED_CLASS(kernel, "kernels are functions of the program")
TERN_SYCL_REFUSED_CLASS(kernel_id, "kernels are functions of the program")

template <bundle_state... States, typename... Arguments> int get_kernel_bundle(Arguments &&...)
{
    static_assert(detail::is_there<Arguments...>,
                  "get_kernel_bundle() is left out: kernels are functions of the program");
    return 0;
}

template <typename... Names, typename... Arguments> int get_kernel_id(Arguments &&...)
{
    static_assert(detail::is_there<Names...>,
                  "get_kernel_id() is left out: kernels are functions of the program");
    return 0;
}

// Hierarchical kernels, which SYCL 2020 discourages.
TERN_SYCL_REFUSED_VALUES(h_item, "use nd_item, and kernels over an nd_range")
TERN_SYCL_REFUSED_VALUES(private_memory, "use nd_item, and kernels over an nd_range")

// Numbers of 16 bits.
TERN_SYCL_REFUSED_CLASS(half, "the device does not have aspect::fp16")

// SYCL 1.2.1's atomics.
TERN_SYCL_REFUSED_CLASS(atomic, "use atomic_ref")

#undef TERN_SYCL_REFUSED_CLASS
#undef TERN_SYCL_REFUSED_VALUES

// Objects of a backend.
template <backend Backend, typename... Arguments> int get_native(Arguments &&...)
{
    static_assert(detail::is_there<Arguments...>,
                  "get_native() is left out: the processors have no objects of a backend");
    return 0;
}

} // namespace sycl

#endif
