#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/answer/answer.hpp"

namespace bursar {

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

/// One cell on its own, with its unit: "12.35 ms", "43.2 %", "gpt-175b", "yes".
[[nodiscard]] std::string cell_text(const AnswerCell& cell, std::string_view unit);

} // namespace bursar
