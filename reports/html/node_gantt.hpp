#pragma once

#include <optional>

#include "reports/html/figure.hpp"
#include "reports/html/node_time.hpp"
#include "reports/html/time_bins.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Nodes with what held each of their GPUs, attempt by attempt. Absent where there are too many of
/// either to be told apart, and where jobs share GPUs. nodes: of the result.
[[nodiscard]] std::optional<Figure> node_gantt(const Result& result,
                                               const TimeBins& time,
                                               const NodeTime& nodes,
                                               const ChartTitle& title);

}} // namespace bursar::reports
