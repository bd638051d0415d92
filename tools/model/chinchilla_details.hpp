#pragma once

#include "reports/answer/answer.hpp"

#include "tools/model/chinchilla_answer.hpp"

namespace bursar { inline namespace tools {

/// Adds what the run costs or becomes under the circumstances that were given: repeated data,
/// experts, steps, serving, GPU hours. The question has a run.
void add_circumstances(Answer& answer, const ChinchillaQuestion& question);

/// Adds how well the surface describes the runs it was fitted to, and its intervals.
void add_fit(Answer& answer, const FittedRuns& fitted);

}} // namespace bursar::tools
