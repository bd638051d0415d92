#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/throughputs/throughput_table.hpp"
#include "scenarios/trace_formats/record_formats.hpp"
#include "scenarios/traces/text/csv_writer.hpp"
#include "scenarios/traces/text/line_reader.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/text/text_row.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A field of a line, and its meaning; empty: it is not read.
struct GavelField {
    std::string_view name;
    std::string_view read_as{};
};

namespace gavel_field {

constexpr GavelField type{"job type", "job"};
constexpr GavelField command{"command"};
constexpr GavelField directory{"working directory"};
constexpr GavelField argument{"step argument"};
constexpr GavelField needs_data{"needs data"};
constexpr GavelField steps{"total steps"};
constexpr GavelField steps_as_time{"total steps", "duration"};
constexpr GavelField gpus{"GPUs", "gpus"};
constexpr GavelField mode{"mode", "class"};
constexpr GavelField weight{"priority weight"};
constexpr GavelField slo{"SLO"};
constexpr GavelField duration{"duration", "duration"};
constexpr GavelField arrival{"arrival", "submit"};

} // namespace gavel_field

/// The generations of the format differ in the number and the order of their fields.
constexpr std::array of_7{gavel_field::type,
                          gavel_field::command,
                          gavel_field::argument,
                          gavel_field::needs_data,
                          gavel_field::steps_as_time,
                          gavel_field::arrival,
                          gavel_field::gpus};
constexpr std::array of_10{gavel_field::type,
                           gavel_field::command,
                           gavel_field::directory,
                           gavel_field::argument,
                           gavel_field::needs_data,
                           gavel_field::steps_as_time,
                           gavel_field::gpus,
                           gavel_field::weight,
                           gavel_field::slo,
                           gavel_field::arrival};
constexpr std::array of_12{gavel_field::type,
                           gavel_field::command,
                           gavel_field::directory,
                           gavel_field::argument,
                           gavel_field::needs_data,
                           gavel_field::steps,
                           gavel_field::gpus,
                           gavel_field::mode,
                           gavel_field::weight,
                           gavel_field::slo,
                           gavel_field::duration,
                           gavel_field::arrival};
constexpr std::array<std::string_view, 3> modes{"static", "accordion", "gns"};

using Fields = std::span<const GavelField>;

/// The place of a field; absent where the generation lacks it.
std::optional<std::size_t> find(Fields fields, std::string_view name) {
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i].name == name)
            return i;
    return std::nullopt;
}

void split_at_tabs(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    for (std::size_t tab = line.find('\t'); tab != line.npos; tab = line.find('\t')) {
        fields.push_back(line.substr(0, tab));
        line.remove_prefix(tab + 1);
    }
    fields.push_back(line);
}

/// Whether the line has these fields, with numbers where they belong.
bool has_fields(const std::vector<std::string_view>& line, Fields fields) {
    return line.size() == fields.size() &&
           parse_count(line[*find(fields, gavel_field::gpus.name)]) &&
           parse_count(line[*find(fields, gavel_field::steps.name)]) &&
           parse_seconds(line[*find(fields, gavel_field::arrival.name)]);
}

std::vector<std::string_view> first_fields(std::string_view beginning) {
    std::vector<std::string_view> fields;
    split_at_tabs(first_line_of(beginning), fields);
    return fields;
}

/// Reads lines of one generation.
class GavelLines {
  public:
    GavelLines(Fields fields, TraceBuilder& trace) : fields_{fields}, trace_{trace} {
        std::vector<std::string> names;
        for (const GavelField& field : fields) {
            names.emplace_back(field.name);
            trace.note_column(names.back(), field.read_as);
        }
        trace.begin(std::move(names), TimeForm::seconds);
        columns_.submit = *find(fields, gavel_field::arrival.name);
        columns_.duration = find(fields, gavel_field::duration.name);
        has_steps_ = !columns_.duration;
        if (has_steps_)
            columns_.duration = find(fields, gavel_field::steps.name);
        columns_.gpus = *find(fields, gavel_field::gpus.name);
        columns_.name = find(fields, gavel_field::type.name);
        columns_.job_class = find(fields, gavel_field::mode.name);
    }

    void take(std::vector<std::string_view>& line, std::uint64_t number, const char* begin) {
        TextRow row{line, number, begin, {}, {}, {}};
        if (line.size() == fields_.size()) {
            if (refuses(row))
                return;
            if (has_steps_) {
                places_.clear();
                for (std::size_t field = 0; field < line.size(); ++field)
                    places_.push_back(row.place(field));
                if (!replace_steps(row, line))
                    return;
                row.places = places_;
            }
        }
        trace_.add(row, columns_);
    }

