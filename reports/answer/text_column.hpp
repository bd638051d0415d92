#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace reports {

/// A column of an answer's table as people read it.
struct TextColumn {
    std::vector<std::string> header; ///< lines; the last one is the unit where it is one for all
    std::vector<std::string> cells;  ///< one per row, a line each
    bool numeric{};                  ///< aligned right and never broken
    std::size_t width{};             ///< columns of the widest cell and word of the header
};

/// Column `index` of `table`: numbers in one unit and with one number of decimals where they are of
/// like size, else each with its own unit.
[[nodiscard]] TextColumn text_column(const AnswerTable& table, std::size_t index);

/// One cell as people read it: "12.35" and "ms", "43.2" and "%", "gpt-175b" without unit, "yes".
struct CellText {
    std::string value;
    std::string unit; ///< empty: none
};

/// A cell on its own, in the multiple of its unit that suits its size.
[[nodiscard]] CellText cell_text(const AnswerCell& cell, std::string_view unit);

}} // namespace bursar::reports
