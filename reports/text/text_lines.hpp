#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reports/text/text_sink.hpp"

/// Lines of an answer for people.
namespace bursar { inline namespace reports {

inline constexpr std::string_view indent = "  "; ///< of what stands under a heading

/// A line without blanks at its end.
void put_line(TextSink& sink, std::string_view line);

/// A title on its own line; nothing where it is empty.
void put_heading(TextSink& sink, std::string_view title);

/// `line`, and `text` in the columns from `from` to `width`, on as many lines as it takes.
void put_hanging(
    TextSink& sink, std::string line, std::string_view text, std::size_t from, std::size_t width);

}} // namespace bursar::reports
