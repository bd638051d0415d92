#include <cmath>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "reports/document/render.hpp"
#include "reports/document/shown_cells.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

void put_markdown_cell(TextSink& sink, std::string_view cell) {
    sink.put(' ');
    sink.put(cell);
    sink.put(" |");
}

void put_markdown_row(TextSink& sink, const std::vector<std::string>& cells) {
    sink.put('|');
    for (const std::string& cell : cells)
        put_markdown_cell(sink, cell);
    sink.put('\n');
}

/// A cell as it stands, "-" for a number that is not known.
std::string markdown_text(const Cell& cell) {
    if (const auto* number = std::get_if<double>(&cell))
        return std::isfinite(*number) ? fmt::format("{:.10g}", *number) : std::string{"-"};
    if (const auto* count = std::get_if<std::int64_t>(&cell))
        return fmt::format("{}", *count);
    if (const auto* truth = std::get_if<bool>(&cell))
        return *truth ? "yes" : "no";
    std::string text = std::get<std::string>(cell);
    text.resize(text.find_last_not_of(' ') + 1);
    return markdown_cell(text);
}

/// "step time, s".
std::string markdown_label(const std::string& label, const std::string& unit) {
    return markdown_cell(unit.empty() ? label : fmt::format("{}, {}", label, unit));
}

/// The table without its title; sums are in bold.
void put_markdown_table(const ReportTable& table, TextSink& sink) {
    sink.put('|');
    for (const ReportColumn& column : table.columns)
        put_markdown_cell(sink, markdown_label(column.label, column.unit));
    sink.put("\n|");
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        sink.put(is_words(table, i) ? "---|" : "--:|");
    sink.put('\n');
    for (const ReportRow& row : table.rows) {
        std::vector<std::string> cells;
        for (const Cell& cell : row.cells)
            cells.push_back(markdown_text(cell));
        if (row.kind == RowKind::sum)
            cells.front() = "**" + cells.front() + "**";
        else if (row.kind == RowKind::under)
            cells.front() = "&nbsp;&nbsp;" + cells.front();
        put_markdown_row(sink, cells);
    }
}

/// A list of the values.
void put_markdown_facts(const Facts& facts, TextSink& sink) {
    for (const Fact& fact : facts.values)
        sink.put(fmt::format("- {}: {}{}\n",
                             markdown_label(fact.label, fact.unit),
                             markdown_text(fact.value),
                             fact.note.empty() ? "" : " (" + markdown_cell(fact.note) + ")"));
}

/// A heading of the second level behind an empty line.
void put_markdown_heading(std::string_view title, TextSink& sink) {
    sink.put(fmt::format("\n## {}\n\n", markdown_cell(title)));
}

void put_markdown_lines(const std::vector<std::string>& lines, TextSink& sink) {
    for (const std::string& line : lines)
        sink.put(fmt::format("- {}\n", markdown_cell(line)));
}

} // namespace

void render_markdown(const Document& document, TextSink& sink) {
    sink.put(fmt::format("# {}\n", markdown_cell(document.title)));
    if (!document.headline.empty())
        sink.put(fmt::format("\n{}\n", markdown_cell(document.headline)));
    const auto put_title = [&](const std::string& title) {
        title.empty() ? sink.put('\n') : put_markdown_heading(title, sink);
    };
    for (const Document::Block& block : document.blocks) {
        if (const auto* facts = std::get_if<Facts>(&block)) {
            put_title(facts->title);
            put_markdown_facts(*facts, sink);
        } else if (const auto* lines = std::get_if<Lines>(&block)) {
            put_title(lines->title);
            put_markdown_lines(lines->lines, sink);
        } else if (const auto* table = std::get_if<ReportTable>(&block)) {
            put_title(table->title);
            put_markdown_table(*table, sink);
            if (!table->note.empty())
                sink.put(fmt::format("\n- {}\n", markdown_cell(table->note)));
        }
    }
    put_markdown_lines(document.warnings, sink);
}

}} // namespace bursar::reports
