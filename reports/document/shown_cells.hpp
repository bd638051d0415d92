#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/document/document.hpp"

/// Cells as people read them.
namespace bursar { inline namespace reports {

/// "12.35" and "ms", "43.2" and "%", "gpt-175b" without unit, "yes".
struct CellText {
    std::string value;
    std::string unit; ///< empty: none
};

/// A cell on its own, in the multiple of its unit that suits its size.
[[nodiscard]] CellText cell_text(const Cell& cell, std::string_view unit);

/// Whether column `index` of `table` is aligned left.
[[nodiscard]] bool is_words(const ReportTable& table, std::size_t index);

/// A column of a table for a terminal.
struct TextColumn {
    std::vector<std::string> header; ///< lines; the last one is the unit where it is one for all
    std::vector<std::string> cells;  ///< one per row, a line each
    bool is_words{};                 ///< aligned left, and wrapped where it is too wide
    std::size_t width{};             ///< columns of the widest cell and word of the header
};

/// Column `index` of `table`: numbers in one unit and with one number of decimals where they are of
/// like size, else each with its own unit.
[[nodiscard]] TextColumn text_column(const ReportTable& table, std::size_t index);

}} // namespace bursar::reports
