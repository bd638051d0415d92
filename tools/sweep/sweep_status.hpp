#pragma once

#include <cstdint>
#include <filesystem>

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace tools {

struct SweepStatus {
    Answer answer;               ///< how many runs there are, and which have no result
    std::uint64_t num_missing{}; ///< those that failed among them
};

/// Of the sweep in a folder, which may be running. Throws ReportError where there is none.
[[nodiscard]] SweepStatus sweep_status(const std::filesystem::path& folder);

}} // namespace bursar::tools
