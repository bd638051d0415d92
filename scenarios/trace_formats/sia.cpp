#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/throughputs/pollux_profiles.hpp"
#include "scenarios/throughputs/throughput_table.hpp"
#include "scenarios/trace_formats/record_formats.hpp"
#include "scenarios/traces/record_row.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/text/csv_reader.hpp"
#include "scenarios/traces/text/line_reader.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/text/text_row.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::array<std::string_view, 5> sia_columns{
    "name", "time", "application", "num_replicas", "batch_size"};
constexpr std::array<std::string_view, 5> sia_meanings{"job", "submit", "class", "gpus", "class"};

/// Makes jobs of the rows of a workload.
class SiaJobs {
  public:
    SiaJobs(const CsvHeader& header, TraceBuilder& trace)
        : num_fields_{header.names().size()}, trace_{trace} {
        std::vector<std::string_view> meanings(num_fields_);
        for (std::size_t i = 0; i < sia_columns.size(); ++i) {
            fields_[i] = header.require(sia_columns[i]);
            meanings[fields_[i]] = sia_meanings[i];
        }
        for (std::size_t i = 0; i < num_fields_; ++i)
            trace.note_column(header.names()[i], meanings[i]);
        std::vector<std::string> names(RecordRow::num_fields);
        names[static_cast<std::size_t>(RecordField::job)] = "name";
        names[static_cast<std::size_t>(RecordField::submit)] = "time";
        names[static_cast<std::size_t>(RecordField::gpus)] = "num_replicas";
        names[static_cast<std::size_t>(RecordField::duration)] = "application";
        trace.begin(std::move(names), TimeForm::seconds);
        columns_ = RecordRow::columns;
        columns_.cpu_milli.reset();
        columns_.memory_mib.reset();
        columns_.tenant.reset();
        columns_.state.reset();
        columns_.requested.reset();
        columns_.job_class = static_cast<std::size_t>(RecordField::job_class);
    }

    void take(const TextRow& line) {
        if (!line.problem.empty())
            return trace_.add_bad(line.problem_place, {}, mistake(std::string{line.problem}));
        if (line.fields.size() != num_fields_)
            return trace_.add_bad(line.place(std::min(line.fields.size(), num_fields_)),
                                  {},
                                  mistake(fmt::format("{} fields where {} are expected",
                                                      line.fields.size(),
                                                      num_fields_)));
        const auto [name, time, application, replicas, batch] = fields_;
        const std::string type = pollux_job_type(line.fields[application], line.fields[batch]);
        RecordRow row;
        row.set(RecordField::job, line.fields[name], line.place(name));
        row.set(RecordField::submit, line.fields[time], line.place(time));
        row.set(RecordField::gpus, line.fields[replicas], line.place(replicas));
        row.set(RecordField::job_class, type, line.place(application));
        row.set(RecordField::duration, "0", line.place(application));
        const auto gpus = parse_count(line.fields[replicas]);
        const std::optional<CountRange>& chosen = trace_.options().select.gpus;
        const bool is_read = gpus && *gpus > 0 && (!chosen || chosen->contains(*gpus));
        if (is_read) {
            const MeasuredSteps& known = trace_.options().steps;
            const auto runs_per_s =
                known.table->steps_per_s(type, known.gpu, static_cast<std::uint32_t>(*gpus));
            if (!runs_per_s || *runs_per_s <= 1e-11)
                return trace_.add_bad(
                    line.place(application),
                    "application",
                    mistake(fmt::format("{} on {} GPUs was not measured on {}",
                                        in_quotes(type),
                                        *gpus,
                                        known.gpu),
                            "its run time is that of its profile at its batch size"));
            row.set_seconds(
                RecordField::duration, std::llround(1000 / *runs_per_s), line.place(application));
        }
        trace_.add(row.row(line.line), columns_);
    }

  private:
    std::size_t num_fields_{};
    TraceBuilder& trace_;
    std::array<std::size_t, sia_columns.size()> fields_{};
    TraceColumns columns_;
};

} // namespace

bool begins_like_sia(std::string_view beginning) {
    return first_line_of(beginning).starts_with("name,time,application,num_replicas,batch_size");
}

void read_sia(ByteSource& bytes, TraceBuilder& trace) {
    const MeasuredSteps& known = trace.options().steps;
    if (known.table == nullptr || known.gpu.empty())
        fail_option(
            trace.options(),
            "file",
            mistake("has no run times",
                    "a run time follows from the profile of the application",
                    "a scenario with `workload.speeds: {file: FOLDER, format: pollux-profiles}` "
                    "and `workload.gpu: T4` has both"));
    trace.assume(fmt::format("run times are those of the profiles in {} on {}, with the batch size "
                             "and the GPUs of the trace on the fewest nodes of four",
                             known.table->file(),
                             known.gpu));
    CsvReader reader{bytes, trace.options().file};
    const CsvHeader header{reader};
    SiaJobs jobs{header, trace};
    while (const TextRow* const row = reader.next())
        jobs.take(*row);
}

}} // namespace bursar::scenarios
