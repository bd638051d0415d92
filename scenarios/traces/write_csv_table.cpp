#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/text/csv_writer.hpp"
#include "scenarios/traces/text/timestamps.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Times of a trace as stamps in UTC, for formats without other times.
class DatedSubmit {
  public:
    /// Throws ScenarioError when `trace` has no dates; format: for the message.
    DatedSubmit(const Trace& trace, std::string_view format) : format_{format} {
        if (!trace.zero_utc_ms)
            fail_input({},
                       "format",
                       mistake(std::string{format} + " needs dates and this trace has none",
                               {},
                               "give the date of time zero as start"));
        zero_utc_ms_ = *trace.zero_utc_ms;
    }

    /// Throws ScenarioError past the year 9999, where stamps end.
    [[nodiscard]] std::string stamp(std::int64_t since_zero_ms) const {
        const std::int64_t instant = zero_utc_ms_ + since_zero_ms;
        if (instant > last_stamp_utc_ms)
            fail_input(
                {}, "format", mistake(std::string{format_} + " has no dates past the year 9999"));
        return format_timestamp(instant);
    }

  private:
    static constexpr std::int64_t last_stamp_utc_ms = 253'402'300'799'999;

    std::string_view format_;
    std::int64_t zero_utc_ms_{};
};

bool has(const Trace& trace, TraceField field) {
    switch (field) {
    case TraceField::job:
        return !trace.name_end.empty();
    case TraceField::submit:
    case TraceField::duration:
    case TraceField::start:
    case TraceField::finish:
    case TraceField::gpus:
    case TraceField::gpu_time:
        return true;
    case TraceField::gpu_milli:
        return !trace.gpu_milli.empty();
    case TraceField::gpu_type:
        return !trace.gpu_types.empty();
    case TraceField::ran_on:
        return !trace.ran_on.empty();
    case TraceField::cpu_milli:
        return !trace.cpu_milli.empty();
    case TraceField::memory_mib:
        return !trace.memory_mib.empty();
    case TraceField::job_class:
        return !trace.job_class.empty();
    case TraceField::deadline:
        return !trace.due_after_ms.empty();
    case TraceField::checkpoint:
        return !trace.checkpoint_ms.empty();
    case TraceField::after:
        return !trace.needs.empty();
    case TraceField::think_time:
        return !trace.think_ms.empty();
    case TraceField::tenant:
        return !trace.tenant.empty();
    case TraceField::state:
        return !trace.end.empty();
    case TraceField::requested_time:
        return !trace.requested_ms.empty();
    case TraceField::priority:
        return !trace.priority.empty();
    }
    return false;
}

std::vector<CsvColumn> written_columns(const CsvTable& table, const Trace& trace) {
    std::vector<CsvColumn> columns;
    for (const CsvColumn& column : table.columns)
        if (column.write == ColumnWrite::always ||
            (column.write == ColumnWrite::if_any && has(trace, column.field)))
            columns.push_back(column);
    return columns;
}

/// Writes the fields of one trace.
class FieldWriter {
  public:
    FieldWriter(const TraceFormat& format, const Trace& trace, std::ostream& out)
        : table_{*format.csv}, trace_{trace}, csv_{out, table_.delimiter} {
        const bool dated = table_.times == TimeForm::stamp ||
                           (table_.times == TimeForm::either && trace.zero_utc_ms);
        if (dated)
            dated_.emplace(trace, format.name);
    }

    void write_header(const std::vector<CsvColumn>& columns) {
        for (const CsvColumn& column : columns)
            csv_.text(column.name);
        csv_.end_row();
    }

    void write_row(const std::vector<CsvColumn>& columns, std::size_t row) {
        for (const CsvColumn& column : columns)
            write(column.field, row);
        csv_.end_row();
    }

