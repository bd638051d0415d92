#include "scenarios/trace_formats/registry.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/trace_formats/csv_formats.hpp"
#include "scenarios/trace_formats/record_formats.hpp"
#include "scenarios/trace_formats/sacct_columns.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/text/line_reader.hpp"

namespace bursar { inline namespace scenarios {
namespace {

// The only list. A new format adds its description and a row here.
constexpr std::array formats{
    generic_csv::format,
    philly_csv::format,
    helios_csv::format,
    arrival_csv::format,
    openb_csv::format,
    tiresias_csv::format,
    sacct_format,
    pbs_accounting_format,
    lsb_acct_format,
    kubectl_json_format,
    gavel_format,
    shockwave_format,
    alibaba_spot_format,
    sia_format,
    swf_format, // last: any line of 18 words matches
};

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const TraceFormat& format : formats)
        all.emplace_back(format.name);
    return all;
}

bool has_identifying_columns(const CsvTable& table, const std::vector<std::string>& header) {
    return std::ranges::all_of(table.columns, [&](const CsvColumn& column) {
        return column.need != ColumnNeed::identifies ||
               std::ranges::find(header, column.name) != header.end();
    });
}

/// The first table whose columns are in the first row, split by the table's delimiter or, if there
/// is none, by another one.
const TraceFormat* recognised_by_columns(std::string_view beginning, const std::string& file) {
    std::array<std::vector<std::string>, delimiters.size()> headers;
    for (std::size_t i = 0; i < delimiters.size(); ++i)
        headers[i] = first_row(beginning, file, delimiters[i]);
    for (const bool by_own : {true, false})
        for (const TraceFormat& format : formats)
            for (std::size_t i = 0; i < delimiters.size() && format.csv != nullptr; ++i)
                if ((format.csv->delimiter == delimiters[i]) == by_own &&
                    has_identifying_columns(*format.csv, headers[i]))
                    return &format;
    return nullptr;
}

/// The first columns of a header, for a message that also lists formats.
std::string first_columns(std::string_view header_line) {
    constexpr std::size_t max_bytes = 30;
    const std::size_t end = header_line.size() <= max_bytes
                                ? header_line.npos
                                : header_line.find_last_of(",;|\t ", max_bytes);
    return in_quotes(header_line.substr(0, end)) + (end == header_line.npos ? "" : "...");
}

/// The suggestion for an unknown header, which may differ only in capitals.
std::string header_hint(std::string_view header_line, const std::string& file) {
    if (is_sacct_line(header_line))
        return "these are lines of `sacct --noheader`: print the header, or give the format and "
               "the "
               "positions (`--format sacct --columns JobID=1,Submit=2,...`)";
    const std::string small = lower_case(header_line);
    for (const TraceFormat& format : formats)
        for (const char delimiter : delimiters)
            if (format.csv != nullptr &&
                has_identifying_columns(*format.csv, first_row(small, file, delimiter)))
                return fmt::format("the columns of {} are {} (case-sensitive)",
                                   format.name,
                                   identifying_columns(*format.csv));
    return "name one, or map the columns of csv";
}

} // namespace

std::span<const TraceFormat> trace_formats() {
    return formats;
}

const TraceFormat* find_trace_format(std::string_view name) {
    const std::vector<std::string> known = names();
    const std::string* meant = meant_name(name, known);
    return meant == nullptr ? nullptr : &formats[static_cast<std::size_t>(meant - known.data())];
}

Finding not_a_format(std::string_view name) {
    return mistake(in_quotes(name) + " is not a trace format", {}, suggestion(name, names()));
}

const TraceFormat& recognise_format(std::string_view beginning, const std::string& file) {
    for (const TraceFormat& format : formats)
        if (format.csv == nullptr && format.begins_like(beginning))
            return format;
    if (const TraceFormat* const format = recognised_by_columns(beginning, file))
        return *format;
    const std::string_view header_line = first_line_of(beginning);
    fail_input({file, 1, 0},
               "format",
               mistake("not recognised by the header line " + first_columns(header_line),
                       "formats: " + listed_names(names()),
                       header_hint(header_line, file)));
}

}} // namespace bursar::scenarios
