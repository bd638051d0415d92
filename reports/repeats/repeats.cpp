#include "reports/repeats/repeats.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {

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
    const boost::math::students_t student{n - 1};
    const double half_width = boost::math::quantile(student, 0.975) * *out.sd / std::sqrt(n);
    out.ci_low = out.mean - half_width;
    out.ci_high = out.mean + half_width;
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
