// SPDX-License-Identifier: BSD-3-Clause
// Mathematical functions: SYCL 2020, 4.17.5 to 4.17.9. Expected values are known numbers.
#include "expect.hpp"

#include <climits>

static bool near(double a, double b, double tolerance = 1e-6)
{
    return std::fabs(a - b) <= tolerance * (1 + std::fabs(b));
}

static void calculate()
{
    const double pi = 3.141592653589793;
    expect(near(sycl::sin(pi / 6), 0.5) && near(sycl::cos(0.0f), 1) && near(sycl::tan(pi / 4), 1),
           "angles");
    expect(near(sycl::sinpi(0.5), 1) && near(sycl::acospi(-1.0), 1) &&
               near(sycl::atan2pi(1.0, 1.0), 0.25),
           "angles in half turns");
    expect(near(sycl::exp(1.0), 2.718281828) && sycl::exp2(3.f) == 8 && near(sycl::exp10(2.f), 100),
           "powers");
    expect(near(sycl::log2(8.f), 3) && near(sycl::log10(1000.0), 3) &&
               sycl::pown(2.f, -2) == 0.25f && near(sycl::rootn(-27.0, 3), -3),
           "logarithms and roots");
    expect(sycl::rsqrt(4.f) == 0.5f && sycl::cbrt(27.f) == 3 && sycl::hypot(3.0, 4.0) == 5 &&
               sycl::fma(2.f, 3.f, 4.f) == 10 && sycl::mad(2.0, 3.0, 4.0) == 10,
           "others");
    expect(sycl::round(2.5f) == 3 && sycl::rint(2.5f) == 2 && sycl::trunc(-2.7f) == -2 &&
               sycl::floor(-2.1) == -3 && sycl::ceil(2.1) == 3,
           "rounding");
    expect(sycl::maxmag(-3.f, 2.f) == -3 && sycl::minmag(-3.f, 2.f) == 2 &&
               sycl::fdim(5.f, 3.f) == 2,
           "magnitudes");
    float whole;
    int exponent;
    expect(near(sycl::modf(2.75f, &whole), 0.75) && whole == 2, "modf");
    expect(sycl::frexp(12.f, &exponent) == 0.75f && exponent == 4, "frexp");
    expect(near(sycl::fract(-1.25f, &whole), 0.75) && whole == -2, "fract");
    expect(near(sycl::sincos(0.f, &whole), 0) && whole == 1, "sincos");
    expect(sycl::remquo(7.f, 2.f, &exponent) == -1 && (exponent & 7) == 4, "remquo");
    expect(near(sycl::lgamma_r(-0.5, &exponent), 1.265512123) && exponent == -1, "lgamma_r");
    expect(sycl::isnan(sycl::nan(1u)) && sycl::ilogb(9.f) == 3 && sycl::ldexp(3.f, 2) == 12,
           "parts");
    expect(near(sycl::native::recip(4.f), 0.25) &&
               near(sycl::half_precision::divide(1.f, 4.f), 0.25),
           "native and half_precision");
    expect(near(sycl::degrees(pi), 180) && near(sycl::radians(180.f), pi) &&
               sycl::sign(-3.f) == -1 && sycl::step(2.f, 1.f) == 0 &&
               sycl::mix(1.f, 3.f, 0.5f) == 2 && sycl::smoothstep(0.f, 2.f, 1.f) == 0.5f &&
               sycl::clamp(5.f, 1.f, 3.f) == 3,
           "common functions");
}

static void calculate_vectors()
{
    const sycl::float4 v(1, 4, 9, 16);
    const sycl::float4 roots = sycl::sqrt(v), larger = sycl::fmax(v, 5.f);
    expect(roots[3] == 4 && larger[0] == 5 && larger[3] == 16, "elements of a vec");
    sycl::int4 exponents;
    const sycl::float4 fractions = sycl::frexp(v, &exponents);
    expect(fractions[1] == 0.5f && exponents[1] == 3, "second results");
    const sycl::marray<double, 3> powers = sycl::pow(sycl::marray<double, 3>{1., 2., 3.}, 2.0);
    expect(powers[2] == 9, "elements of an marray");
    expect(sycl::dot(v, v) == 354 && sycl::length(sycl::float2(3, 4)) == 5 &&
               sycl::distance(sycl::double3(1), sycl::double3(1, 1, 3)) == 2,
           "geometry");
    const sycl::float3 z = sycl::cross(sycl::float3(1, 0, 0), sycl::float3(0, 1, 0));
    expect(z[0] == 0 && z[2] == 1 && near(sycl::normalize(sycl::float2(3, 4))[1], 0.8),
           "directions");
    const sycl::int4 is_larger = sycl::isgreater(v, roots);
    expect(is_larger[0] == 0 && is_larger[1] == -1 && sycl::any(is_larger) && !sycl::all(is_larger),
           "relations");
    const sycl::float4 chosen = sycl::select(v, roots, is_larger);
    expect(chosen[0] == 1 && chosen[2] == 3, "select");
    expect(sycl::bitselect(0xff00, 0x00ff, 0x0ff0) == 0xf0f0, "bitselect");
    static_assert(std::is_same_v<decltype(sycl::isinf(1.f)), bool>);
    static_assert(std::is_same_v<decltype(sycl::isinf(sycl::mfloat2(1.f))), sycl::marray<bool, 2>>);
}

static void count_bits()
{
    expect(sycl::clz(1) == 31 && sycl::clz(std::uint8_t(1)) == 7 && sycl::clz(0L) == 64 &&
               sycl::ctz(8) == 3 && sycl::ctz(0) == 32 && sycl::popcount(-1) == 32 &&
               sycl::popcount(std::int8_t(-1)) == 8,
           "bits");
    expect(sycl::rotate(0x80000001u, 4u) == 0x18 &&
               sycl::rotate(std::uint8_t(0x81), std::uint8_t(1)) == 3,
           "rotate");
    expect(sycl::abs(-5) == 5 && sycl::abs_diff(-3, 4) == 7 &&
               sycl::hadd(INT_MAX, INT_MAX - 2) == INT_MAX - 1 && sycl::rhadd(3, 4) == 4 &&
               sycl::hadd(-3, -4) == -4,
           "differences and means");
    expect(sycl::add_sat(INT_MAX, 1) == INT_MAX && sycl::add_sat(INT_MIN, -1) == INT_MIN &&
               sycl::sub_sat(0u, 1u) == 0 && sycl::sub_sat(INT_MIN, 1) == INT_MIN &&
               sycl::add_sat(2, 3) == 5,
           "saturation");
    expect(sycl::mul_hi(1 << 30, 8) == 2 && sycl::mul_hi(1L << 62, 8L) == 2 &&
               sycl::mul_hi(-1, 1) == -1 && sycl::mad_hi(1 << 30, 8, 5) == 7 &&
               sycl::mad_sat(INT_MAX, 2, 1) == INT_MAX && sycl::mad_sat(-3, 4, 1) == -11,
           "products");
    expect(sycl::min(3, -4) == -4 && sycl::max(2u, 9u) == 9 && sycl::clamp(-5, -2, 2) == -2 &&
               sycl::max(sycl::int2(1, 5), 3)[0] == 3,
           "extremes");
}

int main()
{
    calculate();
    calculate_vectors();
    count_bits();
    return finish();
}
