#pragma once

#include <string>

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/measurements/calibration.hpp"

#include "reports/answer/answer.hpp"
#include "reports/files/input_files.hpp"

namespace bursar { inline namespace tools {

/// What `bursar model calibrate` is asked.
struct CalibrateQuestion {
    CalibrationRequest request;
    Stacks stacks;     ///< to start from
    InputFiles inputs; ///< what is read: not to be written over
    std::string out;   ///< where the profile is written; empty: nowhere
};

/// Fits the profile, writes it where that was asked, and says what was fitted and how wrong it is.
/// Throws as calibrate does, and where the file cannot be written.
[[nodiscard]] Answer calibrate_answer(const CalibrateQuestion& question);

}} // namespace bursar::tools
