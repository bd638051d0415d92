#pragma once

#include <string>

#include "models/calibration/validation.hpp"

#include "scenarios/measurements/training_case.hpp"

namespace bursar { inline namespace scenarios {

/// Holds the models against every file of measurements in the folder `path`, or against the file
/// `path`. What is done with a file follows from its header and rows. A row that cannot be answered
/// is in the result with its reason, and so is a file of the folder that cannot be read. Throws
/// ScenarioError when there is no file to read, or the one asked for cannot be.
Validation validate_measurements(const std::string& path, const KnownWorld& world);

/// The same of one file that has been read.
Validation validate_file(const MeasurementFile& file, const KnownWorld& world);

}} // namespace bursar::scenarios
