#pragma once

#include <vector>

#include "reports/html/figure.hpp"
#include "reports/html/time_bins.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What GPUs did over time, how busy each pool was, and what an hour and a GPU-hour cost. Empty
/// without a timeline.
[[nodiscard]] std::vector<Figure> fleet_figures(const Result& result, const TimeBins& time);

/// How long the queue was over time, and how old where it was.
[[nodiscard]] std::vector<Figure> queue_figures(const Result& result, const TimeBins& time);

}} // namespace bursar::reports
