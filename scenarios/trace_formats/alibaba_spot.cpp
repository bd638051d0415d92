#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
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

constexpr std::string_view gpu_column = "gpu_request";
constexpr std::string_view cpu_column = "cpu_request";
constexpr std::string_view workers_column = "worker_num";

/// What a column of the table is read as, without those that are multiplied by the workers.
struct PlainColumn {
    std::string_view name;
    RecordField field{};
    std::string_view read_as;
    bool optional{};
};
constexpr std::array plain_columns{
    PlainColumn{"job_name", RecordField::job, "job"},
    PlainColumn{"organization", RecordField::tenant, "tenant"},
    PlainColumn{"gpu_model", RecordField::gpu_type, "gpu_type", true},
    PlainColumn{"submit_time", RecordField::submit, "submit"},
    PlainColumn{"duration", RecordField::duration, "duration"},
    PlainColumn{"job_type", RecordField::job_class, "class"}};

/// Thousandths of a decimal number.
std::optional<std::int64_t> thousandths_of(std::string_view text) {
    constexpr std::array whole{AmountUnit{"", 1000, 1}};
    return parse_amount(text, whole);
}

/// Makes jobs of the rows of the table.
class SpotJobs {
  public:
    SpotJobs(const CsvHeader& header, TraceBuilder& trace)
        : names_{header.names()}, trace_{trace}, gpus_{header.require(gpu_column)},
          cpus_{header.require(cpu_column)}, workers_{header.require(workers_column)} {
        std::vector<std::string> names(RecordRow::num_fields);
        std::vector<std::string_view> read_as(names_.size());
        for (std::size_t i = 0; i < plain_columns.size(); ++i) {
            const PlainColumn& column = plain_columns[i];
            fields_[i] = column.optional ? header.find(column.name)
                                         : std::optional{header.require(column.name)};
            names[static_cast<std::size_t>(column.field)] = column.name;
            if (fields_[i])
                read_as[*fields_[i]] = column.read_as;
        }
        names[static_cast<std::size_t>(RecordField::gpus)] = gpu_column;
        names[static_cast<std::size_t>(RecordField::cpu_milli)] = cpu_column;
        read_as[gpus_] = "gpus";
        read_as[cpus_] = "cpu_milli";
        read_as[workers_] = "gpus";
        for (std::size_t i = 0; i < names_.size(); ++i)
            trace.note_column(names_[i], read_as[i]);
        trace.begin(std::move(names), TimeForm::seconds);
    }

    void take(const TextRow& line) {
        if (!line.problem.empty())
            return trace_.add_bad(line.problem_place, {}, mistake(std::string{line.problem}));
        if (line.fields.size() != names_.size())
            return trace_.add_bad(line.place(std::min(line.fields.size(), names_.size())),
                                  {},
                                  mistake(fmt::format("{} fields where {} are expected",
                                                      line.fields.size(),
                                                      names_.size())));
        RecordRow row;
        for (std::size_t i = 0; i < plain_columns.size(); ++i)
            if (fields_[i])
                row.set(plain_columns[i].field, line.fields[*fields_[i]], line.place(*fields_[i]));
        if (!read_needs(line, row))
            return;
        TraceColumns columns = row.columns_with_more();
        columns.memory_mib.reset();
        columns.state.reset();
        columns.requested.reset();
        if (fields_[2])
            columns.gpu_types = static_cast<std::size_t>(RecordField::gpu_type);
        columns.job_class = static_cast<std::size_t>(RecordField::job_class);
        trace_.add(row.row(line.line), columns);
    }

  private:
    bool bad(const TextRow& line, std::size_t field, Finding problem) {
        trace_.add_bad(line.place(field), names_[field], std::move(problem));
        return false;
    }

    /// Sets what all workers need; false for numbers that are none, which it notes.
    bool read_needs(const TextRow& line, RecordRow& row) {
        const std::string_view type = row.text(RecordField::job_class);
        if (type != "HP" && type != "Spot")
            return bad(line,
                       *fields_.back(),
                       mistake(in_quotes(type) + " is no type of job", "expected HP or Spot"));
        const auto workers = parse_count(line.fields[workers_]);
        if (!workers || *workers == 0 || *workers > 1'000'000)
            return bad(line,
                       workers_,
                       mistake(in_quotes(line.fields[workers_]) + " is not a number of workers"));
        const auto gpus = thousandths_of(line.fields[gpus_]);
        if (!gpus || (*gpus > 1000 && *gpus % 1000 != 0))
            return bad(line,
                       gpus_,
                       mistake(in_quotes(line.fields[gpus_]) + " is not a request for GPUs",
                               "expected whole GPUs, or a part of one"));
        if (*gpus == 0 && line.fields[gpus_].find_first_of("123456789") != std::string_view::npos)
            return bad(
                line,
                gpus_,
                mistake(in_quotes(line.fields[gpus_]) + " is less than a thousandth of a GPU",
                        "requests are read in thousandths"));
        const auto cpus = thousandths_of(line.fields[cpus_]);
        if (!cpus)
            return bad(
                line, cpus_, mistake(in_quotes(line.fields[cpus_]) + " is not a number of cores"));
        const bool is_part = *gpus > 0 && *gpus < 1000;
        row.set(RecordField::gpus, *workers * (is_part ? 1 : *gpus / 1000), line.place(gpus_));
        row.set(RecordField::gpu_milli, is_part ? *gpus : 1000, line.place(gpus_));
        row.set(RecordField::cpu_milli, *workers * *cpus, line.place(cpus_));
        return true;
    }

    const std::vector<std::string>& names_;
    TraceBuilder& trace_;
    std::array<std::optional<std::size_t>, plain_columns.size()> fields_;
    std::size_t gpus_;
    std::size_t cpus_;
    std::size_t workers_;
};

} // namespace

bool begins_like_alibaba_spot(std::string_view beginning) {
    const std::string_view header = first_line_of(beginning);
    return header.starts_with("job_name,") && header.find(gpu_column) != header.npos &&
           header.find(workers_column) != header.npos && header.find("job_type") != header.npos;
}

void read_alibaba_spot(ByteSource& bytes, TraceBuilder& trace) {
    CsvReader reader{bytes, trace.options().file};
    const CsvHeader header{reader};
    SpotJobs jobs{header, trace};
    while (const TextRow* const row = reader.next())
        jobs.take(*row);
}

}} // namespace bursar::scenarios
