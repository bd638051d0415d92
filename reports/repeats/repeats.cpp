#include "reports/repeats/repeats.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>

#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr double rounding = 5e-7; // scalars are written in millionths

} // namespace

MeanInterval student_interval(const MeanEstimate& estimate) {
    const auto& [mean, error, degrees, widening] = estimate;
    if (error == 0)
        return {mean, mean, mean == 0 ? 1.0 : 0.0};
    const boost::math::students_t student{degrees};
    const double quantile = boost::math::quantile(student, 0.975);
    const double wider = 1 + widening / quantile;
    const double half_width = quantile * wider * error;
    return {mean - half_width,
            mean + half_width,
            2 * boost::math::cdf(boost::math::complement(student, std::abs(mean) / error / wider))};
}

MeanInterval
student_interval(std::span<const double> values, double widening, double more_squares) {
    assert(values.size() >= 2);
    const auto n = static_cast<double>(values.size());
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    const double mean =
        std::clamp(std::accumulate(values.begin(), values.end(), 0.0) / n, *min, *max);
    double squares = 0;
    double cubes = 0;
    for (const double value : values) {
        const double from_mean = value - mean;
        squares += from_mean * from_mean;
        cubes += from_mean * from_mean * from_mean;
    }
    const double error = std::sqrt((squares + more_squares) / (n - 1) / n);
    double skewness = 0;
    if (n > 2 && widening > 0 && squares > 0)
        skewness = cubes / n / std::pow(squares / n, 1.5) * std::sqrt(n * (n - 1)) / (n - 2);
    return student_interval({mean, error, n - 1, widening * skewness * skewness / n});
}

std::optional<PredictionInterval> prediction_interval(const RepeatedScalar& scalar) {
    if (scalar.n < 2)
        return std::nullopt;
    std::vector<double> logs;
    for (const std::optional<double>& value : scalar.by_seed)
        if (value && *value > 0)
            logs.push_back(std::log(*value));
    const auto n = static_cast<double>(scalar.n);
    const double reach =
        boost::math::quantile(boost::math::students_t{n - 1}, 0.975) * std::sqrt(1 + 1 / n);
    if (logs.size() < scalar.n)
        return PredictionInterval{std::max(scalar.mean - reach * *scalar.sd,
                                           std::min(scalar.min, 0.0)), // no wait is below 0
                                  scalar.mean + reach * *scalar.sd};
    const RepeatedScalar of_logs = over_runs({}, logs);
    return PredictionInterval{std::exp(of_logs.mean - reach * *of_logs.sd),
                              std::exp(of_logs.mean + reach * *of_logs.sd)};
}

MeanInterval interval_of_mean(std::span<const double> values) {
    return student_interval(values, usual_widening);
}

std::optional<MeanInterval> interval_of_draws(std::span<const double> values) {
    if (values.size() < least_draws)
        return std::nullopt;
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const auto n = static_cast<double>(sorted.size());
    const auto quantile = [&](double q) {
        const double place = q * (n + 1) - 1; // from 0; inside, as there are least_draws
        const auto below = static_cast<std::size_t>(place);
        return std::lerp(sorted[below], sorted[below + 1], place - std::floor(place));
    };
    const auto at_most = std::ranges::count_if(sorted, [](double value) { return value <= 0; });
    const auto at_least = std::ranges::count_if(sorted, [](double value) { return value >= 0; });
    const double rarer = static_cast<double>(std::min(at_most, at_least)) + 1;
    return MeanInterval{quantile(0.025), quantile(0.975), std::min(1.0, 2 * rarer / (n + 1))};
}

MeanInterval interval_of_mean_events(std::span<const double> differences) {
    return student_interval(differences, usual_widening, 2);
}

std::uint64_t deciding_seeds(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    if (sorted.empty()) // more than half are equal only if the middle one is among them
        return 0;
    const double middle = sorted[sorted.size() / 2];
    const auto others = static_cast<std::uint64_t>(std::ranges::count_if(
        sorted, [&](double value) { return std::abs(value - middle) > rounding; }));
    return others < 5 && 2 * others < sorted.size() ? others : 0;
}

std::uint64_t deciding_seeds(const RepeatedScalar& scalar) {
    std::vector<double> values;
    for (const std::optional<double>& value : scalar.by_seed)
        if (value)
            values.push_back(*value);
    return deciding_seeds(values);
}

std::string deciding_seeds_mark(std::uint64_t seeds) {
    return seeds == 0 ? std::string{} : fmt::format(" ({} seed{})", seeds, seeds == 1 ? "" : "s");
}

std::string few_seeds_note(std::uint64_t seeds) {
    return fmt::format(
        "intervals of {} seeds are often too narrow; --seeds {} or more", seeds, enough_seeds);
}

std::string_view interval_title(std::uint64_t seeds) {
    return seeds < enough_seeds ? "95 % interval (few seeds)" : "95 % interval";
}

RepeatedScalar over_runs(std::string name, std::span<const double> values) {
    RepeatedScalar out;
    out.name = std::move(name);
    out.n = values.size();
    if (values.empty())
        return out;
    const auto n = static_cast<double>(values.size());
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    out.min = *min;
    out.max = *max;
    // Clamped: the rounded mean of equal values must not lie outside them.
    out.mean = std::clamp(std::accumulate(values.begin(), values.end(), 0.0) / n, *min, *max);
    if (values.size() < 2)
        return out;
    double squares = 0;
    for (const double value : values)
        squares += (value - out.mean) * (value - out.mean);
    out.sd = std::sqrt(squares / (n - 1));
    const MeanInterval interval = interval_of_mean(values);
    out.ci_low = interval.low;
    out.ci_high = interval.high;
    return out;
}

Repeats repeats_over(std::span<const std::vector<Scalar>> runs) {
    assert(!runs.empty());
    Repeats out;
    out.n = runs.size();
    for (std::size_t i = 0; i < runs.front().size(); ++i) {
        std::vector<double> values;
        for (const std::vector<Scalar>& run : runs) {
            assert(run[i].name == runs.front()[i].name);
            if (run[i].value)
                values.push_back(*run[i].value);
        }
        RepeatedScalar& scalar = out.scalars.emplace_back(over_runs(runs.front()[i].name, values));
        for (const std::vector<Scalar>& run : runs)
            scalar.by_seed.push_back(run[i].value);
    }
    return out;
}

Repeats over_draws(Repeats repeats) {
    for (RepeatedScalar& scalar : repeats.scalars) {
        scalar.ci_low.reset();
        scalar.ci_high.reset();
    }
    return repeats;
}

void write_statistics(const RepeatedScalar& scalar, JsonWriter& json) {
    const auto if_any = [&](double value) {
        return scalar.n > 0 ? std::optional{value} : std::nullopt;
    };
    json.integer("n", scalar.n);
    json.number_or_null("mean", if_any(scalar.mean));
    json.number_or_null("sd", scalar.sd);
    json.number_or_null("min", if_any(scalar.min));
    json.number_or_null("max", if_any(scalar.max));
    json.number_or_null("ci95_low", scalar.ci_low);
    json.number_or_null("ci95_high", scalar.ci_high);
}

}} // namespace bursar::reports
