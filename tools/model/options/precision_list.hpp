#pragma once

#include <string>
#include <vector>

#include "models/gpu/gpu.hpp"

namespace bursar { inline namespace tools {

/// The number formats that --precisions lists. Throws ModelError for an unknown one.
[[nodiscard]] std::vector<Precision> precisions_of(const std::vector<std::string>& texts);

/// Their names.
[[nodiscard]] std::vector<std::string> all_precisions();

}} // namespace bursar::tools
