#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bursar { inline namespace scenarios {

/// The GPU times that a file lists, one a line with its unit ("3.5 gpu-h"), in GPU-ms; empty lines
/// are passed over. Compressed as traces may be. Throws ScenarioError, naming file and line: it
/// cannot be read, holds no GPU time, or what is none, or more than 10 million.
[[nodiscard]] std::vector<std::int64_t> read_gpu_times(const std::string& path);

}} // namespace bursar::scenarios
