// SPDX-License-Identifier: BSD-3-Clause
// Errors: codes, the exception that carries one, and lists of exceptions for asynchronous handlers.
#ifndef SYCL_EXCEPTION_HPP
#define SYCL_EXCEPTION_HPP

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sycl
{

class context;

namespace detail
{
struct context_state;
}

enum class errc : unsigned int {
    success = 0,
    runtime,
    kernel,
    accessor,
    nd_range,
    event,
    kernel_argument,
    build,
    invalid,
    memory_allocation,
    platform,
    profiling,
    feature_not_supported,
    kernel_not_supported,
    backend_mismatch,
};

namespace detail
{

class error_category final : public std::error_category
{
  public:
    const char *name() const noexcept override
    {
        return "sycl";
    }

    std::string message(int value) const override
    {
        switch (static_cast<errc>(value)) {
        case errc::success:
            return "success";
        case errc::runtime:
            return "error of the run time";
        case errc::kernel:
            return "error in a kernel";
        case errc::accessor:
            return "error of an accessor";
        case errc::nd_range:
            return "invalid nd_range";
        case errc::event:
            return "error of an event";
        case errc::kernel_argument:
            return "invalid kernel argument";
        case errc::build:
            return "a kernel bundle cannot be built";
        case errc::invalid:
            return "invalid argument";
        case errc::memory_allocation:
            return "out of memory";
        case errc::platform:
            return "error of a platform";
        case errc::profiling:
            return "profiling information is not available";
        case errc::feature_not_supported:
            return "feature not supported";
        case errc::kernel_not_supported:
            return "kernel not supported by the device";
        case errc::backend_mismatch:
            return "object of another backend";
        }
        return "unknown error";
    }
};

} // namespace detail

inline const std::error_category &sycl_category() noexcept
{
    static const detail::error_category category;
    return category;
}

inline std::error_code make_error_code(errc code) noexcept
{
    return {static_cast<int>(code), sycl_category()};
}

} // namespace sycl

namespace std
{
template <> struct is_error_code_enum<sycl::errc> : true_type {
};
} // namespace std

namespace sycl
{

class exception : public virtual std::exception
{
  public:
    exception(std::error_code code, const std::string &what = {})
        : code_(code), what_(std::make_shared<std::string>(describe(code, what)))
    {
    }

    exception(std::error_code code, const char *what) : exception(code, std::string(what))
    {
    }

    exception(int value, const std::error_category &category, const std::string &what = {})
        : exception(std::error_code(value, category), what)
    {
    }

    exception(int value, const std::error_category &category, const char *what)
        : exception(std::error_code(value, category), std::string(what))
    {
    }

    // These are defined beside class context.
    exception(context of, std::error_code code, const std::string &what = {});
    exception(context of, std::error_code code, const char *what);
    exception(context of, int value, const std::error_category &category,
              const std::string &what = {});
    exception(context of, int value, const std::error_category &category, const char *what);
    context get_context() const;

    const std::error_code &code() const noexcept
    {
        return code_;
    }

    const std::error_category &category() const noexcept
    {
        return code_.category();
    }

    const char *what() const noexcept override
    {
        return what_->c_str();
    }

    bool has_context() const noexcept
    {
        return context_ != nullptr;
    }

  private:
    static std::string describe(std::error_code code, const std::string &what)
    {
        return what.empty() ? code.message() : what;
    }

    std::error_code code_;
    std::shared_ptr<const std::string> what_; // copies of an exception must not throw
    std::shared_ptr<detail::context_state> context_;
};

class exception_list
{
  public:
    using value_type = std::exception_ptr;
    using reference = value_type &;
    using const_reference = const value_type &;
    using size_type = std::size_t;
    using iterator = std::vector<std::exception_ptr>::const_iterator;
    using const_iterator = iterator;

    exception_list() = default;

    explicit exception_list(std::vector<std::exception_ptr> exceptions)
        : exceptions_(std::move(exceptions))
    {
    }

    size_type size() const
    {
        return exceptions_.size();
    }

    iterator begin() const
    {
        return exceptions_.begin();
    }

    iterator end() const
    {
        return exceptions_.end();
    }

  private:
    std::vector<std::exception_ptr> exceptions_;
};

using async_handler = std::function<void(exception_list)>;

} // namespace sycl

#endif
