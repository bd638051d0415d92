#include "models/calibration/error_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bursar { inline namespace models {
namespace {

/// sorted: ascending, not empty. share: 0..1.
double percentile(std::span<const double> sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    if (below + 1 == sorted.size())
        return sorted.back();
    return sorted[below] +
           (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

} // namespace

ErrorStatistics error_statistics(std::span<const Prediction> predictions) {
    ErrorStatistics result;
    if (predictions.empty())
        return result;
    std::vector<double> absolute;
    absolute.reserve(predictions.size());
    for (const Prediction& prediction : predictions) {
        const double error = prediction.relative_error();
        absolute.push_back(std::abs(error));
        result.mape += std::abs(error);
        result.bias += error;
        result.mean_log_error += std::abs(std::log(prediction.predicted / prediction.measured));
    }
    const auto n = static_cast<double>(predictions.size());
    result.n = predictions.size();
    result.mape /= n;
    result.bias /= n;
    result.mean_log_error /= n;
    std::sort(absolute.begin(), absolute.end());
    result.median = percentile(absolute, 0.5);
    result.p90 = percentile(absolute, 0.9);
    result.max = absolute.back();
    return result;
}

}} // namespace bursar::models
