#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/tables/report_table.hpp"
#include "reports/text/text_sink.hpp"

/// Tables of GitHub-flavoured Markdown. Titles and cells are Markdown already: who has text of
/// others escapes it with markdown_cell.
namespace bursar { inline namespace reports {

struct MarkdownColumn {
    std::string_view title;
    bool is_words{}; ///< aligned left; figures are aligned right
};

/// The titles and the rule below them.
void put_markdown_header(TextSink& sink, std::span<const MarkdownColumn> columns);

/// One row; as many cells as there are columns.
void put_markdown_row(TextSink& sink, std::span<const std::string> cells);
inline void put_markdown_row(TextSink& sink, const std::vector<std::string>& cells) {
    put_markdown_row(sink, std::span{cells});
}

/// The whole table without its title; texts are escaped here, sums are in bold.
void put_markdown_table(TextSink& sink, const ReportTable& table);

}} // namespace bursar::reports
