#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/traces/csv_table.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar::inline scenarios {
namespace {

void check_mapped_names(const CsvTable& table, const TraceOptions& options) {
    std::vector<std::string> known;
    for (const CsvColumn& column : table.columns)
        known.emplace_back(column.name);
    for (const auto& [own, theirs] : options.columns)
        if (std::ranges::find(known, own) == known.end())
            fail_option(options,
                        "columns." + own,
                        mistake("unknown column name", {}, suggestion(own, known)));
}

/// Whether the column would bind jobs to a kind of GPU though nobody asked for it: a file whose
/// columns are mapped is somebody's own, and a column that is not mapped is called so by chance.
bool binds_unasked(const CsvColumn& column, const TraceOptions& options) {
    return column.field == TraceField::gpu_type && !options.columns.empty() &&
           !options.columns.contains(std::string{column.name});
}

/// The field of `column`. One that was mapped must be there; one that was not may be missing.
std::optional<std::size_t>
field_of(const CsvColumn& column, const CsvHeader& header, const TraceOptions& options) {
    const auto mapped = options.columns.find(std::string{column.name});
    if (mapped != options.columns.end()) {
        if (const auto index = header.find(mapped->second))
            return index;
        fail_option(options,
                    "columns." + mapped->first,
                    header.missing(mapped->second, "of " + options.file));
    }
    const std::array names{column.name, column.other_names[0], column.other_names[1]};
    if (column.need == ColumnNeed::optional)
        return header.find(names);
    return header.require(names, column.hint);
}

void set_field(TraceColumns& columns, TraceField field, std::size_t index) {
    switch (field) {
    case TraceField::job:
        columns.name = index;
        return;
    case TraceField::submit:
        columns.submit = index;
        return;
    case TraceField::duration:
        columns.duration = index;
        return;
    case TraceField::finish:
        columns.finish = index;
        return;
    case TraceField::gpus:
        columns.gpus = index;
        return;
    case TraceField::gpu_milli:
        columns.gpu_milli = index;
        return;
    case TraceField::gpu_type:
        columns.gpu_types = index;
        return;
    case TraceField::ran_on:
        columns.ran_on = index;
        return;
    case TraceField::cpu_milli:
        columns.cpu_milli = index;
        return;
    case TraceField::memory_mib:
        columns.memory_mib = index;
        return;
    case TraceField::tenant:
        columns.tenant = index;
        return;
    case TraceField::state:
        columns.state = index;
        return;
    case TraceField::requested_time:
        columns.asked = index;
        return;
    case TraceField::priority:
        columns.priority = index;
        return;
    case TraceField::gpu_time:
        return;
    }
}

} // namespace

std::string telling_columns(const CsvTable& table) {
    std::vector<std::string_view> names;
    for (const CsvColumn& column : table.columns)
        if (column.need == ColumnNeed::tells)
            names.push_back(column.name);
    return fmt::format("{}", fmt::join(names, std::string_view{&table.delimiter, 1}));
}

void read_csv_table(const CsvTable& table, ByteSource& bytes, TraceBuilder& trace) {
    CsvReader reader{bytes, trace.options().file, table.delimiter};
    const CsvHeader header{reader};
    check_mapped_names(table, trace.options());
    trace.begin(header.names(), table.times, table.states);
    TraceColumns columns;
    for (const CsvColumn& column : table.columns) {
        if (column.field == TraceField::gpu_time)
            continue;
        const auto index = field_of(column, header, trace.options());
        if (index && binds_unasked(column, trace.options()))
            trace.assume(fmt::format("jobs may run on any GPU: column {0} of the trace is not "
                                     "mapped (`columns: {{{0}: {0}}}` binds each job to its own)",
                                     column.name));
        else if (index)
            set_field(columns, column.field, *index);
    }
    while (const TextRow* row = reader.next())
        trace.add(*row, columns);
}

} // namespace bursar::inline scenarios
