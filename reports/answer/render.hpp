#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace reports {

enum class AnswerFormat : std::uint8_t { table, json, csv };

inline constexpr std::array<std::string_view, 3> answer_format_names{"table", "json", "csv"};

/// The format of that name, or nothing.
[[nodiscard]] std::optional<AnswerFormat> find_answer_format(std::string_view name);

/// The whole answer as text, its last line ended.
///
/// table: for people; numbers scaled, 4 significant digits, lines of at most `width` columns where
/// the numbers allow it; width: >= 40.
/// json: {"command", SECTION: {KEY: value}, TABLE: [{KEY: value}], "units": {SECTION or TABLE:
/// {KEY: unit}}, "warnings": [], "sources": []}; numbers as they stand, null where not finite. csv:
/// the first table with its header of keys; without tables one row `section,key,value,unit, note`
/// per value. Warnings are in the JSON alone.
[[nodiscard]] std::string
render(const Answer& answer, AnswerFormat format, std::size_t width = 100);

}} // namespace bursar::reports
