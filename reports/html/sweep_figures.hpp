#pragma once

#include <vector>

#include "reports/answer/answer.hpp"
#include "reports/html/figure.hpp"
#include "reports/sweep/sweep_question.hpp"
#include "reports/sweep/sweep_table.hpp"

namespace bursar { inline namespace reports {

/// The charts of a sweep. paid: its table, paid to the common end. answer: to the question.
[[nodiscard]] std::vector<Figure>
sweep_figures(const SweepTable& paid, const SweepQuestion& question, const Answer& answer);

}} // namespace bursar::reports
