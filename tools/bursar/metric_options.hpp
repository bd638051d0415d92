#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/diff/fail_if.hpp"
#include "reports/goal/goal.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace tools {

/// The metrics that --metrics names. Throws UsageError where one is none, or comes twice.
[[nodiscard]] std::vector<const ScalarRow*> metrics_of(const std::vector<std::string>& names);

/// The goal that --goal gives; nothing of an empty text. Throws UsageError where it is none.
[[nodiscard]] std::optional<Goal> goal_of(const std::string& text);

/// What --goal and --fail-if may begin with: metrics, and the short names that conditions know.
[[nodiscard]] std::vector<std::string> condition_names();

/// The changes that --fail-if names. Throws UsageError where one is none.
[[nodiscard]] std::vector<FailIf> fail_ifs_of(const std::vector<std::string>& texts);

}} // namespace bursar::tools
