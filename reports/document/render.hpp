#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/document/document.hpp"
#include "reports/text/text_sink.hpp"

/// Documents as text; the page of HTML is in html/, the workbook in xlsx/.
namespace bursar { inline namespace reports {

/// For people: numbers scaled, 4 significant digits, lines of at most `width` columns where the
/// numbers allow it. width: >= 40.
void render_terminal(const Document& document, std::size_t width, TextSink& sink);

void render_markdown(const Document& document, TextSink& sink);

/// {"command", FACTS: {KEY: value}, TABLE: [{KEY: value}], "units": {FACTS or TABLE: {KEY: unit}},
/// "warnings": [], "sources": []}; numbers unscaled, null where not finite.
void render_json(const Document& document, TextSink& sink);

/// The first table with its header of keys; without tables one row `section,key,value,unit,note`
/// per value.
void render_csv(const Document& document, TextSink& sink);

enum class AnswerFormat : std::uint8_t { table, json, csv };

inline constexpr std::array<std::string_view, 3> answer_format_names{"table", "json", "csv"};

/// The format of that name, or nothing.
[[nodiscard]] std::optional<AnswerFormat> find_answer_format(std::string_view name);

/// The whole document as text, its last line ended.
[[nodiscard]] std::string
render(const Document& document, AnswerFormat format, std::size_t width = 100);

}} // namespace bursar::reports
