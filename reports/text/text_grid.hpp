#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "reports/text/text_sink.hpp"

/// Tables of plain text: bills, comparisons, answers, validation. Each decides how wide its columns
/// are; how rows stand in them is the same for all.
namespace bursar { inline namespace reports {

struct GridColumn {
    std::size_t width{};
    bool is_words{};    ///< aligned left; figures are aligned right
    std::size_t gap{2}; ///< blanks before it
};

/// A cell of several lines.
using GridCell = std::vector<std::string>;

/// The columns that a whole row takes.
[[nodiscard]] std::size_t width_of(std::span<const GridColumn> columns);

/// One line: a cell per column, each as a terminal shows it. A cell wider than its column pushes
/// the others to the right.
[[nodiscard]] std::string grid_line(std::span<const GridColumn> columns,
                                    std::span<const std::string> cells);

/// Where the lines of a cell stand that has fewer than its neighbours.
enum class GridSide : unsigned char { top, bottom };

/// The lines of one row, without blanks at their ends.
void put_grid_row(TextSink& sink,
                  std::span<const GridColumn> columns,
                  std::span<const GridCell> cells,
                  GridSide side = GridSide::top);

}} // namespace bursar::reports
