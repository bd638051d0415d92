#pragma once

#include <cstddef>

#include "reports/document/document.hpp"
#include "reports/text/text_sink.hpp"

/// Parts of a document for a terminal.
namespace bursar { inline namespace reports {

/// The title, then label, number, unit and note in columns.
void put_terminal_facts(const Facts& facts, std::size_t width, TextSink& sink);

/// The title, the labels of the columns over as many lines as they need, the rows, the note. Where
/// the table does not fit, these steps follow until it does: columns of text are squeezed and their
/// cells wrapped; columns that may be are omitted; those that say the same in all rows are said
/// once above it; what is left is parted into several tables, each behind the first column.
void put_terminal_table(const ReportTable& table, std::size_t width, TextSink& sink);

}} // namespace bursar::reports
