#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/metrics/scalar_kind.hpp"
#include "reports/repeats/repeats.hpp"

namespace bursar { inline namespace reports {

struct Result;

/// The description of a scalar.
struct ScalarRow {
    std::string name; ///< as in summary.json: "metrics.jct_s.p99"
    ScalarKind kind;
    Better better;
    std::string family;  ///< its row in OUTPUTS.md: "metrics.jct_s.FIGURE"
    std::string meaning; ///< in that row
    bool of_finished{};  ///< depends on which jobs finished: comparable only between runs in which
                         ///< the same jobs finished
};

/// Every scalar, in the order in which all files have them: the numbers of the `cost`, `gpu_hours`,
/// `ratios` and `metrics` of summary.json, and what a productive GPU-hour cost.
[[nodiscard]] std::span<const ScalarRow> scalar_table();

/// The scalar of that name, or nullptr.
[[nodiscard]] const ScalarRow* find_scalar(std::string_view name);

/// Events: failures of nodes, nodes taken back, stops by budgets.
[[nodiscard]] SeedValues seed_values(const ScalarRow& scalar);

/// Whether all measured jobs finished, in every run.
[[nodiscard]] bool all_jobs_finished(const Repeats& repeats);

/// The scalars of a result, one per row of the table; absent where summary.json has null.
[[nodiscard]] std::vector<Scalar> scalars(const Result& result);

/// The values alone.
[[nodiscard]] std::vector<std::optional<double>> scalar_values(const Result& result);

/// The short name of a scalar, without "metrics." and "_s": "wait.p90" of "metrics.wait_s.p90".
[[nodiscard]] std::string metric_name(const ScalarRow& metric);

/// The short name of every scalar.
[[nodiscard]] std::vector<std::string> metric_names();

/// The scalar with that name or short name; null: none.
[[nodiscard]] const ScalarRow* find_metric(std::string_view name);

}} // namespace bursar::reports
