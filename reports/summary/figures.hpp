#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/record/metrics.hpp"

#include "reports/repeats/repeats.hpp"
#include "reports/result/result.hpp"

namespace bursar {

/// What a distribution counts, and how it is shown.
enum class FigureUnit : std::uint8_t {
    milliseconds, ///< shown in seconds
    millionths,   ///< shown as a plain number
    number        ///< whole, shown as it is
};

/// A distribution of the metrics under its public name.
struct NamedDistribution {
    std::string_view name;  ///< in JSON, with the unit: "jct_s"
    std::string_view title; ///< for people: "JCT"
    Distribution Metrics::*values;
    FigureUnit unit;
};

inline constexpr std::array distributions{
    NamedDistribution{"jct_s", "JCT", &Metrics::jct, FigureUnit::milliseconds},
    NamedDistribution{"wait_s", "wait", &Metrics::wait, FigureUnit::milliseconds},
    NamedDistribution{
        "queued_total_s", "queued in total", &Metrics::queued_total, FigureUnit::milliseconds},
    NamedDistribution{"slowdown", "slowdown", &Metrics::slowdown, FigureUnit::millionths},
    NamedDistribution{
        "bounded_slowdown", "bounded slowdown", &Metrics::bounded_slowdown, FigureUnit::millionths},
    NamedDistribution{"priority_wait_s",
                      "wait of urgent jobs",
                      &Metrics::priority_wait,
                      FigureUnit::milliseconds},
    NamedDistribution{"attempts", "attempts", &Metrics::attempts, FigureUnit::number},
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

/// The scalars of a result that repeats compare: every number of the `cost`, `gpu_hours`, `ratios`
/// and `metrics` of summary.json under its name there, absent where that is null, and what a
/// productive GPU-hour cost.
[[nodiscard]] std::vector<Scalar> scalars(const Result& result);

} // namespace bursar
