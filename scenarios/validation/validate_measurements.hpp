#pragma once

#include <string>

#include "models/calibration/validation.hpp"

#include "scenarios/measurements/training_case.hpp"

namespace bursar { inline namespace scenarios {

/// Compares the models with every file of measurements in the folder `path`, or with the file
/// `path`. Header and rows of a file decide its kind. An unanswered row is in the result with its
/// reason, and so is a file of the folder that cannot be read. Throws ScenarioError if there is no
/// file, or if the file `path` cannot be read.
Validation validate_measurements(const std::string& path, const KnownWorld& world);

/// The same for one file that has been read.
Validation validate_file(const MeasurementFile& file, const KnownWorld& world);

}} // namespace bursar::scenarios
