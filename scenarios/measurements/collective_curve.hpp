#pragma once

#include <string>

#include "models/network/measured_curve.hpp"

namespace bursar { inline namespace scenarios {

/// A user's own measurements of one collective over one group: a CSV file with the columns `bytes`
/// (the size nccl-tests prints) and `time_us` in any order, others ignored, one row per size,
/// growing; gzip and zstd too. Throws ScenarioError with the line at fault.
MeasuredCurve read_collective_curve(const std::string& path);

}} // namespace bursar::scenarios
