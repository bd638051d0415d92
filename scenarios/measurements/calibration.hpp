#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/calibration/fit_profile.hpp"
#include "models/calibration/validation.hpp"
#include "models/training/job/stack_profile.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/measurements/training_case.hpp"

namespace bursar { inline namespace scenarios {

/// The rows that a calibration holds out for its test.
enum class HoldOut : std::uint8_t {
    even_rows, ///< fits on the odd rows of each source, tests on the even ones
    folds,     ///< fits on all rows; tests each fifth by a fit on the others
    each_row   ///< fits on all rows; tests each by a fit on the others
};

struct CalibrationRequest {
    std::vector<std::string> files;
    std::vector<std::string> frameworks; ///< only rows whose framework contains one of these texts;
                                         ///< empty: all rows
    std::string start; ///< profile to start from, which the fit is pulled to; empty: the nearest to
                       ///< the first row
    std::vector<std::string> free;        ///< constants to fit; empty: those that the rows
                                          ///< determine
    HoldOut hold_out{HoldOut::even_rows}; ///< each_row if there are few rows
};

/// An unused row and the reason.
struct UnusedRow {
    std::string id;
    std::string why;
    Place place;
};

/// A held-out row with its predictions.
struct LeftOutRow {
    std::string id;
    Seconds measured{};
    Seconds start{};     ///< by the starting profile
    Seconds predicted{}; ///< by a profile fitted without this row

    [[nodiscard]] double error() const { return predicted / measured - 1; }
};

struct Calibration {
    StackProfile start;
    StackProfile
        profile;        ///< fitted_on names the rows it saw, held_out_error its error on the others
    HoldOut hold_out{}; ///< the one that was used
    std::vector<std::string> free;
    std::vector<std::string> at_bound;
    ErrorStatistics before; ///< of `start`, on the test rows
    ErrorStatistics fitted; ///< of rows the profile was fitted on
    ErrorStatistics test;   ///< of `left_out`
    std::vector<LeftOutRow> left_out;
    std::vector<UnusedRow> unused;
};

/// The constants that a calibration from `start` fits to `seen`: those that the rows determine
/// most, one for two rows, at least 3 and at most 14.
[[nodiscard]] std::vector<std::string> calibrated_constants(std::span<const StepObservation> seen,
                                                            const StackProfile& start);

/// Fits a stack profile to the measured steps in `request.files`, three or more.
///
/// Throws ScenarioError for files that cannot be read or hold no training rows, for too few usable
/// rows (with the reason of each other row at its line) and for an unknown profile; ModelError for
/// unknown constants.
Calibration calibrate(const CalibrationRequest& request, const KnownWorld& world);

}} // namespace bursar::scenarios
