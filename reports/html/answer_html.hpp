#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/answer/answer.hpp"
#include "reports/compare/compare_view.hpp"
#include "reports/html/figure.hpp"
#include "reports/tables/report_table.hpp"

namespace bursar { inline namespace reports {

/// A table of a comparison as a page has it.
[[nodiscard]] HtmlTable html_table(const ViewTable& table);

/// A table of a bill as a page has it.
[[nodiscard]] HtmlTable html_table(const ReportTable& table);

/// A table of an answer, each number in the multiple of its unit that suits its size.
[[nodiscard]] HtmlTable html_table(const AnswerTable& table);

/// The values of a section, named.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
html_facts(const AnswerSection& section);

}} // namespace bursar::reports
