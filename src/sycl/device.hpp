// SPDX-License-Identifier: BSD-3-Clause
// The one platform, which has one device: the processors of this machine. Selectors of devices.
#ifndef SYCL_DEVICE_HPP
#define SYCL_DEVICE_HPP

#include "sycl/exception.hpp"
#include "sycl/info.hpp"
#include "sycl/work_group.hpp"

#include <limits>
#include <thread>
#include <unistd.h>

namespace sycl
{

class platform;
class device;

namespace detail
{

template <typename> inline constexpr bool is_never = false;

inline const std::vector<memory_order> &all_orders()
{
    static const std::vector<memory_order> all{memory_order::relaxed, memory_order::acquire,
                                               memory_order::release, memory_order::acq_rel,
                                               memory_order::seq_cst};
    return all;
}

inline const std::vector<memory_scope> &all_scopes()
{
    static const std::vector<memory_scope> all{memory_scope::work_item, memory_scope::sub_group,
                                               memory_scope::work_group, memory_scope::device,
                                               memory_scope::system};
    return all;
}

// The answer to a query that a context and a device have in common.
template <typename Result> Result all_capabilities()
{
    if constexpr (std::is_same_v<Result, std::vector<memory_order>>)
        return all_orders();
    else
        return all_scopes();
}

constexpr bool has_aspect(aspect asked)
{
    switch (asked) {
    case aspect::cpu:
    case aspect::host_debuggable:
    case aspect::fp64:
    case aspect::atomic64:
    case aspect::queue_profiling:
    case aspect::usm_device_allocations:
    case aspect::usm_host_allocations:
    case aspect::usm_atomic_host_allocations:
    case aspect::usm_shared_allocations:
    case aspect::usm_atomic_shared_allocations:
    case aspect::usm_system_allocations:
        return true;
    default:
        return false;
    }
}

} // namespace detail

class device
{
  public:
    device() = default;

    template <
        typename Selector,
        std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>, int> = 0>
    explicit device(const Selector &selector)
    {
        if (selector(*this) < 0)
            throw exception(errc::runtime,
                            "no device for this selector: there is one, the processors");
    }

    backend get_backend() const noexcept
    {
        return backend::host;
    }

    bool is_cpu() const
    {
        return true;
    }

    bool is_gpu() const
    {
        return false;
    }

    bool is_accelerator() const
    {
        return false;
    }

    platform get_platform() const;

    template <typename Query> typename Query::return_type get_info() const;

    bool has(aspect asked) const
    {
        return detail::has_aspect(asked);
    }

    [[deprecated("use has()")]] bool has_extension(const std::string &) const
    {
        return false;
    }

    template <info::partition_property Property, typename How>
    std::vector<device> create_sub_devices(const How &) const
    {
        throw exception(errc::feature_not_supported, "the device cannot be partitioned");
    }

    static std::vector<device> get_devices(info::device_type type = info::device_type::all)
    {
        switch (type) {
        case info::device_type::cpu:
        case info::device_type::automatic:
        case info::device_type::all:
            return {device()};
        default:
            return {};
        }
    }

    friend bool operator==(const device &, const device &)
    {
        return true;
    }

    friend bool operator!=(const device &, const device &)
    {
        return false;
    }
};

inline int default_selector_v(const device &)
{
    return 1;
}

inline int cpu_selector_v(const device &)
{
    return 1;
}

inline int gpu_selector_v(const device &asked)
{
    return asked.is_gpu() ? 1 : -1;
}

inline int accelerator_selector_v(const device &asked)
{
    return asked.is_accelerator() ? 1 : -1;
}

// SYCL 1.2.1's names, which were classes.
#define TERN_SYCL_SELECTOR(name)                                                                   \
    struct name {                                                                                  \
        int operator()(const device &asked) const                                                  \
        {                                                                                          \
            return name##_v(asked);                                                                \
        }                                                                                          \
    };
TERN_SYCL_SELECTOR(default_selector)
TERN_SYCL_SELECTOR(cpu_selector)
TERN_SYCL_SELECTOR(gpu_selector)
TERN_SYCL_SELECTOR(accelerator_selector)
#undef TERN_SYCL_SELECTOR

inline auto aspect_selector(const std::vector<aspect> &wanted,
                            const std::vector<aspect> &unwanted = {})
{
    return [wanted, unwanted](const device &asked) {
        for (aspect each : wanted)
            if (!asked.has(each))
                return -1;
        for (aspect each : unwanted)
            if (asked.has(each))
                return -1;
        return 1;
    };
}

template <typename... Aspects, std::enable_if_t<(std::is_same_v<Aspects, aspect> && ...), int> = 0>
auto aspect_selector(Aspects... wanted)
{
    return aspect_selector(std::vector<aspect>{wanted...});
}

template <aspect... Wanted> auto aspect_selector()
{
    return aspect_selector(std::vector<aspect>{Wanted...});
}

template <aspect Asked> struct any_device_has : std::bool_constant<detail::has_aspect(Asked)> {
};

template <aspect Asked> struct all_devices_have : std::bool_constant<detail::has_aspect(Asked)> {
};

template <aspect Asked> inline constexpr bool any_device_has_v = any_device_has<Asked>::value;
template <aspect Asked> inline constexpr bool all_devices_have_v = all_devices_have<Asked>::value;

class platform
{
  public:
    platform() = default;

