#pragma once

#include <vector>

#include "reports/html/figure.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// How waits, JCTs and slowdowns of the measured jobs that finished are spread, by tenant and by
/// size of gang: counts are exact at each point of a curve, and percentiles are those of metrics.
[[nodiscard]] std::vector<Figure> felt_figures(const Result& result);

/// Where jobs waited by size of gang, and why.
[[nodiscard]] std::vector<Figure> waiting_figures(const Result& result);

/// Sizes of gangs that are shown together: "1 GPU", "2 to 4 GPUs".
inline constexpr std::size_t num_gang_classes = 6;
[[nodiscard]] std::size_t gang_class(std::int64_t gpus);
[[nodiscard]] std::string_view gang_class_title(std::size_t gang_class);

}} // namespace bursar::reports
