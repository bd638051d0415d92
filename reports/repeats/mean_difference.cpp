#include "reports/repeats/mean_difference.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <boost/math/distributions/students_t.hpp>

namespace bursar { inline namespace reports {

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

MeanDifference paired_difference(const ScalarPairs& pairs) {
    MeanDifference out;
    out.runs = pairs.difference.size();
    out.base = over_runs({}, pairs.base).mean;
    out.mean = over_runs({}, pairs.difference).mean;
    if (out.runs < 2)
        return out;
    const MeanInterval interval = interval_of_mean(pairs.difference);
    out.ci_low = interval.low;
    out.ci_high = interval.high;
    out.p = interval.p;
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
    double half_width = 0;
    if (variance > 0) {
        // Degrees of freedom after Welch and Satterthwaite.
        const double degrees =
            variance * variance /
            (of_base * of_base / (base_runs - 1) + of_other * of_other / (other_runs - 1));
        half_width =
            boost::math::quantile(boost::math::students_t{degrees}, 0.975) * std::sqrt(variance);
    }
    out.ci_low = out.mean - half_width;
    out.ci_high = out.mean + half_width;
    return out;
}

}} // namespace bursar::reports