    template <
        typename Selector,
        std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>, int> = 0>
    explicit platform(const Selector &selector)
    {
        device{selector};
    }

    backend get_backend() const noexcept
    {
        return backend::host;
    }

    std::vector<device> get_devices(info::device_type type = info::device_type::all) const
    {
        return device::get_devices(type);
    }

    template <typename Query> typename Query::return_type get_info() const
    {
        if constexpr (std::is_same_v<Query, info::platform::profile>)
            return "FULL_PROFILE";
        else if constexpr (std::is_same_v<Query, info::platform::version>)
            return "2020";
        else if constexpr (std::is_same_v<Query, info::platform::name>)
            return "SYCL for processors";
        else if constexpr (std::is_same_v<Query, info::platform::vendor>)
            return "Tern";
        else if constexpr (std::is_same_v<Query, info::platform::extensions>)
            return {};
        else
            static_assert(detail::is_never<Query>, "this is not a query of platforms");
    }

    bool has(aspect asked) const
    {
        return detail::has_aspect(asked);
    }

    [[deprecated("use has()")]] bool has_extension(const std::string &) const
    {
        return false;
    }

    static std::vector<platform> get_platforms()
    {
        return {platform()};
    }

    friend bool operator==(const platform &, const platform &)
    {
        return true;
    }

