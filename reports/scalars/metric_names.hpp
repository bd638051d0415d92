#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

/// The short name of a scalar, without "metrics." and "_s": "wait.p90" of "metrics.wait_s.p90".
[[nodiscard]] std::string metric_name(const ScalarRow& metric);

/// The short name of every scalar.
[[nodiscard]] std::vector<std::string> metric_names();

/// The scalar that a name means: its own, or the short one. Null: none.
[[nodiscard]] const ScalarRow* find_metric(std::string_view name);

}} // namespace bursar::reports
