#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/calibration/validation.hpp"

#include "scenarios/measurements/training_case.hpp"

namespace bursar { inline namespace scenarios {

/// Whether constants were fitted on this row, identified by its source and id, not by its file
/// name: on no row of its source, on other rows of its source, or on the row itself.
Tuning tuning_of(std::span<const FittedOn> fitted_on, const TrainingMeasurement& row);

/// The row's prediction by `profile` under the name `method`.
ValidatedRow speed_row(const TrainingCase& measured,
                       const StackProfile& profile,
                       const std::string& method,
                       Tuning tuning);

/// Cases of one kind of stack, whose constants may be fitted together: the same GPU chip, the same
/// family of frameworks, fused attention or not. Each has a speed that a profile can predict.
struct StackFamily {
    std::string name; ///< "Megatron on A100, unfused attention"
    std::vector<const TrainingCase*> cases;
};
std::vector<StackFamily> stack_families(const std::vector<TrainingCase>& cases);

/// Fits constants to a part of a family's rows and adds predictions of the held-out rows:
/// - 40 or more rows of one source, all within a node: fitted on the odd rows, scored on the even
/// - 40 or more other rows of one source: five folds
/// - rows of several sources: fitted jointly, and on all sources but one, scored on that one
/// Skips smaller families.
void validate_refits(const StackFamily& family, Validation& validation);

/// Triples of `rows` rows, each a third of them apart. Row i is in none but the triple
/// i mod (rows / 3), if in any.
[[nodiscard]] std::vector<std::vector<std::size_t>> triples_of(std::size_t rows);

/// What a user gets who calibrates on three rows of a new stack (`bursar model calibrate`): for
/// each source of six or more rows that their profile never saw, each row by that profile
/// calibrated on three rows of which it is none.
void validate_three_rows(const std::vector<TrainingCase>& cases, Validation& validation);

}} // namespace bursar::scenarios
