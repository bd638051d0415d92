#include "models/convergence/plateau.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "models/errors/model_error.hpp"
#include "models/errors/require_positive.hpp"

namespace bursar {
namespace {

void check(const LossCurve& curve, const PlateauRule& rule) {
    require_positive("distance", curve.distance);
    require_positive("decay", curve.decay);
    require_positive("min_delta", rule.min_delta);
    if (rule.patience < 1)
        throw ModelError{"patience",
                         std::to_string(rule.patience) + " evaluations are no window",
                         "give at least 1"};
}

} // namespace

double LossCurve::at(std::int64_t evaluation) const {
    assert(evaluation >= 1);
    return limit + distance * std::pow(static_cast<double>(evaluation), -decay);
}

std::optional<std::int64_t>
plateau_stop(const LossCurve& curve, const PlateauRule& rule, std::int64_t last) {
    check(curve, rule);
    // c k^-gamma is convex: once the improvement over the window is too small it stays so.
    const auto goes_on = [&](std::int64_t k) {
        return curve.at(k - rule.patience) - curve.at(k) >= rule.min_delta;
    };
    std::int64_t low = rule.patience + 1;
    if (last < low || goes_on(last))
        return std::nullopt;
    std::int64_t high = last;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (goes_on(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::optional<std::int64_t>
plateau_stop(const LossCurve& curve, const PlateauRule& rule, std::span<const double> noise) {
    check(curve, rule);
    const auto patience = static_cast<std::size_t>(rule.patience);
    std::vector<double> best; // best[i]: of the evaluations 1 .. i + 1
    best.reserve(noise.size());
    for (std::size_t i = 0; i < noise.size(); ++i) {
        const double seen = curve.at(static_cast<std::int64_t>(i) + 1) + noise[i];
        best.push_back(best.empty() ? seen : std::min(best.back(), seen));
        if (i >= patience && best[i - patience] - best[i] < rule.min_delta)
            return static_cast<std::int64_t>(i) + 1;
    }
    return std::nullopt;
}

} // namespace bursar
