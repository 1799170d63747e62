// SPDX-License-Identifier: BSD-3-Clause
// Reductions: kernels whose work-items contribute to common results.
//
// Each thread has a partial result. It has no lock: the work-items of a thread run in turn. The
// partial results are combined when all work-items have ended.
#ifndef SYCL_REDUCTION_HPP
#define SYCL_REDUCTION_HPP

#include "sycl/buffer.hpp"
#include "sycl/function_objects.hpp"
#include "sycl/span.hpp"
#include "sycl/specialization.hpp"

#include <optional>
#include <tuple>

namespace sycl
{

class handler;

namespace property::reduction
{
class initialize_to_identity
{
};
} // namespace property::reduction

template <> struct is_property<property::reduction::initialize_to_identity> : std::true_type {
};

// What a work-item contributes to. Dimensions is 0 for one result, or 1 for an array of them.
template <typename T, typename Operation, int Dimensions> class reducer;

template <typename T, typename Operation> class reducer<T, Operation, 0>
{
    template <template <typename> class Object>
    static constexpr bool is = detail::is_object<Object, Operation, T>;

  public:
    using value_type = T;
    using binary_operation = Operation;
    static constexpr int dimensions = 0;

    // For the run time: `partial` begins with the identity, if there is one.
    reducer(std::optional<T> identity, const Operation &operation)
        : identity_(identity), partial_(std::move(identity)), operation_(operation)
    {
    }

    // For arrays and tuples of the run time only.
    reducer(reducer &&) = default;

    reducer(const reducer &) = delete;
    reducer &operator=(const reducer &) = delete;

    reducer &combine(const T &value)
    {
        if (partial_)
            *partial_ = operation_(*partial_, value);
        else
            partial_ = value;
        return *this;
    }

    T identity() const
    {
        if (!identity_)
            throw exception(errc::invalid, "identity(): this reduction has none");
        return *identity_;
    }

    // For the run time.
    const std::optional<T> &partial() const
    {
        return partial_;
    }

    reducer &operator+=(const T &value)
    {
        static_assert(is<plus>, "+= is for reductions by plus");
        return combine(value);
    }

    reducer &operator*=(const T &value)
    {
        static_assert(is<multiplies>, "*= is for reductions by multiplies");
        return combine(value);
    }

    reducer &operator&=(const T &value)
    {
        static_assert(is<bit_and>, "&= is for reductions by bit_and");
        return combine(value);
    }

    reducer &operator|=(const T &value)
    {
        static_assert(is<bit_or>, "|= is for reductions by bit_or");
        return combine(value);
    }

    reducer &operator^=(const T &value)
    {
        static_assert(is<bit_xor>, "^= is for reductions by bit_xor");
        return combine(value);
    }

    reducer &operator++()
    {
        static_assert(is<plus>, "++ is for reductions by plus");
        return combine(T(1));
    }

  private:
    std::optional<T> identity_;
    std::optional<T> partial_;
    Operation operation_;
};

template <typename T, typename Operation> class reducer<T, Operation, 1>
{
  public:
    using value_type = T;
    using binary_operation = Operation;
    static constexpr int dimensions = 1;

    reducer(const std::optional<T> &identity, const Operation &operation, std::size_t count)
    {
        elements_.reserve(count);
        for (std::size_t i = 0; i < count; ++i)
            elements_.emplace_back(identity, operation);
    }

    // For tuples of the run time only.
    reducer(reducer &&) = default;

    reducer(const reducer &) = delete;
    reducer &operator=(const reducer &) = delete;

    reducer<T, Operation, 0> &operator[](std::size_t index) const
    {
        return elements_[index];
    }

  private:
    mutable std::vector<reducer<T, Operation, 0>> elements_;
};

namespace detail
{

// What reduction() returns: where the results go, and how they are made.
template <typename T, typename Operation, int Dimensions> class reduction_of
{
  public:
    reduction_of(T *results, std::size_t count, std::optional<T> identity,
                 const Operation &operation, const property_list &properties,
                 buffer_memory_ptr memory = nullptr)
        : results_(results), count_(count), identity_(std::move(identity)), operation_(operation),
          initializes_(properties.has_property<property::reduction::initialize_to_identity>()),
          memory_(std::move(memory))
    {
        if (initializes_ && !identity_)
            throw exception(errc::invalid,
                            "initialize_to_identity: this reduction has no identity");
    }

    // The command has to wait for others that access the buffer with the result.
    template <typename Require> void require(const Require &need) const
    {
        if (memory_)
            need(memory_, true);
    }

    reducer<T, Operation, Dimensions> make_reducer() const
    {
        if constexpr (Dimensions == 0)
            return {identity_, operation_};
        else
            return {identity_, operation_, count_};
    }

    void begin_results() const
    {
        if (initializes_)
            for (std::size_t i = 0; i < count_; ++i)
                results_[i] = *identity_;
    }

    void add(const reducer<T, Operation, Dimensions> &partial) const
    {
        if constexpr (Dimensions == 0)
            add(results_[0], partial);
        else
            for (std::size_t i = 0; i < count_; ++i)
                add(results_[i], partial[i]);
    }

  private:
    void add(T &result, const reducer<T, Operation, 0> &partial) const
    {
        if (partial.partial())
            result = operation_(result, *partial.partial());
    }

    T *results_;
    std::size_t count_;
    std::optional<T> identity_;
    Operation operation_;
    bool initializes_; // what the results were before does not matter
    buffer_memory_ptr memory_;
};

// A kernel function with reductions.
template <typename Kernel, typename... Reductions> class reducing_body
{
    using reducers = std::tuple<decltype(std::declval<Reductions>().make_reducer())...>;

  public:
    reducing_body(const Kernel &kernel, const kernel_handler &constants,
                  const Reductions &...reductions)
        : kernel_(kernel), constants_(constants), reductions_(reductions...),
          mutex_(std::make_unique<std::mutex>())
    {
    }

    template <typename Item> void operator()(const Item &at, void *of_thread) const
    {
        std::apply([&](auto &...each) { call_kernel(kernel_, constants_, at, each...); },
                   *static_cast<reducers *>(of_thread));
    }

    void *begin_thread()
    {
        auto made = std::apply(
            [](const auto &...each) { return std::make_unique<reducers>(each.make_reducer()...); },
            reductions_);
        std::lock_guard<std::mutex> lock(*mutex_);
        partials_.push_back(std::move(made));
        return partials_.back().get();
    }

    void finish()
    {
        std::apply([](const auto &...each) { (each.begin_results(), ...); }, reductions_);
        for (const std::unique_ptr<reducers> &each : partials_)
            add(*each, std::index_sequence_for<Reductions...>());
    }

  private:
    template <std::size_t... Is> void add(const reducers &partial, std::index_sequence<Is...>) const
    {
        (std::get<Is>(reductions_).add(std::get<Is>(partial)), ...);
    }

    const Kernel kernel_;
    const kernel_handler constants_;
    std::tuple<Reductions...> reductions_;
    std::unique_ptr<std::mutex> mutex_; // of the next member
    std::vector<std::unique_ptr<reducers>> partials_;
};

template <typename Operation, typename T> std::optional<T> identity_if_known()
{
    if constexpr (has_known_identity_v<Operation, T>)
        return known_identity_v<Operation, T>;
    else
        return std::nullopt;
}

template <typename T, typename Allocator>
void require_one_element(const buffer<T, 1, Allocator> &results)
{
    if (results.size() != 1)
        throw exception(errc::invalid, "reduction(): the buffer has more or less than one element");
}

} // namespace detail

template <typename T, typename Operation>
auto reduction(T *result, Operation operation, const property_list &properties = {})
{
    return detail::reduction_of<T, Operation, 0>(
        result, 1, detail::identity_if_known<Operation, T>(), operation, properties);
}

template <typename T, typename Operation>
auto reduction(T *result, const T &identity, Operation operation,
               const property_list &properties = {})
{
    return detail::reduction_of<T, Operation, 0>(result, 1, identity, operation, properties);
}

template <typename T, std::size_t Extent, typename Operation>
auto reduction(span<T, Extent> results, Operation operation, const property_list &properties = {})
{
    return detail::reduction_of<T, Operation, 1>(results.data(), results.size(),
                                                 detail::identity_if_known<Operation, T>(),
                                                 operation, properties);
}

template <typename T, std::size_t Extent, typename Operation>
auto reduction(span<T, Extent> results, const T &identity, Operation operation,
               const property_list &properties = {})
{
    return detail::reduction_of<T, Operation, 1>(results.data(), results.size(), identity,
                                                 operation, properties);
}

template <typename T, typename Allocator, typename Operation>
auto reduction(buffer<T, 1, Allocator> results, handler &, Operation operation,
               const property_list &properties = {})
{
    detail::require_one_element(results);
    return detail::reduction_of<T, Operation, 0>(
        detail::buffer_access::data(results), 1, detail::identity_if_known<Operation, T>(),
        operation, properties, detail::buffer_access::memory(results));
}

template <typename T, typename Allocator, typename Operation>
auto reduction(buffer<T, 1, Allocator> results, handler &, const T &identity, Operation operation,
               const property_list &properties = {})
{
    detail::require_one_element(results);
    return detail::reduction_of<T, Operation, 0>(detail::buffer_access::data(results), 1, identity,
                                                 operation, properties,
                                                 detail::buffer_access::memory(results));
}

} // namespace sycl

#endif
