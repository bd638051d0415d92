#pragma once

#include <string>

#include "models/reliability/survival.hpp"

namespace bursar { inline namespace scenarios {

/// A survival curve from a CSV file with the columns `time_s` (age in seconds) and
/// `surviving_share` (share of lives that reach it, 0 to 1), one row per age, in order; gzip and
/// zstd are read, too.
///
/// Throws ScenarioError with line and column for a file that cannot be read and for a value that is
/// no number, and with the file for a curve that cannot be one (SurvivalFunction).
SurvivalFunction read_survival_curve(const std::string& path);

}} // namespace bursar::scenarios
