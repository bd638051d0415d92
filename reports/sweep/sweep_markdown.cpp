#include "reports/sweep/sweep_markdown.hpp"

#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "reports/answer/markdown_section.hpp"
#include "reports/markdown/markdown_table.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

void put_table(const AnswerTable& table, TextSink& sink) {
    sink.put(fmt::format("\n## {}\n\n", markdown_cell(table.title)));
    std::vector<std::string> titles;
    for (const AnswerColumn& column : table.columns)
        titles.push_back(markdown_label(column.label, column.unit));
    std::vector<MarkdownColumn> columns;
    for (std::size_t i = 0; i < titles.size(); ++i)
        columns.push_back(
            {titles[i],
             !table.rows.empty() && std::holds_alternative<std::string>(table.rows.front()[i])});
    put_markdown_header(sink, columns);
    for (const std::vector<AnswerCell>& row : table.rows) {
        std::vector<std::string> cells;
        for (const AnswerCell& cell : row)
            cells.push_back(markdown_text(cell));
        put_markdown_row(sink, cells);
    }
}

} // namespace

void write_sweep_markdown(const Answer& answer, TextSink& sink) {
    sink.put(fmt::format("# Sweep\n\n{}\n", markdown_cell(answer.headline)));
    for (const AnswerTable& table : answer.tables)
        put_table(table, sink);
    for (const AnswerSection& section : answer.sections)
        put_markdown_section(section, sink);
    for (const std::string& warning : answer.warnings)
        sink.put(fmt::format("- {}\n", markdown_cell(warning)));
}

}} // namespace bursar::reports
