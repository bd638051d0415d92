#pragma once

#include <filesystem>
#include <string_view>

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// The result in `json`; parse_result(saved r) == r. Throws BadResult, which starts with `name`,
/// where it is not a saved result of this version, has no content hash or a wrong one, or where a
/// field is missing or of a wrong type, or an index out of range.
[[nodiscard]] Result parse_result(std::string_view json, std::string_view name);

/// Reads a saved result from a file. Throws BadResult, also where the file cannot be read.
[[nodiscard]] Result load_result(const std::filesystem::path& path);

}} // namespace bursar::reports
