#include "reports/answer/text_table.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "reports/answer/text_column.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text_grid.hpp"
#include "reports/text/text_lines.hpp"
#include "reports/text/wrap.hpp"

namespace bursar::inline reports {
namespace {

constexpr std::size_t usual_gap = 2;       ///< blanks between columns
constexpr std::size_t min_gap = 1;         ///< where the table is too wide otherwise
constexpr std::size_t min_text_width = 16; ///< a column of text is never squeezed below this

std::size_t total_width(const std::vector<TextColumn>& columns, std::size_t gap) {
    std::size_t total = indent.size();
    for (const TextColumn& column : columns)
        total += column.width + gap;
    return total - gap;
}

/// The widest column of text that may be narrower; null if there is none.
TextColumn* widest_text(std::vector<TextColumn>& columns) {
    TextColumn* widest = nullptr;
    for (TextColumn& column : columns)
        if (!column.numeric && column.width > min_text_width &&
            (widest == nullptr || column.width > widest->width))
            widest = &column;
    return widest;
}

/// Takes out the columns without a unit in which every row says the same, and gives what they say:
/// "context 1, format bf16".
std::string take_equal(std::vector<TextColumn>& columns, const AnswerTable& table) {
    std::string said;
    std::vector<TextColumn> kept;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::vector<std::string>& cells = columns[i].cells;
        if (i == 0 || !table.columns[i].unit.empty() || cells.size() < 2 ||
            std::ranges::adjacent_find(cells, std::ranges::not_equal_to{}) != cells.end()) {
            kept.push_back(std::move(columns[i]));
            continue;
        }
        said += said.empty() ? "" : ", ";
        said += terminal_text(table.columns[i].label) + ' ' + cells.front();
    }
    columns = std::move(kept);
    return said;
}

/// Narrows columns of text, always the widest, until the table fits, as far as that goes; then the
/// gap between columns, which it gives.
std::size_t squeeze(std::vector<TextColumn>& columns, std::size_t width) {
    for (TextColumn& column : columns)
        if (!column.numeric)
            column.width = std::min(column.width, std::max(width, min_text_width));
    for (std::size_t total = total_width(columns, usual_gap); total > width; --total) {
        TextColumn* column = widest_text(columns);
        if (column == nullptr)
            return min_gap;
        --column->width;
    }
    return usual_gap;
}

std::vector<GridColumn> grid_of(const std::vector<TextColumn>& columns, std::size_t gap) {
    std::vector<GridColumn> grid;
    for (const TextColumn& column : columns)
        grid.push_back({column.width, !column.numeric, grid.empty() ? indent.size() : gap});
    return grid;
}

/// The table without what only programs read.
AnswerTable for_people(const AnswerTable& table) {
    AnswerTable shown{table.key, table.title, {}, {}};
    shown.rows.resize(table.rows.size());
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].for_programs)
            continue;
        shown.columns.push_back(table.columns[i]);
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            shown.rows[row].push_back(table.rows[row][i]);
    }
    return shown;
}

} // namespace

void put_table(const AnswerTable& whole, std::size_t width, TextSink& sink) {
    const AnswerTable table = for_people(whole);
    put_heading(sink, table.title);
    std::vector<TextColumn> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        columns.push_back(text_column(table, i));
    if (total_width(columns, usual_gap) > width)
        if (const std::string said = take_equal(columns, table); !said.empty())
            put_hanging(sink, std::string{indent}, "all rows: " + said, indent.size(), width);
    const std::vector<GridColumn> grid = grid_of(columns, squeeze(columns, width));
    std::vector<GridCell> cells;
    for (const TextColumn& column : columns)
        cells.push_back(column.header);
    put_grid_row(sink, grid, cells, GridSide::bottom);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t i = 0; i < columns.size(); ++i)
            cells[i] = columns[i].numeric ? GridCell{columns[i].cells[row]}
                                          : wrapped(columns[i].cells[row], columns[i].width);
        put_grid_row(sink, grid, cells);
    }
}

} // namespace bursar::inline reports