  private:
    void write(TraceField field, std::size_t row) {
        switch (field) {
        case TraceField::job:
            write_name(row);
            return;
        case TraceField::submit:
        case TraceField::start: // as if no job waited
            write_instant(trace_.submit_ms[row]);
            return;
        case TraceField::duration:
            csv_.seconds(trace_.duration_ms[row]);
            return;
        case TraceField::finish:
            write_instant(trace_.submit_ms[row] + trace_.duration_ms[row]);
            return;
        case TraceField::gpus:
            csv_.number(trace_.gpus[row]);
            return;
        case TraceField::gpu_milli:
            csv_.number(trace_.gpu_milli.empty() ? 1000 : trace_.gpu_milli[row]);
            return;
        case TraceField::gpu_type:
            write_gpu_types(row);
            return;
        case TraceField::ran_on:
            csv_.text(trace_.ran_on.empty() ? "" : trace_.ran_on_gpus[trace_.ran_on[row]]);
            return;
        case TraceField::cpu_milli:
            csv_.number(trace_.cpu_milli.empty() ? 0 : trace_.cpu_milli[row]);
            return;
        case TraceField::memory_mib:
            csv_.number(trace_.memory_mib.empty() ? 0 : trace_.memory_mib[row]);
            return;
        case TraceField::tenant:
            csv_.text(trace_.tenants[trace_.tenant.empty() ? 0 : trace_.tenant[row]]);
            return;
        case TraceField::state:
            write_state(row);
            return;
        case TraceField::requested_time:
            csv_.seconds(trace_.requested_ms.empty() ? 0 : trace_.requested_ms[row]);
            return;
        case TraceField::priority:
            csv_.number(trace_.priority.empty() ? 0 : trace_.priority[row]);
            return;
        case TraceField::job_class:
            csv_.text(trace_.job_class.empty() ? "" : trace_.classes[trace_.job_class[row]]);
            return;
        case TraceField::deadline:
            if (trace_.due_after_ms.empty() || trace_.due_after_ms[row] == 0)
                csv_.text("");
            else
                write_instant(trace_.submit_ms[row] + trace_.due_after_ms[row]);
            return;
        case TraceField::checkpoint:
            if (trace_.checkpoint_ms.empty() || trace_.checkpoint_ms[row] == 0)
                csv_.text("");
            else
                csv_.seconds(trace_.checkpoint_ms[row]);
            return;
        case TraceField::after:
            write_needs(row);
            return;
        case TraceField::think_time:
            csv_.seconds(trace_.think_ms.empty() ? 0 : trace_.think_ms[row]);
            return;
        case TraceField::gpu_time:
            csv_.seconds(trace_.duration_ms[row] * trace_.gpus[row]);
            return;
        }
    }

    void write_name(std::size_t row) {
        if (trace_.name_end.empty())
            csv_.number(static_cast<std::int64_t>(row));
        else
            csv_.text(trace_.name(row));
    }

    /// As in write_name; each name once, as it means all jobs that have it.
    void write_needs(std::size_t row) {
        std::vector<std::string> names;
        for (const std::uint32_t other : trace_.needs.of(row)) {
            std::string name =
                trace_.name_end.empty() ? std::to_string(other) : std::string{trace_.name(other)};
            if (std::ranges::find(names, name) == names.end())
                names.push_back(std::move(name));
        }
        csv_.text(fmt::format("{}", fmt::join(names, "|")));
    }

    /// Writes a stamp with its zone, unless it can only be read as UTC.
    void write_instant(std::int64_t since_zero_ms) {
        if (!dated_)
            csv_.seconds(since_zero_ms);
        else
            csv_.text(dated_->stamp(since_zero_ms) + (table_.times == TimeForm::either ? "Z" : ""));
    }

    void write_gpu_types(std::size_t row) {
        const std::size_t set = trace_.gpu_types.empty() ? 0 : trace_.gpu_types[row];
        csv_.text(trace_.gpu_types.empty()
                      ? ""
                      : fmt::format("{}", fmt::join(trace_.gpu_type_sets[set], "|")));
    }

    void write_state(std::size_t row) {
        const JobEnd end = trace_.end.empty() ? JobEnd::completed : trace_.end[row];
        csv_.text(table_.state_names[static_cast<std::size_t>(end)]);
    }

    const CsvTable& table_;
    const Trace& trace_;
    CsvWriter csv_;
    std::optional<DatedSubmit> dated_;
};

} // namespace

void write_csv_table(const TraceFormat& format, const Trace& trace, std::ostream& out) {
    assert(format.csv != nullptr && format.csv->written);
    const std::vector<CsvColumn> columns = written_columns(*format.csv, trace);
    FieldWriter writer{format, trace, out};
    writer.write_header(columns);
    for (std::size_t row = 0; row < trace.size(); ++row)
        writer.write_row(columns, row);
}

FormatHolds holds_of(const CsvTable& table) {
    const auto has_column = [&](TraceField field) {
        return std::ranges::find(table.columns, field, &CsvColumn::field) != table.columns.end();
    };
    return {.dates = table.times != TimeForm::seconds,
            .names = has_column(TraceField::job),
            .tenants = has_column(TraceField::tenant),
            .states = has_column(TraceField::state),
            .gpu_milli = has_column(TraceField::gpu_milli),
            .gpu_types = has_column(TraceField::gpu_type),
            .ran_on = has_column(TraceField::ran_on),
            .cpu_and_memory = has_column(TraceField::cpu_milli),
            .requested_times = has_column(TraceField::requested_time),
            .priorities = has_column(TraceField::priority),
            .classes = has_column(TraceField::job_class),
            .deadlines = has_column(TraceField::deadline),
            .checkpoints = has_column(TraceField::checkpoint),
            .needs = has_column(TraceField::after)};
}

}} // namespace bursar::scenarios
