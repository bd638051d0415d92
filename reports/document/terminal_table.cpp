#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "reports/document/shown_cells.hpp"
#include "reports/document/terminal_parts.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t gap = 2;             ///< blanks between columns: one would part words
constexpr std::size_t min_text_width = 16; ///< a column of text is never squeezed below this
constexpr std::size_t max_whole_word = 32; ///< longest word, in columns, that is never broken

/// A column that a terminal shows.
struct Shown {
    const ReportColumn* column{};
    TextColumn text;
    std::size_t least{}; ///< columns that it needs
};

/// How narrow a column of text may be: names in it stay whole.
std::size_t narrowest(const TextColumn& column, std::size_t least) {
    std::size_t narrowest = least;
    for (const std::string& cell : column.cells)
        for (std::size_t at = 0; at < cell.size();) {
            const std::size_t end = std::min(cell.find(' ', at), cell.size());
            narrowest = std::max(narrowest, display_width(cell.substr(at, end - at)));
            at = end + 1;
        }
    return std::min(narrowest, std::max(least, max_whole_word));
}

/// The columns that people read. The first keeps a quarter of the terminal: it names the rows.
std::vector<Shown> columns_of(const ReportTable& table, std::size_t width) {
    std::vector<Shown> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].for_programs)
            continue;
        const std::size_t least =
            columns.empty() ? std::max(min_text_width, width / 4) : min_text_width;
        Shown shown{&table.columns[i], text_column(table, i), 0};
        shown.least = shown.text.is_words ? std::min(shown.text.width, narrowest(shown.text, least))
                                          : shown.text.width;
        columns.push_back(std::move(shown));
    }
    return columns;
}

std::size_t least_width(const std::vector<Shown>& columns) {
    std::size_t total = 0;
    for (const Shown& shown : columns)
        total += gap + shown.least;
    return total;
}

std::size_t total_width(const std::vector<Shown>& columns) {
    std::size_t total = 0;
    for (const Shown& shown : columns)
        total += gap + shown.text.width;
    return total;
}

/// Takes out columns that may be omitted while the rest is too wide; returns their labels.
std::string take_omitted(std::vector<Shown>& columns, std::size_t width) {
    std::string omitted;
    while (least_width(columns) > width) {
        auto first = columns.end();
        for (auto one = columns.begin(); one != columns.end(); ++one)
            if (one->column->omit > 0 &&
                (first == columns.end() || one->column->omit < first->column->omit))
                first = one;
        if (first == columns.end())
            break;
        omitted += (omitted.empty() ? "" : ", ") + terminal_text(first->column->label);
        columns.erase(first);
    }
    return omitted;
}

/// Takes out the columns for programs and people without a unit in which every row says the same;
/// returns what they say: "context 1, format bf16".
std::string take_equal(std::vector<Shown>& columns) {
    std::string said;
    std::vector<Shown> kept;
    for (Shown& shown : columns) {
        const std::vector<std::string>& cells = shown.text.cells;
        if (kept.empty() || shown.column->key.empty() || !shown.column->unit.empty() ||
            cells.size() < 2 ||
            std::ranges::adjacent_find(cells, std::ranges::not_equal_to{}) != cells.end()) {
            kept.push_back(std::move(shown));
            continue;
        }
        said += said.empty() ? "" : ", ";
        said += terminal_text(shown.column->label) + ' ' + cells.front();
    }
    columns = std::move(kept);
    return said;
}

/// The columns behind the first in as few groups as fit on a line, each behind the first again.
std::vector<std::vector<Shown>> groups_of(const std::vector<Shown>& columns, std::size_t width) {
    if (columns.size() < 2 || least_width(columns) <= width)
        return {columns};
    std::vector<std::vector<Shown>> groups;
    for (std::size_t i = 1; i < columns.size();) {
        std::vector<Shown> next{columns[i++]};
        while (i < columns.size() && columns[i].column->with_previous)
            next.push_back(columns[i++]);
        if (groups.empty() || least_width(groups.back()) + least_width(next) > width)
            groups.push_back({columns.front()});
        groups.back().insert(groups.back().end(), next.begin(), next.end());
    }
    return groups;
}

/// Narrows columns of text, always the widest, until the table fits, as far as that goes.
void squeeze(std::vector<Shown>& columns, std::size_t width) {
    for (Shown& shown : columns)
        if (shown.text.is_words)
            shown.text.width = std::min(shown.text.width, std::max(width, shown.least));
    for (std::size_t total = total_width(columns); total > width; --total) {
        Shown* widest = nullptr;
        for (Shown& shown : columns)
            if (shown.text.width > shown.least &&
                (widest == nullptr || shown.text.width > widest->text.width))
                widest = &shown;
        if (widest == nullptr)
            return;
        --widest->text.width;
    }
}

/// A cell of words on as many lines as it takes, each with the blanks that it begins with.
GridCell wrapped_cell(const std::string& text, std::size_t width) {
    if (display_width(text) <= width)
        return {text};
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    if (blanks == 0 || blanks + 2 > width)
        return wrapped(text, width);
    GridCell lines = wrapped(text, width - blanks);
    for (std::string& line : lines)
        line.insert(0, blanks, ' ');
    return lines;
}

void put_columns(std::vector<Shown> columns,
                 std::size_t num_rows,
                 std::size_t width,
                 TextSink& sink) {
    constexpr std::size_t least_name = 8;
    if (const std::size_t total = least_width(columns); total > width)
        if (Shown& name = columns.front(); name.text.is_words) // its words may break, then
            name.least = std::max(std::min(name.least, least_name),
                                  name.least - std::min(name.least, total - width));
    squeeze(columns, width);
    std::vector<GridColumn> grid;
    std::vector<GridCell> cells;
    for (const Shown& shown : columns) {
        grid.push_back({shown.text.width, shown.text.is_words, gap});
        cells.push_back(shown.text.header);
    }
    const bool has_header = std::ranges::any_of(
        cells, [](const GridCell& cell) { return !cell.empty() && !cell.back().empty(); });
    if (has_header)
        put_grid_row(sink, grid, cells, GridSide::bottom);
    for (std::size_t row = 0; row < num_rows; ++row) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const TextColumn& text = columns[i].text;
            cells[i] = text.is_words ? wrapped_cell(text.cells[row], text.width)
                                     : GridCell{text.cells[row]};
        }
        put_grid_row(sink, grid, cells);
    }
}

} // namespace

void put_terminal_table(const ReportTable& table, std::size_t width, TextSink& sink) {
    if (!table.title.empty())
        put_hanging(sink, "", terminal_text(table.title), 0, width);
    std::vector<Shown> columns = columns_of(table, width);
    const auto put_note = [&](const std::string& before, const std::string& text) {
        if (!text.empty())
            put_hanging(sink, "", before + text, indent.size(), width);
    };
    put_note("omitted (too narrow): ", take_omitted(columns, width));
    if (total_width(columns) > width)
        put_note("all rows: ", take_equal(columns));
    bool is_first = true;
    for (std::vector<Shown>& group : groups_of(columns, width)) {
        if (!is_first)
            sink.put('\n');
        is_first = false;
        put_columns(std::move(group), table.rows.size(), width, sink);
    }
    put_note("", terminal_text(table.note));
}

}} // namespace bursar::reports
