// SPDX-License-Identifier: BSD-3-Clause
// Unified shared memory. All kinds are memory of the process.
#ifndef SYCL_USM_HPP
#define SYCL_USM_HPP

#include "sycl/context.hpp"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>

namespace sycl
{

namespace usm
{
enum class alloc : int { host, device, shared, unknown };
}

namespace detail
{

// The allocations of the process, by address.
class usm_blocks
{
  public:
    static usm_blocks &instance()
    {
        static usm_blocks *const the_one = new usm_blocks; // used until the process has ended
        return *the_one;
    }

    void *allocate(std::size_t bytes, std::size_t alignment, usm::alloc kind)
    {
        if (alignment & (alignment - 1))
            return nullptr;
        if (alignment < 64) // a cache line, so that no blocks share one
            alignment = 64;
        if (!bytes || kind == usm::alloc::unknown || bytes > SIZE_MAX - alignment)
            return nullptr;
        void *block =
            std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
        if (!block)
            return nullptr;
        std::lock_guard<std::mutex> lock(mutex_);
        blocks_[reinterpret_cast<std::uintptr_t>(block)] = {bytes, kind};
        return block;
    }

    void free(void *block)
    {
        if (!block)
            return;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            if (!blocks_.erase(reinterpret_cast<std::uintptr_t>(block)))
                throw exception(errc::invalid, "free(): no address of an allocation");
        }
        std::free(block);
    }

    usm::alloc kind_of(const void *address)
    {
        const std::uintptr_t asked = reinterpret_cast<std::uintptr_t>(address);
        std::lock_guard<std::mutex> lock(mutex_);
        auto after = blocks_.upper_bound(asked);
        if (after == blocks_.begin())
            return usm::alloc::unknown;
        const auto &[begin, found] = *std::prev(after);
        return asked - begin < found.bytes ? found.kind : usm::alloc::unknown;
    }

  private:
    struct block {
        std::size_t bytes;
        usm::alloc kind;
    };

    std::mutex mutex_;
    std::map<std::uintptr_t, block> blocks_;
};

inline void *usm_allocate(std::size_t bytes, std::size_t alignment, usm::alloc kind)
{
    return usm_blocks::instance().allocate(bytes, alignment, kind);
}

// As many objects of type T, or null if there is not that much memory.
template <typename T>
T *usm_allocate_objects(std::size_t count, std::size_t alignment, usm::alloc kind)
{
    if (count > SIZE_MAX / sizeof(T))
        return nullptr;
    if (alignment < alignof(T))
        alignment = alignof(T);
    return static_cast<T *>(usm_allocate(count * sizeof(T), alignment, kind));
}

} // namespace detail

class queue;

// Each function, with the device or the queue for which the memory is.
#define TERN_SYCL_MALLOC(function, kind)                                                           \
    inline void *function(std::size_t bytes, const device &, const context &,                      \
                          const property_list & = {})                                              \
    {                                                                                              \
        return detail::usm_allocate(bytes, 0, kind);                                               \
    }                                                                                              \
    inline void *function(std::size_t bytes, const queue &, const property_list & = {})            \
    {                                                                                              \
        return detail::usm_allocate(bytes, 0, kind);                                               \
    }                                                                                              \
    template <typename T>                                                                          \
    T *function(std::size_t count, const device &, const context &, const property_list & = {})    \
    {                                                                                              \
        return detail::usm_allocate_objects<T>(count, 0, kind);                                    \
    }                                                                                              \
    template <typename T>                                                                          \
    T *function(std::size_t count, const queue &, const property_list & = {})                      \
    {                                                                                              \
        return detail::usm_allocate_objects<T>(count, 0, kind);                                    \
    }
#define TERN_SYCL_ALIGNED(function, kind)                                                          \
    inline void *function(std::size_t alignment, std::size_t bytes, const device &,                \
                          const context &, const property_list & = {})                             \
    {                                                                                              \
        return detail::usm_allocate(bytes, alignment, kind);                                       \
    }                                                                                              \
    inline void *function(std::size_t alignment, std::size_t bytes, const queue &,                 \
                          const property_list & = {})                                              \
    {                                                                                              \
        return detail::usm_allocate(bytes, alignment, kind);                                       \
    }                                                                                              \
    template <typename T>                                                                          \
    T *function(std::size_t alignment, std::size_t count, const device &, const context &,         \
                const property_list & = {})                                                        \
    {                                                                                              \
        return detail::usm_allocate_objects<T>(count, alignment, kind);                            \
    }                                                                                              \
    template <typename T>                                                                          \
    T *function(std::size_t alignment, std::size_t count, const queue &,                           \
                const property_list & = {})                                                        \
    {                                                                                              \
        return detail::usm_allocate_objects<T>(count, alignment, kind);                            \
    }
TERN_SYCL_MALLOC(malloc_device, usm::alloc::device)
TERN_SYCL_MALLOC(malloc_shared, usm::alloc::shared)
TERN_SYCL_ALIGNED(aligned_alloc_device, usm::alloc::device)
TERN_SYCL_ALIGNED(aligned_alloc_shared, usm::alloc::shared)
#undef TERN_SYCL_MALLOC
#undef TERN_SYCL_ALIGNED

