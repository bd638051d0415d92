#pragma once

#include <cstddef>
#include <span>

namespace bursar { inline namespace models {

/// A prediction and a measurement, in the same unit; measured: > 0.
struct Prediction {
    double predicted{};
    double measured{};

    /// (predicted - measured) / measured: 0.1 is 10 % too much.
    [[nodiscard]] double relative_error() const { return predicted / measured - 1.0; }
};

/// Errors of a set of predictions. All are fractions of the measured value; all are 0 for an
/// empty set.
struct ErrorStatistics {
    std::size_t n{};
    double mape{};           ///< mean of the absolute relative errors
    double median{};         ///< of the absolute relative errors
    double p90{};            ///< their 90th percentile
    double max{};            ///< the largest of them
    double bias{};           ///< mean of the signed relative errors: above 0 predicts too much
    double mean_log_error{}; ///< mean of |ln(predicted / measured)|: the same for 2x and 1/2
};

/// Percentiles interpolate linearly between order statistics (Hyndman and Fan 1996, type 7).
ErrorStatistics error_statistics(std::span<const Prediction> predictions);

}} // namespace bursar::models
