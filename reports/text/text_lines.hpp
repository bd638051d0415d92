#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/text/text_sink.hpp"

/// Plain text in lines and columns.
namespace bursar { inline namespace reports {

inline constexpr std::string_view indent = "  "; ///< of lines under a heading

/// A line without blanks at its end.
void put_line(TextSink& sink, std::string_view line);

/// A title on its own line; nothing where it is empty.
void put_heading(TextSink& sink, std::string_view title);

/// `line`, and `text` in the columns from `from` to `width`, on as many lines as it takes.
void put_hanging(
    TextSink& sink, std::string line, std::string_view text, std::size_t from, std::size_t width);

/// `text` (valid UTF-8 without control characters) in lines of at most `width` columns, broken at
/// blanks, but not before a "%"; a longer word is broken where it must be. width: >= 2. Never
/// empty: a text without words is one empty line.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

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
