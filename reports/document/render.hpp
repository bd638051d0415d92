#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/outputs/options.hpp"
#include "reports/text/text_sink.hpp"

/// Documents as text; the page of HTML is in html/, the workbook in xlsx/.
namespace bursar { inline namespace reports {

class JsonWriter;

inline constexpr std::size_t min_terminal_width = 40;

/// For people: numbers scaled, 4 significant digits, lines of at most `width` columns where the
/// numbers allow it, and of min_terminal_width in a narrower terminal; with colours, headers and
/// sums are bold.
void render_terminal(const Document& document,
                     std::size_t width,
                     TextSink& sink,
                     Colour colour = Colour::never);

void render_markdown(const Document& document, TextSink& sink);

/// {"command", FACTS: {KEY: value}, TABLE: [{KEY: value}], "units": {FACTS or TABLE: {KEY: unit}},
/// "warnings": [], "sources": []}; numbers unscaled, null where not finite.
void render_json(const Document& document, TextSink& sink);

/// A table for programs alone: its columns, from keys between commas, and the table as a member of
/// an object and as CSV with a header of keys.
[[nodiscard]] std::vector<ReportColumn> program_columns(std::string_view keys);
void put_json_table(JsonWriter& json, const ReportTable& table);
void put_csv_table(const ReportTable& table, TextSink& sink);

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
