#include "reports/answer/markdown_section.hpp"
#include "reports/compare/compare_formats.hpp"
#include "reports/compare/compare_view.hpp"
#include "reports/markdown/markdown_table.hpp"
#include "reports/text/escape.hpp"

namespace bursar::inline reports {
namespace {

std::string trimmed(std::string text) {
    text.resize(text.find_last_not_of(' ') + 1);
    return text;
}

void put_table(TextSink& sink, const ViewTable& table) {
    std::vector<std::string> titles;
    for (const std::string& title : table.titles)
        titles.push_back(markdown_cell(title));
    std::vector<MarkdownColumn> columns;
    for (std::size_t i = 0; i < titles.size(); ++i)
        columns.push_back({titles[i], i == 0 || (table.ends_in_words && i + 1 == titles.size())});
    put_markdown_header(sink, columns);
    for (const std::vector<std::string>& row : table.rows) {
        std::vector<std::string> cells;
        for (const std::string& cell : row)
            cells.push_back(markdown_cell(trimmed(cell)));
        put_markdown_row(sink, cells);
    }
}

void put_line(TextSink& sink, std::string_view prefix, const std::string& text) {
    sink.put(prefix);
    sink.put(markdown_cell(text));
    sink.put('\n');
}

} // namespace

void write_compare_markdown(const Comparison& comparison,
                            const CompareQuestion& question,
                            std::size_t,
                            TextSink& sink) {
    const CompareView view = view_of(comparison, question);
    put_line(sink, "# ", view.title);
    sink.put('\n');
    if (!view.overview.rows.empty()) {
        put_table(sink, view.overview);
        sink.put('\n');
        put_line(sink, "- ", view.legend);
    }
    for (const std::string& note : view.notes)
        put_line(sink, "- ", note);
    if (!view.equal.empty())
        put_line(sink, "- equal for all: ", view.equal);
    for (const std::string& caveat : view.caveats)
        put_line(sink, "- ", caveat);
    for (const ViewTable& table : view.against) {
        sink.put('\n');
        put_line(sink, "## ", table.title);
        sink.put('\n');
        put_table(sink, table);
    }
    if (view.goal)
        put_markdown_section(*view.goal, sink);
}

} // namespace bursar::inline reports
