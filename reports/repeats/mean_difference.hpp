#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reports/repeats/repeats.hpp"

namespace bursar { inline namespace reports {

/// Values of a scalar in pairs of runs with the same seed, where both have a value.
struct ScalarPairs {
    std::vector<double> base;
    std::vector<double> difference; ///< other minus base
};

/// The values are in the order of the seeds, and of the same length.
[[nodiscard]] ScalarPairs pairs_of(std::span<const std::optional<double>> base,
                                   std::span<const std::optional<double>> other);

/// Difference between the mean of a scalar over some runs and over the runs of a base.
struct MeanDifference {
    std::uint64_t runs{};          ///< the smaller number; 0: unknown, and the rest is undefined
    double base{};                 ///< mean
    double mean{};                 ///< difference to the base
    std::optional<double> ci_low;  ///< 95 % interval of the difference; absent if either has only
                                   ///< one run
    std::optional<double> ci_high; ///< likewise
    double p{1}; ///< of a true difference of 0: below 0.05 where the interval leaves it out; 1
                 ///< without an interval
    std::uint64_t deciding{}; ///< deciding_seeds() of the differences; 0 for events
};

/// What the seeds of paired runs draw.
enum class SeedsDraw : std::uint8_t {
    runs,   ///< each seed an independent run: the interval is of the mean, interval_of_mean()
    samples ///< each seed a sample drawn out of one trace: interval_of_draws()
};

/// For runs in pairs, where effects of the seed cancel. Of independent runs, if some of them has an
/// event, interval_of_mean_events().
[[nodiscard]] MeanDifference
paired_difference(const ScalarPairs& pairs, SeedValues values, SeedsDraw draw = SeedsDraw::runs);

/// For independent runs. Welch's t: their variances may differ. Widened as interval_of_mean() by
/// the skewness of the difference, as far as the values are known by seed.
[[nodiscard]] MeanDifference unpaired_difference(const RepeatedScalar& base,
                                                 const RepeatedScalar& other);

/// A difference with another error of it, which is independent of the seeds: squares add up. Where
/// there was no interval, it is that of the error alone. p does not fall.
/// error: exceeded in 5 % of cases if it is normal; > 0.
[[nodiscard]] MeanDifference with_error(MeanDifference difference, double error);

}} // namespace bursar::reports
