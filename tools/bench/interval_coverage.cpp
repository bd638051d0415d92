// How often intervals over few seeds hold the mean over many: draws 5, 10 and 20 runs of a saved
// comparison with hundreds of seeds, again and again, and counts. One line per main metric, with
// Student's intervals, those of reports, and those of 10 seeds that reports don't mark:
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
constexpr std::size_t num_draws = 2000;

/// How often intervals over some number of seeds hold the mean.
struct Counts {
    std::size_t student{}; ///< draws in which Student's interval holds it
    std::size_t reported{};
    std::size_t marked{}; ///< draws whose interval is marked as decided by few seeds
    std::size_t unmarked_holds{};

    [[nodiscard]] double unmarked_share() const {
        return marked < num_draws
                   ? static_cast<double>(unmarked_holds) / static_cast<double>(num_draws - marked)
                   : 1;
    }
};
using Coverage = std::array<Counts, sizes.size()>; ///< of one series

Coverage coverage_of(std::vector<double> values, bool are_events) {
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    std::mt19937_64 random{20171002};
    Coverage out{};
    for (std::size_t size = 0; size < sizes.size(); ++size)
        for (std::size_t draw = 0; draw < num_draws; ++draw) {
            for (std::size_t i = 0; i < sizes[size]; ++i) // without replacement
                std::swap(values[i], values[i + random() % (values.size() - i)]);
            const std::span<const double> drawn = std::span{values}.first(sizes[size]);
            const auto holds = [&](const MeanInterval& interval) {
                return interval.low <= mean && mean <= interval.high;
            };
            const bool reported_holds =
                holds(are_events ? interval_of_mean_events(drawn) : interval_of_mean(drawn));
            const bool is_marked = !are_events && deciding_seeds(drawn) > 0;
            out[size].student += holds(student_interval(drawn, 0)) ? 1 : 0;
            out[size].reported += reported_holds ? 1 : 0;
            out[size].marked += is_marked ? 1 : 0;
            out[size].unmarked_holds += reported_holds && !is_marked ? 1 : 0;
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
                        by_metric[scalars[scalar].name].push_back(coverage_of(
                            values, variant > 0 && scalars[scalar].name.starts_with("events.")));
    }
    fmt::print("| metric | series | Student's t, 5 seeds | 10 | 20 | reported, 5 seeds | 10 | 20 | "
               "marked at 10 | not marked |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (const MainScalar& metric : main_scalars) {
        const auto found = by_metric.find(std::string{metric.name});
        if (found == by_metric.end())
            continue;
        fmt::print("| {} | {} |", metric.title, found->second.size());
        const auto print_average = [&](auto share) {
            double sum = 0;
            double least = 1;
            for (const Coverage& one : found->second) {
                sum += share(one);
                least = std::min(least, share(one));
            }
            fmt::print(" {:.0f} ({:.0f}) |",
                       100 * sum / static_cast<double>(found->second.size()),
                       100 * least);
        };
        for (const auto count : {&Counts::student, &Counts::reported})
            for (std::size_t size = 0; size < sizes.size(); ++size)
                print_average([&](const Coverage& one) {
                    return static_cast<double>(one[size].*count) / num_draws;
                });
        std::size_t marked = 0;
        for (const Coverage& one : found->second)
            marked += one[1].marked;
        fmt::print(" {:.0f} |",
                   100.0 * static_cast<double>(marked) / num_draws /
                       static_cast<double>(found->second.size()));
        print_average([](const Coverage& one) { return one[1].unmarked_share(); });
        fmt::print("\n");
    }
    return by_metric.empty() ? 1 : 0;
}
