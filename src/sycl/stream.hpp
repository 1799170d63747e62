// SPDX-License-Identifier: BSD-3-Clause
// Streams, by which kernels print. The text appears on standard output when the command ends.
#ifndef SYCL_STREAM_HPP
#define SYCL_STREAM_HPP

#include "sycl/item.hpp"
#include "sycl/property.hpp"
#include "sycl/vec.hpp"

#include <cstdio>
#include <mutex>
#include <string>

namespace sycl
{

class handler;

enum class stream_manipulator : int {
    flush,
    dec,
    hex,
    oct,
    noshowbase,
    showbase,
    noshowpos,
    showpos,
    endl,
    fixed,
    scientific,
    hexfloat,
    defaultfloat,
};

inline constexpr stream_manipulator flush = stream_manipulator::flush;
inline constexpr stream_manipulator dec = stream_manipulator::dec;
inline constexpr stream_manipulator hex = stream_manipulator::hex;
inline constexpr stream_manipulator oct = stream_manipulator::oct;
inline constexpr stream_manipulator noshowbase = stream_manipulator::noshowbase;
inline constexpr stream_manipulator showbase = stream_manipulator::showbase;
inline constexpr stream_manipulator noshowpos = stream_manipulator::noshowpos;
inline constexpr stream_manipulator showpos = stream_manipulator::showpos;
inline constexpr stream_manipulator endl = stream_manipulator::endl;
inline constexpr stream_manipulator fixed = stream_manipulator::fixed;
inline constexpr stream_manipulator scientific = stream_manipulator::scientific;
inline constexpr stream_manipulator hexfloat = stream_manipulator::hexfloat;
inline constexpr stream_manipulator defaultfloat = stream_manipulator::defaultfloat;

namespace detail
{

struct stream_precision {
    int value;
};

struct stream_width {
    int value;
};

// The text of a stream, and the form of the next numbers. With the lock, but for the destructor.
class stream_text
{
  public:
    stream_text() = default;
    stream_text(const stream_text &) = delete;
    stream_text &operator=(const stream_text &) = delete;

    ~stream_text()
    {
        std::fwrite(text_.data(), 1, text_.size(), stdout);
        std::fflush(stdout);
    }

    std::mutex mutex;

    void add(const char *text)
    {
        for (int length = static_cast<int>(std::string(text).size()); length < width_; ++length)
            text_ += ' ';
        text_ += text;
        width_ = 0;
    }

    void add_integer(unsigned long long magnitude, bool is_negative)
    {
        char digits[32];
        const char *form = base_ == 16 ? "%llx" : base_ == 8 ? "%llo" : "%llu";
        std::snprintf(digits, sizeof digits, form, magnitude);
        const char *sign = is_negative ? "-" : shows_sign_ && base_ == 10 ? "+" : "";
        const char *prefix = !shows_base_ || base_ == 10 ? "" : base_ == 16 ? "0x" : "0";
        add((std::string(sign) + prefix + digits).c_str());
    }

    void add_float(double value)
    {
        char digits[512];
        char form[8] = {'%', '.', '*', float_form_, 0, 0, 0, 0};
        if (shows_sign_) {
            const char with_sign[8] = {'%', '+', '.', '*', float_form_, 0, 0, 0};
            std::copy(with_sign, with_sign + 8, form);
        }
        std::snprintf(digits, sizeof digits, form, precision_, value);
        add(digits);
    }

    void add_address(const void *address)
    {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%p", address);
        add(digits);
    }

    void set_precision(int precision)
    {
        precision_ = precision;
    }

    void set_width(int width)
    {
        width_ = width;
    }

    void manipulate(stream_manipulator how)
    {
        switch (how) {
        case stream_manipulator::flush:
            break; // the text appears at the end of the command
        case stream_manipulator::endl:
            text_ += '\n';
            break;
        case stream_manipulator::dec:
            base_ = 10;
            break;
        case stream_manipulator::hex:
            base_ = 16;
            break;
        case stream_manipulator::oct:
            base_ = 8;
            break;
        case stream_manipulator::noshowbase:
        case stream_manipulator::showbase:
            shows_base_ = how == stream_manipulator::showbase;
            break;
        case stream_manipulator::noshowpos:
        case stream_manipulator::showpos:
            shows_sign_ = how == stream_manipulator::showpos;
            break;
        case stream_manipulator::fixed:
            float_form_ = 'f';
            break;
        case stream_manipulator::scientific:
            float_form_ = 'e';
            break;
        case stream_manipulator::hexfloat:
            float_form_ = 'a';
            break;
        case stream_manipulator::defaultfloat:
            float_form_ = 'g';
            break;
        }
    }

