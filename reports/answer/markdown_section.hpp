#pragma once

#include <string>

#include "reports/answer/answer.hpp"
#include "reports/text/text_sink.hpp"

/// What an answer is made of, as Markdown.
namespace bursar { inline namespace reports {

/// A cell as it stands, "-" for a number that nobody knows.
[[nodiscard]] std::string markdown_text(const AnswerCell& cell);

/// "step time, s".
[[nodiscard]] std::string markdown_label(const std::string& label, const std::string& unit);

/// A heading of the second level behind an empty line, and a list of the values.
void put_markdown_section(const AnswerSection& section, TextSink& sink);

}} // namespace bursar::reports
