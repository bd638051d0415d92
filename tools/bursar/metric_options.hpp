#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/diff/fail_if.hpp"
#include "reports/goal/goal.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace tools {

/// The help of --common-end.
inline constexpr const char* common_end_help =
    "rank by cost.to_common_end instead of cost.total: owned and reserved capacity is paid for to "
    "the latest end of the runs of the same seed";

/// The metrics of --metrics. Throws UsageError for an unknown or repeated one.
[[nodiscard]] std::vector<const ScalarRow*> metrics_of(const std::vector<std::string>& names);

/// The goal of --goal; nothing for an empty text. Throws UsageError if it cannot be read.
[[nodiscard]] std::optional<Goal> goal_of(const std::string& text);

/// The first words of --goal and --fail-if: metrics and their short names.
[[nodiscard]] std::vector<std::string> condition_names();

/// The conditions of --fail-if. Throws UsageError for one that cannot be read.
[[nodiscard]] std::vector<FailIf> fail_ifs_of(const std::vector<std::string>& texts);

}} // namespace bursar::tools