// Memory of the host has no device.
template <typename Where>
using if_for_host =
    std::enable_if_t<std::is_same_v<Where, context> || std::is_same_v<Where, queue>, int>;

template <typename Where, if_for_host<Where> = 0>
void *malloc_host(std::size_t bytes, const Where &, const property_list & = {})
{
    return detail::usm_allocate(bytes, 0, usm::alloc::host);
}

template <typename T, typename Where, if_for_host<Where> = 0>
T *malloc_host(std::size_t count, const Where &, const property_list & = {})
{
    return detail::usm_allocate_objects<T>(count, 0, usm::alloc::host);
}

template <typename Where, if_for_host<Where> = 0>
void *aligned_alloc_host(std::size_t alignment, std::size_t bytes, const Where &,
                         const property_list & = {})
{
    return detail::usm_allocate(bytes, alignment, usm::alloc::host);
}

template <typename T, typename Where, if_for_host<Where> = 0>
T *aligned_alloc_host(std::size_t alignment, std::size_t count, const Where &,
                      const property_list & = {})
{
    return detail::usm_allocate_objects<T>(count, alignment, usm::alloc::host);
}

// With the kind as an argument.
inline void *malloc(std::size_t bytes, const device &, const context &, usm::alloc kind,
                    const property_list & = {})
{
    return detail::usm_allocate(bytes, 0, kind);
}

inline void *malloc(std::size_t bytes, const queue &, usm::alloc kind, const property_list & = {})
{
    return detail::usm_allocate(bytes, 0, kind);
}

template <typename T>
T *malloc(std::size_t count, const device &, const context &, usm::alloc kind,
          const property_list & = {})
{
    return detail::usm_allocate_objects<T>(count, 0, kind);
}

template <typename T>
T *malloc(std::size_t count, const queue &, usm::alloc kind, const property_list & = {})
{
    return detail::usm_allocate_objects<T>(count, 0, kind);
}

inline void *aligned_alloc(std::size_t alignment, std::size_t bytes, const device &,
                           const context &, usm::alloc kind, const property_list & = {})
{
    return detail::usm_allocate(bytes, alignment, kind);
}

inline void *aligned_alloc(std::size_t alignment, std::size_t bytes, const queue &, usm::alloc kind,
                           const property_list & = {})
{
    return detail::usm_allocate(bytes, alignment, kind);
}

template <typename T>
T *aligned_alloc(std::size_t alignment, std::size_t count, const device &, const context &,
                 usm::alloc kind, const property_list & = {})
{
    return detail::usm_allocate_objects<T>(count, alignment, kind);
}

template <typename T>
T *aligned_alloc(std::size_t alignment, std::size_t count, const queue &, usm::alloc kind,
                 const property_list & = {})
{
    return detail::usm_allocate_objects<T>(count, alignment, kind);
}

inline void free(void *block, const context &)
{
    detail::usm_blocks::instance().free(block);
}

inline void free(void *block, const queue &)
{
    detail::usm_blocks::instance().free(block);
}

inline usm::alloc get_pointer_type(const void *address, const context &)
{
    return detail::usm_blocks::instance().kind_of(address);
}

inline device get_pointer_device(const void *address, const context &of)
{
    if (get_pointer_type(address, of) == usm::alloc::unknown)
        throw exception(errc::invalid, "get_pointer_device(): no address of an allocation");
    return {};
}

// For containers of the standard library. Device memory is for kernels only, so it is refused.
template <typename T, usm::alloc Kind, std::size_t Alignment = 0> class usm_allocator
{
    static_assert(Kind == usm::alloc::host || Kind == usm::alloc::shared,
                  "a usm_allocator is for host or shared memory");

  public:
    using value_type = T;
    using propagate_on_container_copy_assignment = std::true_type;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;

    template <typename U> struct rebind {
        using other = usm_allocator<U, Kind, Alignment>;
    };

    usm_allocator() = delete;

    usm_allocator(const context &of, const device &, const property_list & = {}) : context_(of)
    {
    }

    // Defined beside class queue.
    usm_allocator(const queue &of, const property_list & = {});

    template <typename U>
    usm_allocator(const usm_allocator<U, Kind, Alignment> &other) noexcept
        : context_(other.context_)
    {
    }

    T *allocate(std::size_t count)
    {
        T *block = detail::usm_allocate_objects<T>(count, Alignment, Kind);
        if (!block)
            throw exception(errc::memory_allocation, "no memory for an object of a usm_allocator");
        return block;
    }

    void deallocate(T *block, std::size_t)
    {
        free(block, context_);
    }

    friend bool operator==(const usm_allocator &a, const usm_allocator &b)
    {
        return a.context_ == b.context_;
    }

    friend bool operator!=(const usm_allocator &a, const usm_allocator &b)
    {
        return !(a == b);
    }

  private:
    template <typename, usm::alloc, std::size_t> friend class usm_allocator;

    context context_;
};

} // namespace sycl

#endif
