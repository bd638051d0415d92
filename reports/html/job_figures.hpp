#pragma once

#include <vector>

#include "reports/html/figure.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// The jobs that cost most, and when they waited and ran.
[[nodiscard]] std::vector<Figure> job_figures(const Result& result);

}} // namespace bursar::reports
