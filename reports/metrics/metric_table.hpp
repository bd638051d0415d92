#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/record/metrics.hpp"

#include "reports/metrics/scalar_kind.hpp"

/// The metrics of a result, one row each. Saving, loading, summaries, comparisons and documentation
/// follow from these rows.
namespace bursar { inline namespace reports {

/// How a number is stored in Metrics and in `result.json`.
struct StoredNumber {
    /// Absent where it is not known, or its block does not apply to the run.
    std::optional<int128> (*get)(const Metrics& metrics);
    void (*set)(Metrics& metrics, int128 value);
    enum class Form : std::uint8_t {
        count,        ///< a JSON number
        milliseconds, ///< a JSON number
        exact         ///< 128 bits, as a string
    } form;
    bool may_be_null; ///< it may be unknown, or undefined without jobs
};

/// A number of Metrics.
struct MetricRow {
    std::string_view name;     ///< under `metrics` in summary.json: "queue_jobs.mean"; empty: not
                               ///< shown, others are computed from it
    std::string_view saved_as; ///< under `metrics` in result.json, in the unit stored; empty:
                               ///< another row saves it
    ScalarKind kind;
    Better better;
    std::string_view meaning; ///< for OUTPUTS.md
    StoredNumber stored;
    /// The stored number in millionths of the unit that is shown; absent where it is undefined.
    std::optional<int128> (*shown)(int128 stored, const Metrics& metrics);
    bool of_finished{}; ///< over finished jobs, so it depends on which jobs finished

    /// The number in summary.json, in millionths; absent: null.
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
    std::string_view title;    ///< for readers: "JCT"
    std::string_view meaning;  ///< for OUTPUTS.md
    Distribution Metrics::*values;
    DistributionUnit unit;
    bool is_bound{}; ///< a lower bound over all measured jobs; else over finished jobs

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
