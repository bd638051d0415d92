#include "models/random/normal.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

namespace bursar { inline namespace models {
namespace {

// ln 2 in two parts: the first has 21 zero bits at its end, so that whole multiples of it are
// exact.
constexpr double ln2_high = 0x1.62e42feep-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;

constexpr int mantissa_bits = 52;
constexpr std::int64_t exponent_bias = 1023;

/// 2^exponent, for exponents of normal doubles.
double power_of_two(std::int64_t exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + exponent_bias)
                                 << mantissa_bits);
}

/// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule.
template <std::size_t N>
double polynomial(const std::array<double, N>& c, double x) {
    double sum = c[N - 1];
    for (std::size_t i = N - 1; i-- > 0;)
        sum = sum * x + c[i];
    return sum;
}

// AS 241, the numerator and denominator for |u - 1/2| <= 0.425...
constexpr std::array middle_top{3.3871328727963666080e0,
                                1.3314166789178437745e+2,
                                1.9715909503065514427e+3,
                                1.3731693765509461125e+4,
                                4.5921953931549871457e+4,
                                6.7265770927008700853e+4,
                                3.3430575583588128105e+4,
                                2.5090809287301226727e+3};
constexpr std::array middle_bottom{1.0,
                                   4.2313330701600911252e+1,
                                   6.8718700749205790830e+2,
                                   5.3941960214247511077e+3,
                                   2.1213794301586595867e+4,
                                   3.9307895800092710610e+4,
                                   2.8729085735721942674e+4,
                                   5.2264952788528545610e+3};
// ... for tails with sqrt(-ln tail) <= 5 ...
constexpr std::array near_top{1.42343711074968357734e0,
                              4.63033784615654529590e0,
                              5.76949722146069140550e0,
                              3.64784832476320460504e0,
                              1.27045825245236838258e0,
                              2.41780725177450611770e-1,
                              2.27238449892691845833e-2,
                              7.74545014278341407640e-4};
constexpr std::array near_bottom{1.0,
                                 2.05319162663775882187e0,
                                 1.67638483018380384940e0,
                                 6.89767334985100004550e-1,
                                 1.48103976427480074590e-1,
                                 1.51986665636164571966e-2,
                                 5.47593808499534494600e-4,
                                 1.05075007164441684324e-9};
// ... and beyond.
constexpr std::array far_top{6.65790464350110377720e0,
                             5.46378491116411436990e0,
                             1.78482653991729133580e0,
                             2.96560571828504891230e-1,
                             2.65321895265761230930e-2,
                             1.24266094738807843860e-3,
                             2.71155556874348757815e-5,
                             2.01033439929228813265e-7};
constexpr std::array far_bottom{1.0,
                                5.99832206555887937690e-1,
                                1.36929880922735805310e-1,
                                1.48753612908506148525e-2,
                                7.86869131145613259100e-4,
                                1.84631831751005468180e-5,
                                1.42151175831644588870e-7,
                                2.04426310338993978564e-15};

} // namespace

double portable_log(double x) {
    assert(x >= std::numeric_limits<double>::min() && x <= std::numeric_limits<double>::max());
    const auto bits = std::bit_cast<std::uint64_t>(x);
    std::int64_t exponent = static_cast<std::int64_t>(bits >> mantissa_bits) - exponent_bias;
    double mantissa = x * power_of_two(-exponent / 2) * power_of_two(-(exponent - exponent / 2));
    if (mantissa > 0x1.6a09e667f3bcdp0) { // sqrt 2: centre the mantissa around 1
        mantissa *= 0.5;
        ++exponent;
    }
    // ln m = 2 artanh s; the terms left out are below 2 s (0.0295^12 / 25) < 1e-19 s.
    const double s = (mantissa - 1) / (mantissa + 1);
    double series = 0;
    for (int odd = 23; odd >= 3; odd -= 2)
        series = (series + 1.0 / odd) * (s * s);
    const auto n = static_cast<double>(exponent);
    return n * ln2_high + (2 * s + (2 * s * series + n * ln2_low));
}

double portable_exp(double x) {
    assert(x >= -700 && x <= 700);
    const double n = std::floor(x / (ln2_high + ln2_low) + 0.5);
    const double rest = (x - n * ln2_high) - n * ln2_low; // |rest| <= ln 2 / 2
    double series = 1;
    for (int i = 14; i >= 1; --i)
        series = 1 + rest / i * series;
    return series * power_of_two(static_cast<std::int64_t>(n));
}

double normal_quantile(double u) {
    assert(u > 0 && u < 1);
    const double q = u - 0.5;
    if (std::abs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(middle_top, r) / polynomial(middle_bottom, r);
    }
    const double depth = std::sqrt(-portable_log(q < 0 ? u : 1 - u));
    const double z = depth <= 5
                         ? polynomial(near_top, depth - 1.6) / polynomial(near_bottom, depth - 1.6)
                         : polynomial(far_top, depth - 5) / polynomial(far_bottom, depth - 5);
    return q < 0 ? -z : z;
}

}} // namespace bursar::models
