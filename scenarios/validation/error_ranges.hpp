#pragma once

#include <vector>

#include "models/calibration/validation.hpp"

#include "scenarios/catalog/step_errors.hpp"

namespace bursar { inline namespace scenarios {

/// What the stacks were measured on, and the 80 % range of each distance, learnt from the rows of a
/// validation. A row counts with a prediction that its source had no part in where there is one:
/// by the shipped profile if it was not fitted on the row, else by a refit without the row or its
/// source; else by the shipped profile. Distances without a row have no range.
[[nodiscard]] StepErrors learn_step_errors(const std::vector<ValidatedRow>& rows);

/// Sets distance and range of the rows by `errors`, and the validation's coverage.
void add_ranges(Validation& validation, const StepErrors& errors);

}} // namespace bursar::scenarios
