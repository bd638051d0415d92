#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/record/metrics.hpp"

#include "reports/metrics/scalar_kind.hpp"

/// The metrics of a result, a row each: what is saved, loaded, summarised, compared and documented
/// follows from these rows.
namespace bursar { inline namespace reports {

/// How a number of Metrics is kept, and how `result.json` has it.
struct StoredNumber {
    /// Absent where it is not known, or its block does not apply to the run.
    std::optional<int128> (*get)(const Metrics& metrics);
    void (*set)(Metrics& metrics, int128 value);
    enum class Form : std::uint8_t {
        count,        ///< a JSON number
        milliseconds, ///< a JSON number, of a run at most
        exact         ///< 128 bits, as a string
    } form;
    bool may_be_null; ///< it may be unknown, or mean nothing without jobs
};

/// A number of Metrics.
struct MetricRow {
    std::string_view name;     ///< under `metrics` in summary.json: "queue_jobs.mean"; empty: kept
                               ///< for what others are computed from it
    std::string_view saved_as; ///< under `metrics` in result.json, in the unit stored; empty:
                               ///< another row saves it
    ScalarKind kind;
    Better better;
    std::string_view meaning; ///< for OUTPUTS.md
    StoredNumber stored;
    /// The stored number in millionths of the unit that is shown; nothing where it means nothing.
    std::optional<int128> (*shown)(int128 stored, const Metrics& metrics);
    bool of_finished{}; ///< it is about the jobs that finished, and follows from which ones did

    /// What summary.json prints, in millionths; nothing: null.
    [[nodiscard]] std::optional<int128> micro(const Metrics& metrics) const {
        const std::optional<int128> value = stored.get(metrics);
        return value ? shown(*value, metrics) : std::nullopt;
    }
};

/// What a distribution counts.
enum class DistributionUnit : std::uint8_t {
    milliseconds, ///< shown in seconds
    millionths,   ///< shown as a plain number
    number        ///< whole, shown as it is
};

/// A distribution over the measured jobs.
struct DistributionRow {
    std::string_view name;     ///< under `metrics` in summary.json, with the unit: "jct_s"
    std::string_view saved_as; ///< under `metrics` in result.json: "jct_ms"
    std::string_view title;    ///< for people: "JCT"
    std::string_view meaning;  ///< for OUTPUTS.md
    Distribution Metrics::*values;
    DistributionUnit unit;
    bool is_bound{}; ///< over all of them, and at most what it would be, had all finished; else
                     ///< over those that finished

    [[nodiscard]] constexpr ScalarKind kind() const {
        return unit == DistributionUnit::milliseconds ? ScalarKind::seconds : ScalarKind::count;
    }
};

/// The one list of metrics, in the order in which every file has them.
using MetricEntry = std::variant<MetricRow, DistributionRow>;
[[nodiscard]] std::span<const MetricEntry> metric_table();

/// One figure of a distribution.
struct DistributionFigure {
    std::string_view name;       ///< "mean", a percentile, "max"
    std::optional<int128> micro; ///< in millionths of the unit shown; absent for no jobs
};

/// Mean, percentiles and maximum, in this order. Percentiles and maximum of times are exact, the
/// rest is rounded half up.
[[nodiscard]] std::vector<DistributionFigure> figures(const DistributionRow& row,
                                                      const Metrics& metrics);

}} // namespace bursar::reports
