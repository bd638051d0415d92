#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "reports/answer/text_section.hpp"
#include "reports/compare/compare_formats.hpp"
#include "reports/compare/compare_view.hpp"
#include "reports/compare/row_labels.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text_grid.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar { inline namespace reports {
namespace {

using Columns = std::vector<std::size_t>; ///< of a table, in the order in which they are shown

constexpr std::size_t gap = 2;
constexpr std::size_t min_width = 40;

std::string_view header_line(std::string_view header, bool first) {
    const std::size_t at = header.find('\n');
    if (at == std::string_view::npos)
        return first ? std::string_view{} : header; // one line stands next to the rows
    return first ? header.substr(0, at) : header.substr(at + 1);
}

/// The same cells as a terminal shows them.
ViewTable for_terminal(ViewTable table) {
    for (std::vector<std::string>& row : table.rows)
        for (std::string& cell : row)
            cell = terminal_text(cell);
    return table;
}

/// A table whose columns are as wide as what they hold.
class TextTable {
  public:
    TextTable(const ViewTable& table, std::size_t width)
        : table_{for_terminal(table)}, width_{width} {
        for (std::size_t i = 0; i < table_.header.size(); ++i) {
            std::size_t widest = std::max(display_width(header_line(table_.header[i], true)),
                                          display_width(header_line(table_.header[i], false)));
            for (const std::vector<std::string>& row : table_.rows)
                widest = std::max(widest, display_width(row[i]));
            widths_.push_back(widest);
        }
    }

    /// The columns behind the first in as few groups as fit on a line, each behind the first again.
    [[nodiscard]] std::vector<Columns> groups() const {
        std::vector<Columns> groups;
        for (std::size_t i = 1; i < widths_.size(); i += table_.together) {
            Columns next{0};
            Columns wider = groups.empty() ? Columns{0} : groups.back();
            for (std::size_t k = i; k < std::min(i + table_.together, widths_.size()); ++k) {
                next.push_back(k);
                wider.push_back(k);
            }
            if (groups.empty() || line_width(wider) > width_)
                groups.push_back(std::move(next));
            else
                groups.back() = std::move(wider);
        }
        return groups;
    }

    /// All columns without the first `num_omitted` of those that may go.
    [[nodiscard]] Columns columns_without(std::size_t num_omitted) const {
        Columns columns(widths_.size());
        std::iota(columns.begin(), columns.end(), std::size_t{0});
        for (std::size_t i = 0; i < num_omitted; ++i)
            std::erase(columns, table_.may_go[i]);
        return columns;
    }

    /// How many of the columns that may go have to.
    [[nodiscard]] std::size_t too_many() const {
        std::size_t num_omitted = 0;
        while (num_omitted < table_.may_go.size() &&
               line_width(columns_without(num_omitted)) > width_)
            ++num_omitted;
        return num_omitted;
    }

    void put(TextSink& sink, const Columns& columns) const {
        for (const bool first : {true, false}) {
            std::vector<std::string> cells;
            for (const std::string& header : table_.header)
                cells.emplace_back(header_line(header, first));
            if (std::ranges::any_of(columns, [&](std::size_t i) { return !cells[i].empty(); }))
                put_row(sink, cells, columns);
        }
        for (const std::vector<std::string>& row : table_.rows)
            put_row(sink, row, columns);
    }

  private:
    [[nodiscard]] std::vector<GridColumn> grid_of(const Columns& columns) const {
        std::vector<GridColumn> grid;
        for (const std::size_t i : columns) {
            const bool is_words = i == 0 || (table_.ends_in_words && i + 1 == widths_.size());
            grid.push_back({widths_[i], is_words, gap});
        }
        return grid;
    }
    [[nodiscard]] std::size_t line_width(const Columns& columns) const {
        return width_of(grid_of(columns));
    }

    void
    put_row(TextSink& sink, const std::vector<std::string>& cells, const Columns& columns) const {
        std::vector<std::string> shown;
        for (const std::size_t i : columns)
            shown.push_back(cells[i]);
        const std::string line = grid_line(grid_of(columns), shown);
        put_line(sink, cut_to_width(line.substr(0, line.find_last_not_of(' ') + 1), width_));
    }

    ViewTable table_;
    std::size_t width_;
    std::vector<std::size_t> widths_;
};

/// Variants by metrics, in as many tables as it takes.
void put_overview(const CompareView& view,
                  const RowLabels& labels,
                  std::size_t width,
                  TextSink& sink) {
    ViewTable table = view.overview;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        table.rows[i].front() = labels.rows[i];
    const TextTable text{table, width};
    for (const Columns& columns : text.groups()) {
        sink.put('\n');
        text.put(sink, columns);
    }
    put_hanging(sink, "", terminal_text(view.legend), gap, width);
}

/// Each variant against the base, all with the same columns.
void put_against(const CompareView& view,
                 const RowLabels& labels,
                 std::size_t width,
                 TextSink& sink) {
    std::vector<TextTable> tables;
    std::size_t num_omitted = 0;
    for (const ViewTable& table : view.against) {
        tables.emplace_back(table, width);
        num_omitted = std::max(num_omitted, tables.back().too_many());
    }
    if (num_omitted > 0) {
        std::string names;
        for (std::size_t i = 0; i < num_omitted; ++i)
            names +=
                (i == 0 ? "" : ", ") + view.against.front().header[view.against.front().may_go[i]];
        put_hanging(sink, "", "omitted (too narrow): " + names, gap, width);
    }
    for (std::size_t i = 0; i < tables.size(); ++i) {
        sink.put('\n');
        const std::string number = labels.numbers.empty() ? "" : labels.numbers[i + 1] + "  ";
        put_hanging(sink, number, terminal_text(view.against[i].title), number.size(), width);
        tables[i].put(sink, tables[i].columns_without(num_omitted));
        if (!view.against[i].below.empty())
            put_hanging(sink, "", terminal_text(view.against[i].below), gap, width);
    }
}

} // namespace

void write_compare_table(const Comparison& comparison,
                         const CompareQuestion& question,
                         std::size_t terminal,
                         TextSink& sink) {
    const CompareView view = view_of(comparison, question);
    const std::size_t width = std::max(terminal, min_width);
    std::vector<std::string> names;
    for (const ComparedVariant& variant : comparison.variants)
        names.push_back(terminal_text(variant.label));
    const RowLabels labels = row_labels(names, width / 4);
    put_hanging(sink, "", terminal_text(view.title), 0, width);
    for (std::size_t i = 0; i < labels.numbers.size(); ++i)
        put_hanging(sink,
                    fmt::format("  {}", labels.numbers[i]),
                    names[i],
                    labels.numbers[i].size() + 2 * gap,
                    width);
    for (const std::string& note : view.notes)
        put_hanging(sink, "", terminal_text(note), gap, width);
    if (!view.overview.rows.empty())
        put_overview(view, labels, width, sink);
    if (!view.equal.empty())
        put_hanging(sink, "", terminal_text("equal for all: " + view.equal), gap, width);
    for (const std::string& caveat : view.caveats)
        put_hanging(sink, "", terminal_text(caveat), gap, width);
    put_against(view, labels, width, sink);
    if (view.goal) {
        sink.put('\n');
        put_section(*view.goal, width, sink);
    }
}

}} // namespace bursar::reports
