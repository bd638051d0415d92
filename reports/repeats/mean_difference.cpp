#include "reports/repeats/mean_difference.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace bursar { inline namespace reports {

namespace {

/// Of the mean over the runs, without bias; 0 where it is not known.
double third_cumulant(const RepeatedScalar& scalar) {
    double n = 0;
    double cubes = 0;
    for (const std::optional<double>& value : scalar.by_seed)
        if (value) {
            ++n;
            cubes += std::pow(*value - scalar.mean, 3);
        }
    return n > 2 ? cubes / n / (n - 1) / (n - 2) : 0;
}

} // namespace

ScalarPairs pairs_of(std::span<const std::optional<double>> base,
                     std::span<const std::optional<double>> other) {
    assert(base.size() == other.size());
    ScalarPairs pairs;
    for (std::size_t run = 0; run < base.size(); ++run) {
        if (!base[run] || !other[run])
            continue;
        pairs.base.push_back(*base[run]);
        pairs.difference.push_back(*other[run] - *base[run]);
    }
    return pairs;
}

MeanDifference paired_difference(const ScalarPairs& pairs, SeedValues values, SeedsDraw draw) {
    MeanDifference out;
    out.runs = pairs.difference.size();
    out.base = over_runs({}, pairs.base).mean;
    out.mean = over_runs({}, pairs.difference).mean;
    const auto is_something = [](double value) { return value != 0; };
    const bool are_events =
        values == SeedValues::events && (std::ranges::any_of(pairs.base, is_something) ||
                                         std::ranges::any_of(pairs.difference, is_something));
    std::optional<MeanInterval> interval;
    if (draw == SeedsDraw::samples)
        interval = interval_of_draws(pairs.difference);
    else if (out.runs > 1)
        interval = are_events ? interval_of_mean_events(pairs.difference)
                              : interval_of_mean(pairs.difference);
    if (!interval)
        return out;
    out.ci_low = interval->low;
    out.ci_high = interval->high;
    out.p = interval->p;
    if (draw == SeedsDraw::runs && !are_events)
        out.deciding = deciding_seeds(pairs.difference);
    return out;
}

MeanDifference unpaired_difference(const RepeatedScalar& base, const RepeatedScalar& other) {
    MeanDifference out{std::min(base.n, other.n), base.mean, other.mean - base.mean, {}, {}};
    if (!base.sd || !other.sd)
        return out;
    const auto base_runs = static_cast<double>(base.n);
    const auto other_runs = static_cast<double>(other.n);
    const double of_base = *base.sd * *base.sd / base_runs;
    const double of_other = *other.sd * *other.sd / other_runs;
    const double variance = of_base + of_other;
    // Degrees of freedom after Welch and Satterthwaite.
    const double degrees =
        variance > 0
            ? variance * variance /
                  (of_base * of_base / (base_runs - 1) + of_other * of_other / (other_runs - 1))
            : 1;
    const double error = std::sqrt(variance);
    const double skewness =
        variance > 0 ? (third_cumulant(other) - third_cumulant(base)) / (variance * error) : 0;
    const MeanInterval interval =
        student_interval({out.mean, error, degrees, usual_widening * skewness * skewness});
    out.ci_low = interval.low;
    out.ci_high = interval.high;
    out.p = interval.p;
    return out;
}

MeanDifference with_error(MeanDifference difference, double error) {
    const double mean = difference.mean;
    const double below = std::hypot(mean - difference.ci_low.value_or(mean), error);
    const double above = std::hypot(difference.ci_high.value_or(mean) - mean, error);
    const double normal = 1.959964 * std::abs(mean) / (mean > 0 ? below : above);
    const double p = std::erfc(normal / std::sqrt(2.0));
    difference.p = difference.ci_low ? std::max(difference.p, p) : p;
    difference.ci_low = mean - below;
    difference.ci_high = mean + above;
    return difference;
}

}} // namespace bursar::reports
