#include "models/calibration/error_range.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace bursar { inline namespace models {
namespace {

struct Weighted {
    double ratio{};
    double weight{};
};

/// The value below which `share` of the weight lies; each row's weight is centred on it. sorted:
/// ascending, not empty; weights sum to 1.
double weighted_percentile(std::span<const Weighted> sorted, double share) {
    double below = 0; // weight below the centre of the row
    double previous = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const double centre = below + sorted[i].weight / 2;
        if (centre >= share) {
            if (i == 0)
                return sorted[0].ratio;
            const double part = (share - previous) / (centre - previous);
            return sorted[i - 1].ratio + part * (sorted[i].ratio - sorted[i - 1].ratio);
        }
        previous = centre;
        below += sorted[i].weight;
    }
    return sorted.back().ratio;
}

using RatiosBySource = std::map<std::string_view, std::vector<double>>;

/// The range that holds `range_share` of all sources but `left_out`, each with the same weight.
ErrorRange percentiles(const RatiosBySource& by_source, std::string_view left_out) {
    const std::size_t sources = by_source.size() - by_source.count(left_out);
    std::vector<Weighted> sorted;
    for (const auto& [source, ratios] : by_source)
        if (source != left_out)
            for (const double ratio : ratios)
                sorted.push_back({ratio, 1.0 / static_cast<double>(ratios.size() * sources)});
    std::ranges::sort(sorted, {}, &Weighted::ratio);
    constexpr double tail = (1 - range_share) / 2;
    return {std::min(1.0, weighted_percentile(sorted, tail)),
            std::max(1.0, weighted_percentile(sorted, 1 - tail))};
}

ErrorRange widened(const ErrorRange& range, double widening) {
    return {std::pow(range.low, widening), std::pow(range.high, widening)};
}

/// The share of a source's ratios in the range of the others, mean of the sources.
double left_out_coverage(const RatiosBySource& by_source, double widening) {
    double sum = 0;
    for (const auto& [source, ratios] : by_source) {
        const ErrorRange range = widened(percentiles(by_source, source), widening);
        const auto held =
            std::ranges::count_if(ratios, [&](double ratio) { return range.holds(ratio); });
        sum += static_cast<double>(held) / static_cast<double>(ratios.size());
    }
    return sum / static_cast<double>(by_source.size());
}

} // namespace

ErrorRange united(const ErrorRange& one, const ErrorRange& other) {
    return {std::min(one.low, other.low), std::max(one.high, other.high)};
}

ErrorRange range_of_mean_error(double mean_absolute_error) {
    constexpr double errors_in_range = 1.61; // ln 5 of a Laplace error, 1.606 of a normal one
    const double above = 1 + errors_in_range * mean_absolute_error;
    return {1 / above, above};
}

std::optional<LearntRange> learn_range(std::span<const Residual> residuals) {
    if (residuals.empty())
        return std::nullopt;
    std::map<std::string_view, std::vector<double>> by_source;
    for (const Residual& residual : residuals)
        by_source[residual.source].push_back(residual.ratio);
    ErrorRange range = percentiles(by_source, {});
    constexpr std::size_t min_sources = 3;
    constexpr int max_steps = 10; // of widening by a twentieth
    if (by_source.size() >= min_sources)
        for (int step = 0; step <= max_steps; ++step) {
            const double widening = 1 + step / 20.0;
            range = widened(percentiles(by_source, {}), widening);
            if (left_out_coverage(by_source, widening) >= range_share)
                break;
        }
    return LearntRange{range,
                       static_cast<std::int64_t>(residuals.size()),
                       static_cast<std::int64_t>(by_source.size())};
}

}} // namespace bursar::models
