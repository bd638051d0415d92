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

/// What is known of a scalar before there is a result.
struct ScalarRow {
    std::string name; ///< as in summary.json: "metrics.jct_s.p99"
    ScalarKind kind;
    Better better;
    std::string family;  ///< what OUTPUTS.md describes it under: "metrics.jct_s.FIGURE"
    std::string meaning; ///< there
    bool of_finished{};  ///< follows from which jobs finished: runs in which other ones did do not
                         ///< compare
};

/// Every scalar, in the order in which all files have them: the numbers of the `cost`, `gpu_hours`,
/// `ratios` and `metrics` of summary.json, and what a productive GPU-hour cost.
[[nodiscard]] std::span<const ScalarRow> scalar_table();

/// The scalar of that name, or nullptr.
[[nodiscard]] const ScalarRow* find_scalar(std::string_view name);

/// Whether no job that was measured is unfinished, in any of the runs.
[[nodiscard]] bool all_jobs_finished(const Repeats& repeats);

/// The scalars of a result, one per row of the table; absent where summary.json has null.
[[nodiscard]] std::vector<Scalar> scalars(const Result& result);

/// Their values alone.
[[nodiscard]] std::vector<std::optional<double>> scalar_values(const Result& result);

}} // namespace bursar::reports
