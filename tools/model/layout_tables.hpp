#pragma once

#include <string>
#include <vector>

#include "models/training/search/layout_budget.hpp"

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace tools {

/// A layout with its step and memory, as columns of a table and as cells of one row.
[[nodiscard]] const std::vector<AnswerColumn>& layout_columns();
[[nodiscard]] std::vector<AnswerCell> layout_cells(const RankedLayout& ranked);

/// Of a GPU-hour.
[[nodiscard]] double usd(MoneyRate price);

/// A table of layouts, fastest first, with their times, rates and memory; and money, where `price`
/// is known. tokens_per_step: > 0.
AnswerTable layout_table(const std::string& key,
                         const std::string& title,
                         const std::vector<RankedLayout>& layouts,
                         double tokens_per_step,
                         std::optional<MoneyRate> price);

/// What a step under the best layout is made of.
AnswerSection best_section(const StepTime& step);

/// What a search looked at, under the key "search".
AnswerSection search_section(std::int64_t evaluated, std::int64_t by_rule, std::int64_t by_memory);

/// A table of plans; `options` gives the names of their GPUs.
AnswerTable plan_table(const std::string& key,
                       const std::string& title,
                       const std::vector<FleetPlan>& plans,
                       const std::vector<FleetOption>& options,
                       const TrainingGoal& goal);

}} // namespace bursar::tools
