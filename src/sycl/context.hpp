// SPDX-License-Identifier: BSD-3-Clause
// Contexts: each has the one device, and may have a handler for the errors of its queues.
#ifndef SYCL_CONTEXT_HPP
#define SYCL_CONTEXT_HPP

#include "sycl/device.hpp"
#include "sycl/property.hpp"

namespace sycl
{

namespace detail
{
struct context_state {
    async_handler handler;
};
} // namespace detail

class context : public detail::with_properties
{
  public:
    explicit context(const property_list &properties = {}) : context(async_handler(), properties)
    {
    }

    explicit context(async_handler handler, const property_list &properties = {})
        : with_properties(properties),
          state_(std::make_shared<detail::context_state>(detail::context_state{std::move(handler)}))
    {
    }

    explicit context(const device &, const property_list &properties = {}) : context(properties)
    {
    }

    explicit context(const device &, async_handler handler, const property_list &properties = {})
        : context(std::move(handler), properties)
    {
    }

    explicit context(const std::vector<device> &devices, const property_list &properties = {})
        : context(devices, async_handler(), properties)
    {
    }

    explicit context(const std::vector<device> &devices, async_handler handler,
                     const property_list &properties = {})
        : context(std::move(handler), properties)
    {
        if (devices.empty())
            throw exception(errc::invalid, "a context needs a device");
    }

    backend get_backend() const noexcept
    {
        return backend::host;
    }

    platform get_platform() const
    {
        return {};
    }

    std::vector<device> get_devices() const
    {
        return {device()};
    }

    template <typename Query> typename Query::return_type get_info() const
    {
        using result = typename Query::return_type;
        if constexpr (std::is_same_v<Query, info::context::platform>)
            return {};
        else if constexpr (std::is_same_v<Query, info::context::devices>)
            return get_devices();
        else
            return detail::all_capabilities<result>();
    }

    friend bool operator==(const context &a, const context &b)
    {
        return a.state_ == b.state_;
    }

    friend bool operator!=(const context &a, const context &b)
    {
        return !(a == b);
    }

  private:
    friend class exception;
    friend class queue;
    friend struct std::hash<context>;

    explicit context(std::shared_ptr<detail::context_state> state) : state_(std::move(state))
    {
    }

    std::shared_ptr<detail::context_state> state_;
};

inline exception::exception(context of, std::error_code code, const std::string &what)
    : exception(code, what)
{
    context_ = std::move(of.state_);
}

inline exception::exception(context of, std::error_code code, const char *what)
    : exception(std::move(of), code, std::string(what))
{
}

inline exception::exception(context of, int value, const std::error_category &category,
                            const std::string &what)
    : exception(std::move(of), std::error_code(value, category), what)
{
}

inline exception::exception(context of, int value, const std::error_category &category,
                            const char *what)
    : exception(std::move(of), std::error_code(value, category), std::string(what))
{
}

inline context exception::get_context() const
{
    if (!has_context())
        throw exception(errc::invalid, "get_context(): the exception has no context");
    return context(context_);
}

} // namespace sycl

namespace std
{
template <> struct hash<sycl::context> {
    size_t operator()(const sycl::context &of) const
    {
        return hash<shared_ptr<sycl::detail::context_state>>()(of.state_);
    }
};
} // namespace std

#endif