  private:
    /// Whether the job has what cannot be read; notes it.
    bool refuses(const TextRow& row) {
        const auto bad = [&](std::size_t field, Finding problem) {
            trace_.add_bad(row.place(field), std::string{fields_[field].name}, std::move(problem));
            return true;
        };
        const auto text_of = [&](const std::optional<std::size_t>& field) {
            return row.fields[*field];
        };
        const auto w = find(fields_, gavel_field::weight.name);
        if (w && parse_seconds(text_of(w)) != 1000)
            return bad(*w,
                       mistake(in_quotes(text_of(w)) + " is not read",
                               "only jobs of weight 1 are: what another weight does is up to a "
                               "policy"));
        const auto s = find(fields_, gavel_field::slo.name);
        if (s && !text_of(s).starts_with('-'))
            return bad(*s,
                       mistake(in_quotes(text_of(s)) + " is not read",
                               "only -1, none, is: what an SLO does is up to a policy",
                               "`deadline` of a class"));
        const auto m = find(fields_, gavel_field::mode.name);
        if (m && std::ranges::find(modes, text_of(m)) == modes.end())
            return bad(*m,
                       mistake(in_quotes(text_of(m)) + " is no mode",
                               "expected static, accordion or gns"));
        return false;
    }

    /// Puts the run time in the place of the steps; false for a job that has none, which it notes.
    /// Malformed numbers are left to the builder.
    bool replace_steps(const TextRow& row, std::vector<std::string_view>& line) {
        const auto total = parse_count(line[*columns_.duration]);
        const auto gang = parse_count(line[columns_.gpus]);
        const std::optional<CountRange>& chosen = trace_.options().select.gpus;
        if (!total || !gang || *gang == 0 || (chosen && !chosen->contains(*gang)))
            return true;
        const MeasuredSteps& known = trace_.options().steps;
        const std::string_view job = line[*columns_.name];
        const auto bad = [&](std::string_view what, std::string_view why) {
            trace_.add_bad(
                row.place(*columns_.name),
                std::string{gavel_field::type.name},
                mistake(fmt::format("{} on {} GPUs {} {}", in_quotes(job), *gang, what, known.gpu),
                        std::string{why}));
            return false;
        };
        const auto rate =
            known.table->steps_per_s(job, known.gpu, static_cast<std::uint32_t>(*gang));
        if (!rate)
            return bad("was not measured on", "its run time is its steps at the measured speed");
        const double seconds = *rate > 0 ? static_cast<double>(*total) / *rate : 0;
        if (*rate == 0 || seconds > 1e11)
            return bad("does not run on", "its measured speed is 0, or near to it");
        text_ = format_seconds(std::llround(1000 * seconds));
        line[*columns_.duration] = text_;
        return true;
    }

    Fields fields_;
    TraceBuilder& trace_;
    TraceColumns columns_;
    bool has_steps_{};
    std::string text_;
    std::vector<FieldPlace> places_;
};

void read_lines(ByteSource& bytes, TraceBuilder& trace, std::optional<Fields> only) {
    LineReader reader{bytes, trace.options().file};
    std::optional<GavelLines> lines;
    std::vector<std::string_view> fields;
    while (const std::optional<std::string_view> line = reader.next()) {
        if (line->empty())
            continue;
        split_at_tabs(*line, fields);
        if (!lines)
            lines.emplace(only.value_or(fields.size() == of_7.size() ? Fields{of_7} : of_10),
                          trace);
        lines->take(fields, reader.line(), line->data());
    }
}

} // namespace

bool begins_like_gavel(std::string_view beginning) {
    const std::vector<std::string_view> line = first_fields(beginning);
    return has_fields(line, of_7) || has_fields(line, of_10);
}

void read_gavel(ByteSource& bytes, TraceBuilder& trace) {
    const MeasuredSteps& known = trace.options().steps;
    if (known.table == nullptr || known.gpu.empty())
        fail_option(trace.options(),
                    "file",
                    mistake("has no run times",
                            "a run time is the steps of a job at the measured speed of its type",
                            "a scenario with `workload.speeds.file` and `workload.gpu` has both"));
    trace.assume(fmt::format(
        "run times are the steps of the trace at the speeds of {} on {}, to the millisecond",
        known.table->file(),
        known.gpu));
    read_lines(bytes, trace, std::nullopt);
}

bool begins_like_shockwave(std::string_view beginning) {
    return has_fields(first_fields(beginning), of_12);
}

void read_shockwave(ByteSource& bytes, TraceBuilder& trace) {
    trace.assume("run times of jobs whose batch size changes (modes accordion and gns) are those "
                 "of the trace, on any number of GPUs that they may get");
    read_lines(bytes, trace, of_12);
}

}} // namespace bursar::scenarios
