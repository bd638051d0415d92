#include "reports/markdown/markdown_table.hpp"

namespace bursar::inline reports {
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

} // namespace bursar::inline reports
