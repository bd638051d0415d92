#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "reports/text/text_sink.hpp"

/// Workbooks of spreadsheets (Office Open XML). The library behind this is known to workbook.cpp
/// alone; where it was not installed, none of this is built.
namespace bursar { inline namespace reports {

/// Nothing, a text or a number. A text is never a formula, whatever it begins with.
using SheetCell = std::variant<std::monostate, std::string, double>;

enum class SheetFormat : std::uint8_t {
    text,
    dollars, ///< to the cent
    hours,   ///< to a tenth
    rate,    ///< to a thousandth
    number   ///< as it is
};

struct SheetColumn {
    std::string title;
    SheetFormat format{};
    double width{}; ///< in digits
};

/// A table with its header. What is shown is rounded, what is kept is not.
struct Sheet {
    std::string name; ///< at most 31 characters
    std::vector<SheetColumn> columns;
    std::vector<std::vector<SheetCell>> rows; ///< each as long as `columns`
    /// Below them: a text, or the sum of a column, which the spreadsheet works out from it; empty:
    /// no sums.
    std::vector<SheetCell> total{};
};

/// Writes a workbook; equal sheets are equal files. Throws ReportError where it cannot be made.
void write_workbook(const std::vector<Sheet>& sheets, TextSink& sink);

}} // namespace bursar::reports
