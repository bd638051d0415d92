#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "scenarios/traces/trace_format.hpp"

/// Formats that are a table of columns: how they are told, read and written.
namespace bursar { inline namespace scenarios {

struct TraceOptions;

/// The columns whose presence tells the format, in its order, with its delimiter between.
std::string telling_columns(const CsvTable& table);

/// What stands between the columns of a file that begins so: the table's own delimiter, or the one
/// of `,` `;` `|` and tab that parts its header into the columns that are needed.
char delimiter_in(std::string_view beginning, const CsvTable& table, const TraceOptions& options);

/// Feeds the whole file to the builder; its columns go by the names of TraceOptions::columns where
/// those are given. Throws ScenarioError for a column that is missing.
void read_csv_table(const CsvTable& table, ByteSource& bytes, TraceBuilder& trace);

/// Writes `trace` as `format`, which is a written table. Throws ScenarioError for a trace without
/// dates where the format knows no other times.
void write_csv_table(const TraceFormat& format, const Trace& trace, std::ostream& out);

/// What of a trace the table has columns for.
FormatHolds holds_of(const CsvTable& table);

}} // namespace bursar::scenarios