  private:
    std::string text_;
    int base_ = 10;
    int precision_ = 6;
    int width_ = 0; // of the next value only
    char float_form_ = 'g';
    bool shows_base_ = false;
    bool shows_sign_ = false;
};

} // namespace detail

inline detail::stream_precision setprecision(int precision)
{
    return {precision};
}

inline detail::stream_width setw(int width)
{
    return {width};
}

class stream : public detail::with_properties
{
  public:
    // The sizes are those of a buffer. This one grows as it has to.
    stream(std::size_t size, std::size_t work_item_size, handler &,
           const property_list &properties = {})
        : with_properties(properties), size_(size), work_item_size_(work_item_size),
          text_(std::make_shared<detail::stream_text>())
    {
    }

    std::size_t size() const noexcept
    {
        return size_;
    }

    std::size_t get_work_item_buffer_size() const
    {
        return work_item_size_;
    }

    friend const stream &operator<<(const stream &to, const char *text)
    {
        std::lock_guard<std::mutex> lock(to.text_->mutex);
        to.text_->add(text);
        return to;
    }

    friend const stream &operator<<(const stream &to, char character)
    {
        const char text[] = {character, 0};
        return to << text;
    }

    friend const stream &operator<<(const stream &to, stream_manipulator how)
    {
        std::lock_guard<std::mutex> lock(to.text_->mutex);
        to.text_->manipulate(how);
        return to;
    }

    friend const stream &operator<<(const stream &to, detail::stream_precision precision)
    {
        std::lock_guard<std::mutex> lock(to.text_->mutex);
        to.text_->set_precision(precision.value);
        return to;
    }

    friend const stream &operator<<(const stream &to, detail::stream_width width)
    {
        std::lock_guard<std::mutex> lock(to.text_->mutex);
        to.text_->set_width(width.value);
        return to;
    }

    template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    friend const stream &operator<<(const stream &to, T value)
    {
        std::lock_guard<std::mutex> lock(to.text_->mutex);
        if constexpr (std::is_floating_point_v<T>)
            to.text_->add_float(static_cast<double>(value));
        else if (value < T(0))
            to.text_->add_integer(0ULL - static_cast<unsigned long long>(value), true);
        else
            to.text_->add_integer(static_cast<unsigned long long>(value), false);
        return to;
    }

    template <typename T, std::enable_if_t<!std::is_same_v<std::remove_cv_t<T>, char>, int> = 0>
    friend const stream &operator<<(const stream &to, T *address)
    {
        std::lock_guard<std::mutex> lock(to.text_->mutex);
        to.text_->add_address(address);
        return to;
    }

    template <int Dimensions>
    friend const stream &operator<<(const stream &to, const id<Dimensions> &value)
    {
        return to.add_list(value);
    }

    template <int Dimensions>
    friend const stream &operator<<(const stream &to, const range<Dimensions> &value)
    {
        return to.add_list(value);
    }

    template <typename T, int Size>
    friend const stream &operator<<(const stream &to, const vec<T, Size> &value)
    {
        to << "{";
        for (int i = 0; i < Size; ++i)
            to << (i ? ", " : "") << value[i];
        return to << "}";
    }

    template <int Dimensions>
    friend const stream &operator<<(const stream &to, const item<Dimensions> &value)
    {
        return to << "item(range: " << value.get_range() << ", id: " << value.get_id() << ")";
    }

    friend bool operator==(const stream &a, const stream &b)
    {
        return a.text_ == b.text_;
    }

    friend bool operator!=(const stream &a, const stream &b)
    {
        return !(a == b);
    }

  private:
    template <typename List> const stream &add_list(const List &list) const
    {
        *this << "{";
        for (int i = 0; i < List::dimensions; ++i)
            *this << (i ? ", " : "") << list[i];
        return *this << "}";
    }

    std::size_t size_;
    std::size_t work_item_size_;
    std::shared_ptr<detail::stream_text> text_; // its end, with that of the kernel, prints it
};

} // namespace sycl

#endif
