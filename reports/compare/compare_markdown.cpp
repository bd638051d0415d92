#include "reports/compare/compare_formats.hpp"
#include "reports/compare/compare_view.hpp"
#include "reports/text/escape.hpp"

namespace bursar {
namespace {

void put_row(TextSink& sink, const std::vector<std::string>& cells) {
    sink.put('|');
    for (const std::string& cell : cells) {
        sink.put(' ');
        sink.put(markdown_cell(cell));
        sink.put(" |");
    }
    sink.put('\n');
}

std::string trimmed(std::string text) {
    text.resize(text.find_last_not_of(' ') + 1);
    return text;
}

void put_table(TextSink& sink, const ViewTable& table) {
    put_row(sink, table.titles);
    sink.put('|');
    for (std::size_t i = 0; i < table.titles.size(); ++i) {
        const bool words = i == 0 || (table.ends_in_words && i + 1 == table.titles.size());
        sink.put(words ? "---|" : "--:|");
    }
    sink.put('\n');
    for (const std::vector<std::string>& row : table.rows) {
        std::vector<std::string> cells;
        for (const std::string& cell : row)
            cells.push_back(trimmed(cell));
        put_row(sink, cells);
    }
}

void put_line(TextSink& sink, std::string_view prefix, const std::string& text) {
    sink.put(prefix);
    sink.put(markdown_cell(text));
    sink.put('\n');
}

} // namespace

void write_compare_markdown(const Comparison& comparison, std::size_t, TextSink& sink) {
    const CompareView view = view_of(comparison);
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
    for (const std::string& warning : comparison.warnings)
        put_line(sink, "- warning: ", warning);
    for (const ViewTable& table : view.against) {
        sink.put('\n');
        put_line(sink, "## ", table.title);
        sink.put('\n');
        put_table(sink, table);
    }
}

} // namespace bursar
