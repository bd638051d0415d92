#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/record/metrics.hpp"

#include "reports/repeats/repeats.hpp"
#include "reports/result/result.hpp"

namespace bursar {

/// A distribution of the metrics under its public name.
struct NamedDistribution {
    std::string_view name;  ///< in JSON, with the unit: "jct_s"
    std::string_view title; ///< for people: "JCT"
    Distribution Metrics::*values;
    bool is_time; ///< milliseconds, shown in seconds; otherwise millionths, shown as a plain number
};

inline constexpr std::array distributions{
    NamedDistribution{"jct_s", "JCT", &Metrics::jct, true},
    NamedDistribution{"wait_s", "wait", &Metrics::wait, true},
    NamedDistribution{"queued_total_s", "queued in total", &Metrics::queued_total, true},
    NamedDistribution{"slowdown", "slowdown", &Metrics::slowdown, false},
    NamedDistribution{"bounded_slowdown", "bounded slowdown", &Metrics::bounded_slowdown, false},
};

/// One figure of a distribution in millionths of its shown unit; percentiles and max of times are
/// exact, the rest is rounded half up.
struct PrintedFigure {
    std::string_view name; ///< mean, p50, p90, p99 or max
    int128 micro{};
};

/// The figures of a distribution, in the order mean, p50, p90, p99, max; nothing if it is empty.
[[nodiscard]] std::optional<std::array<PrintedFigure, 5>>
figures(const NamedDistribution& distribution, const Metrics& metrics);

inline constexpr std::array<std::string_view, 5> figure_names{"mean", "p50", "p90", "p99", "max"};

/// The scalars of a result that repeats compare, named as in summary.json.
[[nodiscard]] std::vector<Scalar> scalars(const Result& result);

} // namespace bursar
