#pragma once

#include <optional>

#include "reports/answer/answer.hpp"
#include "reports/compare/compare_question.hpp"
#include "reports/compare/comparison.hpp"

namespace bursar { inline namespace reports {

/// The cheapest variant that meets the goal, and the last before it, which does not; nothing where
/// no goal was given.
[[nodiscard]] std::optional<AnswerSection> compare_goal(const Comparison& comparison,
                                                        const CompareQuestion& question);

}} // namespace bursar::reports
