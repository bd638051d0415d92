#include "reports/html/answer_html.hpp"

#include <variant>

#include "reports/answer/text_column.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Lines on paper break between a value and its unit rather than before the mark behind it.
void keep_mark(std::string& cell) {
    if (cell.ends_with(" +") || cell.ends_with(" -") || cell.ends_with(" ?"))
        cell.replace(cell.size() - 2, 1, "\u00a0");
}

std::string shown_cell(const AnswerCell& cell, const std::string& unit) {
    const CellText text = cell_text(cell, unit);
    return text.unit.empty() ? text.value : text.value + " " + text.unit;
}

} // namespace

HtmlTable html_table(const ViewTable& table) {
    HtmlTable out;
    for (std::size_t i = 0; i < table.titles.size(); ++i) {
        const bool is_words = i == 0 || (table.ends_in_words && i + 1 == table.titles.size());
        out.columns.push_back({table.titles[i], is_words});
    }
    for (const std::vector<std::string>& row : table.rows) {
        HtmlRow& shown = out.rows.emplace_back(HtmlRow{row, HtmlRowKind::plain});
        for (std::string& cell : shown.cells)
            keep_mark(cell);
    }
    return out;
}

HtmlTable html_table(const ReportTable& table) {
    HtmlTable out;
    for (const ReportColumn& column : table.columns)
        out.columns.push_back({column.title, column.is_words});
    for (const ReportRow& row : table.rows)
        out.rows.push_back({row.cells, row.is_sum ? HtmlRowKind::sum : HtmlRowKind::plain});
    return out;
}

HtmlTable html_table(const AnswerTable& table) {
    HtmlTable out;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const bool is_words =
            !table.rows.empty() && std::holds_alternative<std::string>(table.rows.front()[i]);
        out.columns.push_back({table.columns[i].label, is_words});
    }
    for (const std::vector<AnswerCell>& cells : table.rows) {
        HtmlRow row;
        for (std::size_t i = 0; i < cells.size(); ++i)
            row.cells.push_back(shown_cell(cells[i], table.columns[i].unit));
        out.rows.push_back(std::move(row));
    }
    return out;
}

std::vector<std::pair<std::string, std::string>> html_facts(const AnswerSection& section) {
    std::vector<std::pair<std::string, std::string>> facts;
    for (const AnswerValue& value : section.values)
        facts.emplace_back(value.label,
                           shown_cell(value.value, value.unit) +
                               (value.note.empty() ? "" : " (" + value.note + ")"));
    return facts;
}

}} // namespace bursar::reports
