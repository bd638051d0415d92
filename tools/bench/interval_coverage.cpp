// How often intervals over few seeds hold the mean over many: draws 5, 10 and 20 runs of a saved
// comparison with hundreds of seeds, again and again, and counts. One line per main metric:
//
//     bursar compare S --vary PATH=A,B --seeds 400 --format result > c.json
//     interval_coverage c.json [more.json ...]

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/compare/saved_comparison.hpp"
#include "reports/repeats/mean_difference.hpp"
#include "reports/repeats/repeats.hpp"
#include "reports/scalars/main_scalars.hpp"

namespace {

using namespace bursar;

constexpr std::array<std::size_t, 3> sizes{5, 10, 20};
constexpr std::array<double, 2> widenings{0, usual_widening}; // Student's t; interval_of_mean()
constexpr std::size_t num_draws = 2000;

/// Shares of draws in which the interval holds the mean: by widening and size.
using Coverage = std::array<std::array<double, sizes.size()>, widenings.size()>;

Coverage coverage_of(std::vector<double> values) {
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    std::mt19937_64 random{20171002};
    Coverage out{};
    for (std::size_t size = 0; size < sizes.size(); ++size)
        for (std::size_t draw = 0; draw < num_draws; ++draw) {
            for (std::size_t i = 0; i < sizes[size]; ++i) // without replacement
                std::swap(values[i], values[i + random() % (values.size() - i)]);
            for (std::size_t k = 0; k < widenings.size(); ++k) {
                const MeanInterval interval =
                    student_interval(std::span{values}.first(sizes[size]), widenings[k]);
                if (interval.low <= mean && mean <= interval.high)
                    out[k][size] += 1.0 / num_draws;
            }
        }
    return out;
}

/// The values of the runs that differ, or of their differences to the base's; none where all are
/// equal, or some run has no value.
std::vector<double>
series_of(const Comparison& comparison, std::size_t variant, std::size_t scalar) {
    const auto& base = comparison.variants.front().values.scalars[scalar].by_seed;
    const auto& own = comparison.variants[variant].values.scalars[scalar].by_seed;
    std::vector<double> values;
    for (std::size_t run = 0; run < own.size(); ++run) {
        if (!own[run] || !base[run])
            return {};
        values.push_back(variant == 0 ? *own[run] : *own[run] - *base[run]);
    }
    const bool varies =
        std::ranges::adjacent_find(values, std::ranges::not_equal_to{}) != values.end();
    return varies && values.size() > 2 * sizes.back() ? values : std::vector<double>{};
}

} // namespace

int main(int argc, char** argv) {
    std::map<std::string, std::vector<Coverage>> by_metric;
    for (int i = 1; i < argc; ++i) {
        const Comparison comparison = load_comparison(argv[i]).comparison;
        const auto& scalars = comparison.variants.front().values.scalars;
        for (std::size_t scalar = 0; scalar < scalars.size(); ++scalar)
            for (std::size_t variant = 0; variant < comparison.variants.size(); ++variant)
                if (std::ranges::find(main_scalars, scalars[scalar].name, &MainScalar::name) !=
                    main_scalars.end())
                    if (const auto values = series_of(comparison, variant, scalar); !values.empty())
                        by_metric[scalars[scalar].name].push_back(coverage_of(values));
    }
    fmt::print("| metric | series | Student's t, 5 seeds | 10 | 20 | widened, 5 seeds | 10 | 20 |\n"
               "|---|---|---|---|---|---|---|---|\n");
    for (const MainScalar& metric : main_scalars) {
        const auto found = by_metric.find(std::string{metric.name});
        if (found == by_metric.end())
            continue;
        fmt::print("| {} | {} |", metric.title, found->second.size());
        for (std::size_t k = 0; k < widenings.size(); ++k)
            for (std::size_t size = 0; size < sizes.size(); ++size) {
                double sum = 0;
                double least = 1;
                for (const Coverage& one : found->second) {
                    sum += one[k][size];
                    least = std::min(least, one[k][size]);
                }
                fmt::print(" {:.0f} ({:.0f}) |",
                           100 * sum / static_cast<double>(found->second.size()),
                           100 * least);
            }
        fmt::print("\n");
    }
    return by_metric.empty() ? 1 : 0;
}
