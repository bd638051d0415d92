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

    /// One of `lives`, all equally likely. lives: at least one, each 1 ms .. max_life; ModelError
    /// otherwise.
    [[nodiscard]] static LifeLaw resampled(std::vector<Duration> lives);

    /// The quantile of share `u`; a draw when u is uniform. u: in (0, 1).
    [[nodiscard]] Duration at(double u) const;

    [[nodiscard]] double mean_ms() const;

    /// Roughly the mean, from 64 quantiles; the same bits on every machine.
    [[nodiscard]] Duration typical() const;

    /// 1 where the hazard is constant; 0 for lives that are resampled.
    [[nodiscard]] double shape() const { return shape_; }
    /// The scale of a Weibull law; the mean of an exponential one.
    [[nodiscard]] Duration scale() const { return scale_; }
    /// The resampled lives, ascending; empty for a formula.
    [[nodiscard]] std::span<const Duration> lives() const { return lives_; }

  private:
    LifeLaw(double shape, Duration scale) : shape_{shape}, scale_{scale} {}

    double shape_{};
    Duration scale_;
    std::vector<Duration> lives_;
};

}} // namespace bursar::models
