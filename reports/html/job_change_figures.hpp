#pragma once

#include <vector>

#include "reports/compare/comparison.hpp"
#include "reports/html/figure.hpp"

namespace bursar { inline namespace reports {

/// Of each variant for which it is kept, every job's JCT against that in the base.
[[nodiscard]] std::vector<Figure> job_change_figures(const Comparison& comparison);

}} // namespace bursar::reports
