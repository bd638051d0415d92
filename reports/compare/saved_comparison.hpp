#pragma once

#include <filesystem>
#include <string_view>

#include "reports/compare/compare_columns.hpp"
#include "reports/compare/comparison.hpp"

namespace bursar { inline namespace reports {

/// `comparison.json`, from which every format of a comparison is made without running it again.
struct SavedComparison {
    Comparison comparison;
    CompareQuestion question; ///< metrics and goal; how much is shown is no part of it
};

/// What the file says it is, in its first member.
inline constexpr std::string_view saved_comparison_kind = "bursar comparison";

/// The comparison that `json` holds, worked out. Throws BadResult, which starts with `name`, where
/// it is no JSON, no comparison, of another schema_version, has metrics that this version does not
/// know, was changed after it was saved, or where a field is missing, of a wrong type or out of
/// range.
[[nodiscard]] SavedComparison parse_comparison(std::string_view json, std::string_view name);

/// Reads it from a file. Throws BadResult, also where the file cannot be read.
[[nodiscard]] SavedComparison load_comparison(const std::filesystem::path& path);

}} // namespace bursar::reports
