#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// Lives end here at the latest, past any horizon: 35,700 years. A few dozen of them stay inside 64
/// bits.
inline constexpr Duration max_life{std::int64_t{1} << 50};

/// How long something lasts: the distribution of an up-time or of a down-time. Draws are whole
/// milliseconds, at least one, and the same on every machine.
class LifeLaw {
  public:
    /// A constant hazard. mean: >= 1 s; ModelError otherwise.
    [[nodiscard]] static LifeLaw exponential(Duration mean);

    /// S(t) = exp(-(t / scale)^shape): early ends prevail where the shape is below 1. shape: 0.1 ..
    /// 10. scale: 1 ms .. max_life, and the mean at least 1 s; ModelError otherwise.
    [[nodiscard]] static LifeLaw weibull(double shape, Duration scale);

    /// One of `lives`, each as likely as another. lives: at least one, each 1 ms .. max_life;
    /// ModelError.
    [[nodiscard]] static LifeLaw resampled(std::vector<Duration> lives);

    /// The life that a share `u` of all stays below: with a uniform u, a draw. u: in (0, 1).
    [[nodiscard]] Duration at(double u) const;

    [[nodiscard]] double mean_ms() const;

    /// About the mean, with the same bits on every machine: of 64 quantiles.
    [[nodiscard]] Duration typical() const;

    /// 1 where the hazard is constant; 0 for lives that are resampled.
    [[nodiscard]] double shape() const { return shape_; }
    /// Of a Weibull law, and of an exponential one its mean.
    [[nodiscard]] Duration scale() const { return scale_; }
    /// What is resampled, ascending; empty for a formula.
    [[nodiscard]] std::span<const Duration> lives() const { return lives_; }

  private:
    LifeLaw(double shape, Duration scale) : shape_{shape}, scale_{scale} {}

    double shape_{};
    Duration scale_;
    std::vector<Duration> lives_;
};

}} // namespace bursar::models
