#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reports/repeats/repeats.hpp"

namespace bursar { inline namespace reports {

/// A scalar in the runs of two that belong together, one with the same seed each, where both have a
/// value.
struct ScalarPairs {
    std::vector<double> base;
    std::vector<double> difference; ///< of the other to it
};

/// Values in the order of the seeds, equally many.
[[nodiscard]] ScalarPairs pairs_of(std::span<const std::optional<double>> base,
                                   std::span<const std::optional<double>> other);

/// How far the mean of a scalar over some runs is from its mean over those of a base.
struct MeanDifference {
    std::uint64_t runs{}; ///< of the fewer; 0: nothing is known, and nothing below means anything
    double base{};        ///< mean
    double mean{};        ///< the difference to it
    std::optional<double> ci_low;  ///< 95 % interval of the difference; absent where one of them
                                   ///< has one run alone
    std::optional<double> ci_high; ///< likewise
};

/// Of runs in pairs: what a seed does to both cancels out. Student's t over the differences.
[[nodiscard]] MeanDifference paired_difference(const ScalarPairs& pairs);

/// Of runs that have nothing to do with each other. Welch's t: their spreads may differ.
[[nodiscard]] MeanDifference unpaired_difference(const RepeatedScalar& base,
                                                 const RepeatedScalar& other);

}} // namespace bursar::reports
