#pragma once

#include <vector>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// One point of a survival curve.
struct SurvivalPoint {
    Seconds age;
    double share{}; ///< of lives that reach that age, 0..1
};

/// The share S(t) of lives (of a node, a spot instance, a job between failures) that last longer
/// than t, from an empirical curve.
///
/// Between two points the hazard is constant, so that a few points describe a memoryless life
/// exactly; the curve falls linearly to a share of zero. Beyond the last point, if its share is
/// above zero, the hazard is the mean of the curve so far, -ln S / t.
class SurvivalFunction {
  public:
    /// points: ages ascending and not negative, shares not ascending; (0, 1) is added if missing.
    /// At least one point with an age above zero and a share below one. Throws ModelError.
    explicit SurvivalFunction(std::vector<SurvivalPoint> points);

    /// e^(-t / mean). mean: > 0; ModelError otherwise.
    [[nodiscard]] static SurvivalFunction memoryless(Seconds mean);

    /// S(age); 1 for ages of zero and below.
    [[nodiscard]] double at(Seconds age) const;

    /// The mean life: the integral of S.
    [[nodiscard]] Seconds mean() const { return mean_; }

    /// The age of the last point; beyond it the hazard is constant.
    [[nodiscard]] Seconds end() const { return points_.back().age; }

    /// The hazard beyond the last point, per second; 0 if no life reaches it.
    [[nodiscard]] double tail_hazard() const { return tail_hazard_; }

    /// The first age reached by at most `share` of lives. share: in (0, 1).
    [[nodiscard]] Seconds age_reached_by(double share) const;

  private:
    std::vector<SurvivalPoint> points_;
    double tail_hazard_{};
    Seconds mean_;
};

}} // namespace bursar::models
