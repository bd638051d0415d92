#include "reports/sweep/sweep_markdown.hpp"

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "reports/markdown/markdown_table.hpp"
#include "reports/text/escape.hpp"

namespace bursar::inline reports {
namespace {

std::string text_of(const AnswerCell& cell) {
    if (const auto* number = std::get_if<double>(&cell))
        return std::isfinite(*number) ? fmt::format("{:.10g}", *number) : std::string{"-"};
    if (const auto* count = std::get_if<std::int64_t>(&cell))
        return fmt::format("{}", *count);
    if (const auto* truth = std::get_if<bool>(&cell))
        return *truth ? "yes" : "no";
    return markdown_cell(std::get<std::string>(cell));
}

std::string with_unit(const std::string& label, const std::string& unit) {
    return markdown_cell(unit.empty() ? label : fmt::format("{}, {}", label, unit));
}

void put_table(const AnswerTable& table, TextSink& sink) {
    sink.put(fmt::format("\n## {}\n\n", markdown_cell(table.title)));
    std::vector<std::string> titles;
    for (const AnswerColumn& column : table.columns)
        titles.push_back(with_unit(column.label, column.unit));
    std::vector<MarkdownColumn> columns;
    for (std::size_t i = 0; i < titles.size(); ++i)
        columns.push_back(
            {titles[i],
             !table.rows.empty() && std::holds_alternative<std::string>(table.rows.front()[i])});
    put_markdown_header(sink, columns);
    for (const std::vector<AnswerCell>& row : table.rows) {
        std::vector<std::string> cells;
        for (const AnswerCell& cell : row)
            cells.push_back(text_of(cell));
        put_markdown_row(sink, cells);
    }
}

} // namespace

void write_sweep_markdown(const Answer& answer, TextSink& sink) {
    sink.put(fmt::format("# Sweep\n\n{}\n", markdown_cell(answer.headline)));
    for (const AnswerTable& table : answer.tables)
        put_table(table, sink);
    for (const AnswerSection& section : answer.sections) {
        sink.put(fmt::format("\n## {}\n\n", markdown_cell(section.title)));
        for (const AnswerValue& value : section.values)
            sink.put(fmt::format("- {}: {}{}\n",
                                 with_unit(value.label, value.unit),
                                 text_of(value.value),
                                 value.note.empty() ? "" : " (" + markdown_cell(value.note) + ")"));
    }
    for (const std::string& warning : answer.warnings)
        sink.put(fmt::format("- {}\n", markdown_cell(warning)));
}

} // namespace bursar::inline reports
