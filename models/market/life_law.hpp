#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// The longest life, past any horizon: 35,700 years. A few dozen of them fit into 64 bits.
inline constexpr Duration max_life{std::int64_t{1} << 50};

/// The distribution of an up-time or a down-time. Draws are whole milliseconds, at least one, and
/// the same on every machine.
class LifeLaw {
  public:
    /// A constant hazard. mean: >= 1 s; ModelError otherwise.
    [[nodiscard]] static LifeLaw exponential(Duration mean);

    /// S(t) = exp(-(t / scale)^shape): early ends prevail where the shape is below 1. shape: 0.1 ..
    /// 10. scale: 1 ms .. max_life, and the mean at least 1 s; ModelError otherwise.
    [[nodiscard]] static LifeLaw weibull(double shape, Duration scale);

    /// A heavy tail: the logarithm is normal. median: 1 ms .. max_life. mean: above the median, at
    /// most 1e6 times as long, at least 1 s; ModelError otherwise.
    [[nodiscard]] static LifeLaw lognormal(Duration median, Duration mean);

    /// The Weibull law with that median and mean, under the same conditions; its shape is below 3.
    [[nodiscard]] static LifeLaw weibull_through(Duration median, Duration mean);

    /// One of `lives`, all equally likely. lives: at least one, each 1 ms .. max_life; ModelError
    /// otherwise.
    [[nodiscard]] static LifeLaw resampled(std::vector<Duration> lives);

    /// The quantile of share `u`; a draw when u is uniform. u: in (0, 1).
    [[nodiscard]] Duration at(double u) const;

    [[nodiscard]] double mean_ms() const;

    /// Roughly the mean, from 64 quantiles; the same bits on every machine.
    [[nodiscard]] Duration typical() const;

    /// 1 where the hazard is constant; 0 for log-normal lives and for those that are resampled.
    [[nodiscard]] double shape() const { return shape_; }
    /// The standard deviation of the logarithm of log-normal lives; 0 for other laws.
    [[nodiscard]] double log_spread() const { return log_spread_; }
    /// The scale of a Weibull law; the mean of an exponential one; the median of a log-normal one.
    [[nodiscard]] Duration scale() const { return scale_; }
    /// The resampled lives, ascending; empty for a formula.
    [[nodiscard]] std::span<const Duration> lives() const { return lives_; }

  private:
    LifeLaw(double shape, Duration scale) : shape_{shape}, scale_{scale} {}

    double shape_{};
    Duration scale_;
    double log_spread_{};
    std::vector<Duration> lives_;
};

}} // namespace bursar::models
