#include "reports/markdown/markdown_table.hpp"

#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

void put_cell(TextSink& sink, std::string_view cell) {
    sink.put(' ');
    sink.put(cell);
    sink.put(" |");
}

} // namespace

void put_markdown_header(TextSink& sink, std::span<const MarkdownColumn> columns) {
    sink.put('|');
    for (const MarkdownColumn& column : columns)
        put_cell(sink, column.title);
    sink.put("\n|");
    for (const MarkdownColumn& column : columns)
        sink.put(column.is_words ? "---|" : "--:|");
    sink.put('\n');
}

void put_markdown_row(TextSink& sink, std::span<const std::string> cells) {
    sink.put('|');
    for (const std::string& cell : cells)
        put_cell(sink, cell);
    sink.put('\n');
}

void put_markdown_table(TextSink& sink, const ReportTable& table) {
    std::vector<MarkdownColumn> columns;
    for (const ReportColumn& column : table.columns)
        columns.push_back({column.title, column.is_words});
    put_markdown_header(sink, columns);
    for (const ReportRow& row : table.rows) {
        std::vector<std::string> cells;
        for (const std::string& cell : row.cells)
            cells.push_back(markdown_cell(cell));
        if (row.is_sum)
            cells.front() = "**" + cells.front() + "**";
        put_markdown_row(sink, cells);
    }
}

}} // namespace bursar::reports
