#include "models/calibration/validation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
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

std::vector<ValidationGroup> grouped(const std::vector<ValidatedRow>& rows) {
    using Key = std::tuple<std::string, std::string, std::string, std::string, std::string, Tuning>;
    std::map<Key, std::size_t> places;
    std::vector<ValidationGroup> groups;
    std::vector<std::vector<Prediction>> predictions;
    for (const ValidatedRow& row : rows) {
        const Key key{row.file, row.framework, row.gpu, row.quantity, row.profile, row.tuning};
        const auto [found, added] = places.emplace(key, groups.size());
        if (added) {
            groups.push_back(
                {row.file, row.framework, row.gpu, row.quantity, row.profile, row.tuning, 0, {}});
            predictions.emplace_back();
        }
        ++groups[found->second].n;
        if (row.predicted)
            predictions[found->second].push_back({*row.predicted, row.measured});
    }
    for (std::size_t i = 0; i < groups.size(); ++i)
        groups[i].error = error_statistics(predictions[i]);
    return groups;
}

}} // namespace bursar::models
