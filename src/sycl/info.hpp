// SPDX-License-Identifier: BSD-3-Clause
// Names for queries of platforms, devices, contexts, queues, events and kernels, and the types of
// their results.
#ifndef SYCL_INFO_HPP
#define SYCL_INFO_HPP

#include "sycl/index_space.hpp"
#include "sycl/memory_model.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sycl
{

class context;
class device;
class platform;

enum class backend : int { host };

enum class aspect : int {
    cpu,
    gpu,
    accelerator,
    custom,
    emulated,
    host_debuggable,
    fp16,
    fp64,
    atomic64,
    image,
    online_compiler,
    online_linker,
    queue_profiling,
    usm_device_allocations,
    usm_host_allocations,
    usm_atomic_host_allocations,
    usm_shared_allocations,
    usm_atomic_shared_allocations,
    usm_system_allocations,
};

namespace info
{

enum class device_type : unsigned int { cpu, gpu, accelerator, custom, automatic, host, all };

enum class partition_property : int {
    no_partition,
    partition_equally,
    partition_by_counts,
    partition_by_affinity_domain,
};

enum class partition_affinity_domain : int {
    not_applicable,
    numa,
    L4_cache,
    L3_cache,
    L2_cache,
    L1_cache,
    next_partitionable,
};

enum class local_mem_type : int { none, local, global };

enum class fp_config : int {
    denorm,
    inf_nan,
    round_to_nearest,
    round_to_zero,
    round_to_inf,
    fma,
    correctly_rounded_divide_sqrt,
    soft_float,
};

enum class global_mem_cache_type : int { none, read_only, read_write };

enum class execution_capability : unsigned int { exec_kernel, exec_native_kernel };

enum class event_command_status : int { submitted, running, complete };

#define TERN_SYCL_QUERY(name, type)                                                                \
    struct name {                                                                                  \
        using return_type = type;                                                                  \
    };

// Macros without semicolons.
// clang-format off
namespace platform
{
TERN_SYCL_QUERY(profile, std::string)
TERN_SYCL_QUERY(version, std::string)
TERN_SYCL_QUERY(name, std::string)
TERN_SYCL_QUERY(vendor, std::string)
TERN_SYCL_QUERY(extensions, std::vector<std::string>)
} // namespace platform

namespace context
{
TERN_SYCL_QUERY(platform, sycl::platform)
TERN_SYCL_QUERY(devices, std::vector<sycl::device>)
TERN_SYCL_QUERY(atomic_memory_order_capabilities, std::vector<memory_order>)
TERN_SYCL_QUERY(atomic_fence_order_capabilities, std::vector<memory_order>)
TERN_SYCL_QUERY(atomic_memory_scope_capabilities, std::vector<memory_scope>)
TERN_SYCL_QUERY(atomic_fence_scope_capabilities, std::vector<memory_scope>)
} // namespace context

namespace device
{
TERN_SYCL_QUERY(device_type, info::device_type)
TERN_SYCL_QUERY(vendor_id, std::uint32_t)
TERN_SYCL_QUERY(max_compute_units, std::uint32_t)
TERN_SYCL_QUERY(max_work_item_dimensions, std::uint32_t)
template <int Dimensions = 3>
TERN_SYCL_QUERY(max_work_item_sizes, id<Dimensions>)
TERN_SYCL_QUERY(max_work_group_size, std::size_t)
TERN_SYCL_QUERY(max_num_sub_groups, std::uint32_t)
TERN_SYCL_QUERY(sub_group_independent_forward_progress, bool)
TERN_SYCL_QUERY(sub_group_sizes, std::vector<std::size_t>)
TERN_SYCL_QUERY(preferred_vector_width_char, std::uint32_t)
TERN_SYCL_QUERY(preferred_vector_width_short, std::uint32_t)
TERN_SYCL_QUERY(preferred_vector_width_int, std::uint32_t)
TERN_SYCL_QUERY(preferred_vector_width_long, std::uint32_t)
TERN_SYCL_QUERY(preferred_vector_width_float, std::uint32_t)
TERN_SYCL_QUERY(preferred_vector_width_double, std::uint32_t)
TERN_SYCL_QUERY(preferred_vector_width_half, std::uint32_t)
TERN_SYCL_QUERY(native_vector_width_char, std::uint32_t)
TERN_SYCL_QUERY(native_vector_width_short, std::uint32_t)
TERN_SYCL_QUERY(native_vector_width_int, std::uint32_t)
TERN_SYCL_QUERY(native_vector_width_long, std::uint32_t)
TERN_SYCL_QUERY(native_vector_width_float, std::uint32_t)
TERN_SYCL_QUERY(native_vector_width_double, std::uint32_t)
TERN_SYCL_QUERY(native_vector_width_half, std::uint32_t)
TERN_SYCL_QUERY(max_clock_frequency, std::uint32_t)
TERN_SYCL_QUERY(address_bits, std::uint32_t)
TERN_SYCL_QUERY(max_mem_alloc_size, std::uint64_t)
TERN_SYCL_QUERY(max_parameter_size, std::size_t)
TERN_SYCL_QUERY(mem_base_addr_align, std::uint32_t)
TERN_SYCL_QUERY(half_fp_config, std::vector<fp_config>)
TERN_SYCL_QUERY(single_fp_config, std::vector<fp_config>)
TERN_SYCL_QUERY(double_fp_config, std::vector<fp_config>)
TERN_SYCL_QUERY(global_mem_cache_type, info::global_mem_cache_type)
TERN_SYCL_QUERY(global_mem_cache_line_size, std::uint32_t)
TERN_SYCL_QUERY(global_mem_cache_size, std::uint64_t)
TERN_SYCL_QUERY(global_mem_size, std::uint64_t)
TERN_SYCL_QUERY(local_mem_type, info::local_mem_type)
TERN_SYCL_QUERY(local_mem_size, std::uint64_t)
TERN_SYCL_QUERY(error_correction_support, bool)
TERN_SYCL_QUERY(host_unified_memory, bool)
TERN_SYCL_QUERY(atomic_memory_order_capabilities, std::vector<memory_order>)
TERN_SYCL_QUERY(atomic_fence_order_capabilities, std::vector<memory_order>)
TERN_SYCL_QUERY(atomic_memory_scope_capabilities, std::vector<memory_scope>)
TERN_SYCL_QUERY(atomic_fence_scope_capabilities, std::vector<memory_scope>)
TERN_SYCL_QUERY(profiling_timer_resolution, std::size_t)
TERN_SYCL_QUERY(is_endian_little, bool)
TERN_SYCL_QUERY(is_available, bool)
TERN_SYCL_QUERY(execution_capabilities, std::vector<execution_capability>)
TERN_SYCL_QUERY(queue_profiling, bool)
TERN_SYCL_QUERY(platform, sycl::platform)
TERN_SYCL_QUERY(name, std::string)
TERN_SYCL_QUERY(vendor, std::string)
TERN_SYCL_QUERY(driver_version, std::string)
TERN_SYCL_QUERY(profile, std::string)
TERN_SYCL_QUERY(version, std::string)
TERN_SYCL_QUERY(backend_version, std::string)
TERN_SYCL_QUERY(aspects, std::vector<aspect>)
TERN_SYCL_QUERY(extensions, std::vector<std::string>)
TERN_SYCL_QUERY(printf_buffer_size, std::size_t)
TERN_SYCL_QUERY(partition_max_sub_devices, std::uint32_t)
TERN_SYCL_QUERY(partition_properties, std::vector<partition_property>)
TERN_SYCL_QUERY(partition_affinity_domains, std::vector<partition_affinity_domain>)
TERN_SYCL_QUERY(partition_type_property, partition_property)
TERN_SYCL_QUERY(partition_type_affinity_domain, partition_affinity_domain)
} // namespace device

namespace queue
{
TERN_SYCL_QUERY(context, sycl::context)
TERN_SYCL_QUERY(device, sycl::device)
} // namespace queue

namespace event
{
TERN_SYCL_QUERY(command_execution_status, event_command_status)
} // namespace event

namespace event_profiling
{
TERN_SYCL_QUERY(command_submit, std::uint64_t)
TERN_SYCL_QUERY(command_start, std::uint64_t)
TERN_SYCL_QUERY(command_end, std::uint64_t)
} // namespace event_profiling
// clang-format on

#undef TERN_SYCL_QUERY

} // namespace info
} // namespace sycl

#endif
