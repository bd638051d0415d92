#pragma once

#include <string>
#include <string_view>

#include "reports/text/text_sink.hpp"

/// How names of any bytes come out right in each format. Every format takes valid UTF-8; what is
/// not becomes U+FFFD.
namespace bursar { inline namespace reports {

/// `text` with every byte that is not part of well-formed UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// A JSON string with its quotes: control characters, quotes and backslashes escaped.
void put_json_string(TextSink& sink, std::string_view text);

/// One CSV field as RFC 4180 has it: quoted when it holds a comma, a quote or a line break.
void put_csv_field(TextSink& sink, std::string_view text);

/// The same as text, for what stands in many rows.
[[nodiscard]] std::string csv_field(std::string_view text);

/// A Markdown table cell: nothing in it is markup, a line break is <br>.
[[nodiscard]] std::string markdown_cell(std::string_view text);

/// Text for a terminal: control characters (escape sequences, too) and the characters that turn
/// the writing direction become visible escapes such as \x1b.
[[nodiscard]] std::string terminal_text(std::string_view text);

/// Marks of bold text: the only escape sequences that bursar prints.
inline constexpr std::string_view bold_on = "\x1b[1m";
inline constexpr std::string_view bold_off = "\x1b[0m";

/// Whole lines for a terminal: as terminal_text, but line feeds, tabs and bold stay.
[[nodiscard]] std::string terminal_lines(std::string_view text);

/// The text of an XML element or attribute; control characters become blanks.
[[nodiscard]] std::string xml_text(std::string_view text);

/// `text` in ASCII, for terminals that show nothing else: each character becomes one that is like
/// it, or '?', and takes as many columns as before. Ill-formed bytes become '?', too.
[[nodiscard]] std::string ascii_text(std::string_view text);

}} // namespace bursar::reports
