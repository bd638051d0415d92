#pragma once

#include <optional>

#include "reports/html/figure.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Where GPU time went over time, by leaf group. Absent where cells are not divided by time.
[[nodiscard]] std::optional<Figure> leaves_over_time(const Result& result);

}} // namespace bursar::reports
