#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_format.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Names of fields, by TraceField.
constexpr std::array<std::string_view, 21> field_names{
    "job",      "submit", "duration",  "start",      "finish", "gpus",       "gpu_milli",
    "gpu_type", "ran_on", "cpu_milli", "memory_mib", "tenant", "state",      "requested_time",
    "priority", "class",  "deadline",  "checkpoint", "after",  "think_time", "gpu_time"};

std::string_view name_of(TraceField field) {
    return field_names[static_cast<std::size_t>(field)];
}

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

/// Whether a column may have its name by accident: in a file with mapped columns, an unmapped one
/// of these names is not meant.
bool is_accident(const CsvColumn& column, const TraceOptions& options) {
    constexpr std::array meant_when_mapped{TraceField::gpu_type,
                                           TraceField::job_class,
                                           TraceField::deadline,
                                           TraceField::checkpoint,
                                           TraceField::after,
                                           TraceField::think_time};
    return std::ranges::find(meant_when_mapped, column.field) != meant_when_mapped.end() &&
           !options.columns.empty() && !options.columns.contains(std::string{column.name});
}

/// The name in the file of a mapped `column`.
std::string_view mapped_name(const CsvColumn& column, const TraceOptions& options) {
    const auto mapped = options.columns.find(std::string{column.name});
    return mapped == options.columns.end() ? column.name : std::string_view{mapped->second};
}

bool has_name(const std::vector<std::string>& header, std::string_view name) {
    return std::ranges::find(header, name) != header.end();
}

/// Whether run times are the time between two columns.
bool has_start_and_finish(const CsvTable& table,
                          const std::vector<std::string>& header,
                          const TraceOptions& options) {
    const auto has = [&](TraceField field) {
        return std::ranges::any_of(table.columns, [&](const CsvColumn& column) {
            return column.field == field && has_name(header, mapped_name(column, options));
        });
    };
    return has(TraceField::start) && has(TraceField::finish);
}

TimeForm form_of(const CsvTable& table, const TraceOptions& options) {
    switch (options.times) {
    case WrittenTimes::as_seen:
        return table.times;
    case WrittenTimes::epoch:
        return TimeForm::epoch;
    case WrittenTimes::epoch_ms:
        return TimeForm::epoch_ms;
    }
    return table.times;
}

/// Notes each column of the file and its meaning; read_as: by field.
void note_columns(const CsvHeader& header,
                  const std::vector<std::string_view>& read_as,
                  TraceBuilder& trace) {
    for (std::size_t i = 0; i < header.names().size(); ++i)
        trace.note_column(header.names()[i], read_as[i]);
}

/// The field of `column`. A mapped column must exist; another one may be missing.
std::optional<std::size_t> field_of(const CsvColumn& column,
                                    const CsvHeader& header,
                                    const TraceOptions& options,
                                    bool with_start_and_finish) {
    const auto mapped = options.columns.find(std::string{column.name});
    if (mapped != options.columns.end()) {
        if (const auto index = header.find(mapped->second))
            return index;
        fail_option(options,
                    "columns." + mapped->first,
                    header.missing(mapped->second, "of " + options.file));
    }
    const std::array names{column.name, column.other_names[0], column.other_names[1]};
    const bool is_optional = column.need == ColumnNeed::optional ||
                             (column.field == TraceField::duration && with_start_and_finish);
    if (is_optional)
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
    case TraceField::start:
        columns.start = index;
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
        columns.requested = index;
        return;
    case TraceField::priority:
        columns.priority = index;
        return;
    case TraceField::job_class:
        columns.job_class = index;
        return;
    case TraceField::deadline:
        columns.deadline = index;
        return;
    case TraceField::checkpoint:
        columns.checkpoint = index;
        return;
    case TraceField::after:
        columns.after = index;
        return;
    case TraceField::think_time:
        columns.think = index;
        return;
    case TraceField::gpu_time:
        return;
    }
}

} // namespace

std::string identifying_columns(const CsvTable& table) {
    std::vector<std::string_view> names;
    for (const CsvColumn& column : table.columns)
        if (column.need == ColumnNeed::identifies)
            names.push_back(column.name);
    return fmt::format("{}", fmt::join(names, std::string_view{&table.delimiter, 1}));
}

char delimiter_in(std::string_view beginning, const CsvTable& table, const TraceOptions& options) {
    const auto parts = [&](char delimiter) {
        const std::vector<std::string> header = first_row(beginning, options.file, delimiter);
        const bool with_run = has_start_and_finish(table, header, options);
        return std::ranges::all_of(table.columns, [&](const CsvColumn& column) {
            return column.need == ColumnNeed::optional ||
                   (column.field == TraceField::duration && with_run) ||
                   has_name(header, mapped_name(column, options));
        });
    };
    if (parts(table.delimiter))
        return table.delimiter;
    const auto other = std::ranges::find_if(delimiters, parts);
    return other == delimiters.end() ? table.delimiter : *other;
}

void read_csv_table(const CsvTable& table, ByteSource& bytes, TraceBuilder& trace) {
    CsvReader reader{bytes, trace.options().file, table.delimiter};
    const CsvHeader header{reader};
    check_mapped_names(table, trace.options());
    trace.begin(header.names(), form_of(table, trace.options()), table.states);
    const bool with_run = has_start_and_finish(table, header.names(), trace.options());
    TraceColumns columns;
    std::vector<std::string_view> read_as(header.names().size());
    for (const CsvColumn& column : table.columns) {
        if (column.field == TraceField::gpu_time)
            continue;
        const auto index = field_of(column, header, trace.options(), with_run);
        if (index && is_accident(column, trace.options())) {
            if (column.field == TraceField::gpu_type)
                trace.assume(
                    fmt::format("jobs may run on any GPU: column {0} of the trace is not "
                                "mapped (`columns: {{{0}: {0}}}` binds each job to its own)",
                                column.name));
        } else if (index) {
            set_field(columns, column.field, *index);
            read_as[*index] = name_of(column.field);
        }
    }
    if (columns.duration && with_run)
        for (const auto& derived : {columns.start, columns.finish})
            read_as[*derived] = {};
    note_columns(header, read_as, trace);
    while (const TextRow* row = reader.next())
        trace.add(*row, columns);
}

}} // namespace bursar::scenarios
