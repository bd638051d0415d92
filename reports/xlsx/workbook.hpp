#pragma once

#include <string>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/text/text_sink.hpp"

/// Workbooks of spreadsheets (Office Open XML). The library behind this is known to workbook.cpp
/// alone; where it was not installed, none of this is built.
namespace bursar { inline namespace reports {

/// A sheet that prints on one landscape page: tables one below the other, with a bar chart beside
/// each that has several rows. The first column of a table names its rows, the second is drawn.
struct SummarySheet {
    std::string title;               ///< of the page, not of the sheet
    double total{};                  ///< USD, large
    std::vector<std::string> lines;  ///< below it
    std::vector<ReportTable> tables; ///< title: above each
};

/// Writes a workbook with a sheet "Summary", and one per table, called as its title (at most 31
/// characters); equal tables are equal files. A text is never a formula, whatever it begins with.
/// Numbers are shown rounded, as their unit has it (USD, GPU-hours, USD per GPU-hour, %), and kept
/// as they are; those of a last row of RowKind::sum are worked out by the spreadsheet. Sheets print
/// as wide as one landscape page, with their header on every page. Throws ReportError where the
/// workbook cannot be made.
void write_workbook(const SummarySheet& summary,
                    const std::vector<ReportTable>& tables,
                    TextSink& sink);

}} // namespace bursar::reports
