#pragma once

#include <string>
#include <vector>

#include "models/scaling/surface_fit.hpp"

#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// Training runs for fitting a loss surface, from a CSV file (plain, gzip or zstd). Its header
/// names `params`, `loss` and `tokens` or `flops`, in any order, among any others. Without tokens
/// they follow from FLOP = 6 N D.
///
/// Throws ScenarioError, naming every bad row with line and column (the first 20): a missing or
/// unknown column, a row of another length, a value that is no finite number above zero; and a file
/// of fewer runs than fit_surface() takes.
[[nodiscard]] std::vector<ScalingRun> read_scaling_runs(const std::string& path);

/// The same from bytes; file: its name in messages.
[[nodiscard]] std::vector<ScalingRun> read_scaling_runs(ByteSource& bytes, const std::string& file);

}} // namespace bursar::scenarios
