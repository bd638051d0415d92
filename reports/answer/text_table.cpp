#include "reports/answer/text_table.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "reports/answer/text_column.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text_grid.hpp"
#include "reports/text/text_lines.hpp"
#include "reports/text/wrap.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t gap = 2;             ///< blanks between columns: one would part words
constexpr std::size_t min_text_width = 16; ///< a column of text is never squeezed below this
constexpr std::size_t max_whole_word = 32; ///< words of up to so many columns are never broken

std::size_t total_width(const std::vector<TextColumn>& columns) {
    std::size_t total = indent.size();
    for (const TextColumn& column : columns)
        total += column.width + gap;
    return total - gap;
}

/// How narrow a column of text may be: names in it stay whole.
std::size_t narrowest(const TextColumn& column) {
    std::size_t narrowest = min_text_width;
    for (const std::string& cell : column.cells)
        for (std::size_t at = 0; at < cell.size();) {
            const std::size_t end = std::min(cell.find(' ', at), cell.size());
            narrowest = std::max(narrowest, display_width(cell.substr(at, end - at)));
            at = end + 1;
        }
    return std::min(narrowest, max_whole_word);
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

/// Narrows columns of text, always the widest, until the table fits, as far as that goes. Then it
/// is wider than it should be, as columns that run together could not be read.
void squeeze(std::vector<TextColumn>& columns, std::size_t width) {
    std::vector<std::size_t> least;
    for (TextColumn& column : columns) {
        least.push_back(column.numeric ? column.width : narrowest(column));
        if (!column.numeric)
            column.width = std::min(column.width, std::max(width, least.back()));
    }
    for (std::size_t total = total_width(columns); total > width; --total) {
        TextColumn* widest = nullptr;
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns[i].width > least[i] &&
                (widest == nullptr || columns[i].width > widest->width))
                widest = &columns[i];
        if (widest == nullptr)
            return;
        --widest->width;
    }
}

std::vector<GridColumn> grid_of(const std::vector<TextColumn>& columns) {
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
    if (total_width(columns) > width)
        if (const std::string said = take_equal(columns, table); !said.empty())
            put_hanging(sink, std::string{indent}, "all rows: " + said, indent.size(), width);
    squeeze(columns, width);
    const std::vector<GridColumn> grid = grid_of(columns);
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

}} // namespace bursar::reports
