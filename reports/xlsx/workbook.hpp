#pragma once

#include <vector>

#include "reports/document/document.hpp"
#include "reports/text/text_sink.hpp"

/// Workbooks of spreadsheets (Office Open XML). The library behind this is known to workbook.cpp
/// alone; where it was not installed, none of this is built.
namespace bursar { inline namespace reports {

/// Writes a workbook with a sheet per table, called as its title (at most 31 characters); equal
/// tables are equal files. A text is never a formula, whatever it begins with. Numbers are shown
/// rounded, as their unit has it (USD, GPU-hours, USD per GPU-hour), and kept as they are; those of
/// a last row of RowKind::sum are worked out by the spreadsheet. Throws ReportError where the
/// workbook cannot be made.
void write_workbook(const std::vector<ReportTable>& tables, TextSink& sink);

}} // namespace bursar::reports
