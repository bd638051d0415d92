#pragma once

#include <string>

#include "models/calibration/validation.hpp"

#include "scenarios/catalog/stacks.hpp"

#include "reports/files/input_files.hpp"

namespace bursar { inline namespace tools {

/// What `bursar model validate` is asked.
struct ValidateQuestion {
    std::string folder; ///< of measurement files, or one file
    InputFiles inputs;  ///< what is read: not to be written over
    std::string rows;   ///< where every row is written; empty: nowhere
    Stacks stacks;
};

/// How wrong the models are; writes the rows where that was asked. Throws as validate_measurements
/// does, and where the file cannot be written.
[[nodiscard]] Validation validate_answer(const ValidateQuestion& question);

}} // namespace bursar::tools
