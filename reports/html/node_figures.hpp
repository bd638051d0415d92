#pragma once

#include <optional>

#include "reports/html/figure.hpp"
#include "reports/html/time_bins.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Which nodes jobs held, and when: job by job where there are few of both, else as shares of nodes
/// or of groups of them over bins of time. Absent where no nodes of attempts are known.
[[nodiscard]] std::optional<Figure> nodes_over_time(const Result& result, const TimeBins& time);

/// Why nodes_over_time has nothing to draw, as a sentence; empty where it has, or where no job ever
/// ran.
[[nodiscard]] std::string why_no_nodes(const Result& result);

}} // namespace bursar::reports
