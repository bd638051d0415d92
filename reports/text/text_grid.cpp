#include "reports/text/text_grid.hpp"

#include <algorithm>
#include <cassert>

#include "reports/text/display_width.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar { inline namespace reports {

std::size_t width_of(std::span<const GridColumn> columns) {
    std::size_t sum = 0;
    for (const GridColumn& column : columns)
        sum += column.gap + column.width;
    return sum;
}

std::string grid_line(std::span<const GridColumn> columns, std::span<const std::string> cells) {
    assert(cells.size() == columns.size());
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        line.append(columns[i].gap, ' ');
        line += columns[i].is_words ? left_aligned(cells[i], columns[i].width)
                                    : right_aligned(cells[i], columns[i].width);
    }
    return line;
}

void put_grid_row(TextSink& sink,
                  std::span<const GridColumn> columns,
                  std::span<const GridCell> cells,
                  GridSide side) {
    std::size_t height = 0;
    for (const GridCell& cell : cells)
        height = std::max(height, cell.size());
    for (std::size_t line = 0; line < height; ++line) {
        std::vector<std::string> texts;
        for (const GridCell& cell : cells) {
            const std::size_t above = side == GridSide::bottom ? height - cell.size() : 0;
            const bool is_blank = line < above || line - above >= cell.size();
            texts.push_back(is_blank ? std::string{} : cell[line - above]);
        }
        put_line(sink, grid_line(columns, texts));
    }
}

}} // namespace bursar::reports
