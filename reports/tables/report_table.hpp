#pragma once

#include <string>
#include <vector>

namespace bursar { inline namespace reports {

struct ReportColumn {
    std::string title;
    bool is_words{}; ///< aligned left; figures are aligned right
};

struct ReportRow {
    std::vector<std::string> cells; ///< as many as there are columns
    bool is_sum{};                  ///< of the rows above it
};

/// A table of a bill for people, before Markdown or a page has it. Texts are as in the result, not
/// escaped.
struct ReportTable {
    std::string title;
    std::vector<ReportColumn> columns;
    std::vector<ReportRow> rows;
};

}} // namespace bursar::reports
