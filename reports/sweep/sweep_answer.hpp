#pragma once

#include "reports/answer/answer.hpp"
#include "reports/sweep/sweep_question.hpp"
#include "reports/sweep/sweep_table.hpp"

namespace bursar { inline namespace reports {

/// What a planner reads of a sweep first: the best scenarios, those that no other beats in both of
/// two metrics, which axis moves which metric how much, which scenario meets the goal for the
/// least, and how far seeds scatter. Means are over seeds; everything is paid to the common end
/// (paid_to_common_end). table: paid to each run's own end.
[[nodiscard]] Answer sweep_answer(const SweepTable& table, const SweepQuestion& question);

}} // namespace bursar::reports
