#include "models/market/life_law.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"
#include "models/random/normal.hpp"

namespace bursar { inline namespace models {

LifeLaw LifeLaw::exponential(Duration mean) {
    return weibull(1, mean);
}

LifeLaw LifeLaw::weibull(double shape, Duration scale) {
    require_positive("shape", shape);
    if (shape < 0.1 || shape > 10)
        throw ModelError{"shape", "is outside 0.1 .. 10", "1 is a constant hazard"};
    const LifeLaw law{shape, scale};
    if (scale > max_life)
        throw ModelError{"scale", "is beyond any horizon", "at most 2^50 ms"};
    if (scale < millisecond || law.mean_ms() < static_cast<double>(second.count()))
        throw ModelError{"mean", "is below 1 s", "nodes that come and go last longer"};
    return law;
}

namespace {

void check_heavy_tail(Duration median, Duration mean) {
    if (median < millisecond || median > max_life || mean < second || mean > max_life)
        throw ModelError{"median and mean", "are out of range", "1 ms, or 1 s, to 2^50 ms"};
    if (mean <= median || mean.count() / median.count() > 1'000'000)
        throw ModelError{
            "mean", "is not 1 to 1e6 times the median", "a heavy tail has a long mean"};
}

} // namespace

LifeLaw LifeLaw::lognormal(Duration median, Duration mean) {
    check_heavy_tail(median, mean);
    LifeLaw law{0, median};
    const double ratio = static_cast<double>(mean.count()) / static_cast<double>(median.count());
    law.log_spread_ = std::sqrt(2 * portable_log(ratio));
    return law;
}

LifeLaw LifeLaw::weibull_through(Duration median, Duration mean) {
    check_heavy_tail(median, mean);
    const double ratio = static_cast<double>(mean.count()) / static_cast<double>(median.count());
    const double log_2 = portable_log(2);
    const auto ratio_of = [&](double shape) {
        return std::tgamma(1 + 1 / shape) / portable_exp(portable_log(log_2) / shape);
    };
    double low = 0.1;
    double high = 3; // the ratio falls with the shape, from 1e8 to 1.01
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        (ratio_of(middle) > ratio ? low : high) = middle;
    }
    // Rounded, so that draws do not depend on the last bits of a machine's gamma function.
    const double shape = std::round(low * 1e6) / 1e6;
    const double scale =
        static_cast<double>(median.count()) / portable_exp(portable_log(log_2) / shape);
    return weibull(shape, Duration{std::llround(scale)});
}

LifeLaw LifeLaw::resampled(std::vector<Duration> lives) {
    if (lives.empty())
        throw ModelError{"lives", "there are none", "give at least one"};
    LifeLaw law{0, Duration{}};
    std::ranges::sort(lives);
    if (lives.front() < millisecond || lives.back() > max_life)
        throw ModelError{"lives", "one is below 1 ms or above max_life", {}};
    law.lives_ = std::move(lives);
    return law;
}

Duration LifeLaw::at(double u) const {
    assert(u > 0 && u < 1);
    if (!lives_.empty()) {
        const double rank = u * static_cast<double>(lives_.size()); // may round up to the size
        return lives_[std::min(static_cast<std::size_t>(rank), lives_.size() - 1)];
    }
    const double hazard = -portable_log(1 - u); // in units of the scale
    const double factor = log_spread_ > 0 ? portable_exp(log_spread_ * normal_quantile(u))
                          : shape_ == 1   ? hazard
                                          : portable_exp(portable_log(hazard) / shape_);
    const double ms = std::min(factor * static_cast<double>(scale_.count()),
                               static_cast<double>(max_life.count()));
    return Duration{std::max<std::int64_t>(1, static_cast<std::int64_t>(ms + 0.5))};
}

double LifeLaw::mean_ms() const {
    if (log_spread_ > 0)
        return static_cast<double>(scale_.count()) * portable_exp(log_spread_ * log_spread_ / 2);
    if (lives_.empty())
        return static_cast<double>(scale_.count()) * std::tgamma(1 + 1 / shape_);
    double sum = 0;
    for (const Duration life : lives_)
        sum += static_cast<double>(life.count());
    return sum / static_cast<double>(lives_.size());
}

Duration LifeLaw::typical() const {
    constexpr int num_points = 64;
    double sum = 0;
    for (int i = 0; i < num_points; ++i)
        sum += static_cast<double>(at((i + 0.5) / num_points).count());
    return Duration{static_cast<std::int64_t>(sum / num_points) + 1};
}

}} // namespace bursar::models
