#pragma once

#include <filesystem>
#include <string_view>

#include "reports/options.hpp"
#include "reports/result/result.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// Writes `result.json`: the whole result, exactly. 128-bit numbers are strings; jobs and timeline
/// are one array of integers per column. With options.reproducible without times and memory of the
/// execution, which are 0 when it is read again.
void write_saved_result(const Result& result, const OutputOptions& options, TextSink& sink);

/// The result in `json`; parse_result(saved r) == r. Throws BadResult, which starts with `name`,
/// where it is not a saved result of this version, has no content hash or a wrong one, or where a
/// field is missing or of a wrong type, or an index out of range.
[[nodiscard]] Result parse_result(std::string_view json, std::string_view name);

/// Reads a saved result from a file. Throws BadResult, also where the file cannot be read.
[[nodiscard]] Result load_result(const std::filesystem::path& path);

}} // namespace bursar::reports
