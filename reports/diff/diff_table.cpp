#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "reports/diff/diff_formats.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text_grid.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t min_width = 40;
constexpr std::size_t min_name = 16;

/// The line of a header that parts in two; of one line it is the lower.
std::string header_line(const std::string& header, bool is_upper) {
    const std::size_t at = header.find('\n');
    if (at == std::string::npos)
        return is_upper ? "" : header;
    return is_upper ? header.substr(0, at) : header.substr(at + 1);
}

std::vector<std::vector<std::string>> lines_of(const ViewTable& table) {
    std::vector<std::vector<std::string>> lines(2);
    for (const std::string& header : table.header) {
        lines[0].push_back(header_line(header, true));
        lines[1].push_back(header_line(header, false));
    }
    if (std::ranges::all_of(lines[0], &std::string::empty))
        lines.erase(lines.begin());
    for (const std::vector<std::string>& row : table.rows) {
        lines.emplace_back();
        for (const std::string& cell : row)
            lines.back().push_back(terminal_text(cell));
    }
    return lines;
}

/// Cells in columns; what does not fit goes, first the columns that may, then ends of names.
void put_table(const ViewTable& table, std::size_t width, TextSink& sink) {
    const std::vector<std::vector<std::string>> lines = lines_of(table);
    std::vector<std::size_t> shown(table.header.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    const auto widest = [&](std::size_t column) {
        std::size_t most = 0;
        for (const std::vector<std::string>& line : lines)
            most = std::max(most, display_width(line[column]));
        return most;
    };
    const auto behind_names = [&] {
        std::size_t sum = gap;
        for (const std::size_t column : shown)
            sum += column == 0 ? 0 : gap + widest(column);
        return sum;
    };
    const std::size_t name = std::min(widest(0), min_name);
    for (const std::size_t column : table.may_go)
        if (behind_names() + name > width)
            std::erase(shown, column);
    const std::size_t rest = width - std::min(behind_names(), width - 1);
    std::vector<GridColumn> grid;
    for (const std::size_t column : shown)
        grid.push_back(column == 0 ? GridColumn{std::min(widest(0), rest), true, gap}
                                   : GridColumn{widest(column), false, gap});
    for (const std::vector<std::string>& line : lines) {
        std::vector<std::string> cells;
        for (const std::size_t column : shown)
            cells.push_back(column == 0 ? cut_to_width(line[0], grid[0].width) : line[column]);
        put_line(sink, grid_line(grid, cells));
    }
}

std::string change_text(const std::vector<std::string>& row) {
    if (row[1] == "-")
        return fmt::format("{}, new: {}", row[0], row[2]);
    if (row[2] == "-")
        return fmt::format("{}, no longer: {}", row[0], row[1]);
    return fmt::format("{}: {} -> {}", row[0], row[1], row[2]);
}

} // namespace

void write_diff_table(const ResultDiff& diff,
                      const DiffQuestion& question,
                      std::size_t terminal,
                      TextSink& sink) {
    const DiffView view = view_of(diff, question);
    const std::size_t width = std::max(terminal, min_width);
    const auto put_text = [&](const std::string& text) {
        put_hanging(sink, "", terminal_text(text), gap, width);
    };
    const auto put_title = [&](const std::string& title) {
        sink.put('\n');
        put_heading(sink, title);
    };
    put_hanging(sink, "", terminal_text(view.title), 0, width);
    for (const FailIfAnswer& answer : view.answers)
        put_text(fmt::format(
            "{} {}: {}", answer.is_failed ? "FAILED" : "passed", answer.text, answer.reason));
    for (const std::string& note : view.notes)
        put_text("note: " + note);
    if (!view.changes.rows.empty()) {
        put_title(view.changes.title);
        for (const std::vector<std::string>& row : view.changes.rows)
            put_text(change_text(row));
    }
    for (const ViewTable* table : view.tables()) {
        if (table->rows.empty())
            continue;
        put_title(table->title);
        put_table(*table, width, sink);
    }
    if (!view.equal.empty()) {
        sink.put('\n');
        put_text("equal: " + view.equal);
    }
}

}} // namespace bursar::reports