    friend bool operator!=(const platform &, const platform &)
    {
        return false;
    }
};

inline platform device::get_platform() const
{
    return {};
}

namespace detail
{

inline std::uint64_t system_memory()
{
    return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

inline std::uint32_t processors()
{
    const unsigned number = std::thread::hardware_concurrency();
    return number ? number : 1;
}

// What sysconf() knows of the caches, or 0.
inline std::uint64_t cache_fact(int name)
{
    const long value = sysconf(name);
    return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

inline std::vector<aspect> all_aspects()
{
    std::vector<aspect> all;
    for (int i = 0; i <= static_cast<int>(aspect::usm_system_allocations); ++i)
        if (has_aspect(static_cast<aspect>(i)))
            all.push_back(static_cast<aspect>(i));
    return all;
}

inline std::vector<info::fp_config> ieee_arithmetic()
{
    using info::fp_config;
    return {fp_config::denorm,
            fp_config::inf_nan,
            fp_config::round_to_nearest,
            fp_config::round_to_zero,
            fp_config::round_to_inf,
            fp_config::fma,
            fp_config::correctly_rounded_divide_sqrt};
}

// The answer to a query of the device.
template <typename Query> struct device_answer {
    static_assert(is_never<Query>, "this is not a query of devices, or one that is left out");
};

#define TERN_SYCL_ANSWER(query, ...)                                                               \
    template <> struct device_answer<info::device::query> {                                        \
        static info::device::query::return_type get()                                              \
        {                                                                                          \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };
TERN_SYCL_ANSWER(device_type, info::device_type::cpu)
TERN_SYCL_ANSWER(vendor_id, 0)
TERN_SYCL_ANSWER(max_compute_units, processors())
TERN_SYCL_ANSWER(max_work_item_dimensions, 3)
TERN_SYCL_ANSWER(max_work_item_sizes<1>, {max_work_group_size})
TERN_SYCL_ANSWER(max_work_item_sizes<2>, {max_work_group_size, max_work_group_size})
TERN_SYCL_ANSWER(max_work_item_sizes<3>,
                 {max_work_group_size, max_work_group_size, max_work_group_size})
TERN_SYCL_ANSWER(max_work_group_size, detail::max_work_group_size)
TERN_SYCL_ANSWER(max_num_sub_groups, max_work_group_size / sub_group_size)
TERN_SYCL_ANSWER(sub_group_independent_forward_progress, true)
TERN_SYCL_ANSWER(sub_group_sizes, {sub_group_size})
// As many as 16 bytes have, the registers that all processors of both kinds have.
TERN_SYCL_ANSWER(preferred_vector_width_char, 16)
TERN_SYCL_ANSWER(preferred_vector_width_short, 8)
TERN_SYCL_ANSWER(preferred_vector_width_int, 4)
TERN_SYCL_ANSWER(preferred_vector_width_long, 2)
TERN_SYCL_ANSWER(preferred_vector_width_float, 4)
TERN_SYCL_ANSWER(preferred_vector_width_double, 2)
TERN_SYCL_ANSWER(preferred_vector_width_half, 0)
TERN_SYCL_ANSWER(native_vector_width_char, 16)
TERN_SYCL_ANSWER(native_vector_width_short, 8)
TERN_SYCL_ANSWER(native_vector_width_int, 4)
TERN_SYCL_ANSWER(native_vector_width_long, 2)
TERN_SYCL_ANSWER(native_vector_width_float, 4)
TERN_SYCL_ANSWER(native_vector_width_double, 2)
TERN_SYCL_ANSWER(native_vector_width_half, 0)
TERN_SYCL_ANSWER(max_clock_frequency, 0)
TERN_SYCL_ANSWER(address_bits, 64)
TERN_SYCL_ANSWER(max_mem_alloc_size, system_memory())
TERN_SYCL_ANSWER(max_parameter_size, std::numeric_limits<std::size_t>::max() / 2)
TERN_SYCL_ANSWER(mem_base_addr_align, 8 * 64)
TERN_SYCL_ANSWER(half_fp_config, {})
TERN_SYCL_ANSWER(single_fp_config, ieee_arithmetic())
TERN_SYCL_ANSWER(double_fp_config, ieee_arithmetic())
TERN_SYCL_ANSWER(global_mem_cache_type, info::global_mem_cache_type::read_write)
TERN_SYCL_ANSWER(global_mem_cache_line_size,
                 static_cast<std::uint32_t>(cache_fact(_SC_LEVEL1_DCACHE_LINESIZE)))
TERN_SYCL_ANSWER(global_mem_cache_size, cache_fact(_SC_LEVEL3_CACHE_SIZE))
TERN_SYCL_ANSWER(global_mem_size, system_memory())
TERN_SYCL_ANSWER(local_mem_type, info::local_mem_type::global)
TERN_SYCL_ANSWER(local_mem_size, max_local_memory)
TERN_SYCL_ANSWER(error_correction_support, false)
TERN_SYCL_ANSWER(host_unified_memory, true)
TERN_SYCL_ANSWER(atomic_memory_order_capabilities, all_orders())
TERN_SYCL_ANSWER(atomic_fence_order_capabilities, all_orders())
TERN_SYCL_ANSWER(atomic_memory_scope_capabilities, all_scopes())
TERN_SYCL_ANSWER(atomic_fence_scope_capabilities, all_scopes())
TERN_SYCL_ANSWER(profiling_timer_resolution, 1)
TERN_SYCL_ANSWER(is_endian_little, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
TERN_SYCL_ANSWER(is_available, true)
TERN_SYCL_ANSWER(execution_capabilities, {info::execution_capability::exec_kernel})
TERN_SYCL_ANSWER(queue_profiling, true)
TERN_SYCL_ANSWER(platform, sycl::platform())
TERN_SYCL_ANSWER(name, "processors of this machine")
TERN_SYCL_ANSWER(vendor, "Tern")
TERN_SYCL_ANSWER(driver_version, "1")
TERN_SYCL_ANSWER(profile, "FULL_PROFILE")
TERN_SYCL_ANSWER(version, "2020")
TERN_SYCL_ANSWER(backend_version, "1")
TERN_SYCL_ANSWER(aspects, all_aspects())
TERN_SYCL_ANSWER(extensions, {})
TERN_SYCL_ANSWER(printf_buffer_size, std::numeric_limits<std::size_t>::max())
TERN_SYCL_ANSWER(partition_max_sub_devices, 0)
TERN_SYCL_ANSWER(partition_properties, {})
TERN_SYCL_ANSWER(partition_affinity_domains, {})
TERN_SYCL_ANSWER(partition_type_property, info::partition_property::no_partition)
TERN_SYCL_ANSWER(partition_type_affinity_domain, info::partition_affinity_domain::not_applicable)
#undef TERN_SYCL_ANSWER

} // namespace detail

template <typename Query> typename Query::return_type device::get_info() const
{
    return detail::device_answer<Query>::get();
}

} // namespace sycl

namespace std
{
template <> struct hash<sycl::device> {
    size_t operator()(const sycl::device &) const
    {
        return 1;
    }
};

template <> struct hash<sycl::platform> {
    size_t operator()(const sycl::platform &) const
    {
        return 1;
    }
};
} // namespace std

#endif
