#include "scenarios/traces/trace_builder.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "models/units/units.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/traces/row_problem.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/text/timestamps.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

bool is_amount(std::optional<std::int64_t> value) {
    return value && *value <= std::numeric_limits<std::uint32_t>::max();
}

bool is_share(std::optional<std::int64_t> milli) {
    return milli && *milli >= 1 && *milli <= 1000;
}

/// A number of GPUs; 0 only for a row that requests CPU or memory.
bool has_gpus(std::optional<std::int64_t> gpus,
              std::optional<std::int64_t> cpu_milli,
              std::optional<std::int64_t> memory_mib) {
    return is_amount(gpus) &&
           (*gpus > 0 || cpu_milli.value_or(0) > 0 || memory_mib.value_or(0) > 0);
}

/// Thirteen digits: milliseconds since 1970 from 2001 on.
bool is_epoch_ms(std::string_view text) {
    return text.size() == 13 && parse_milliseconds(text).has_value();
}

/// A whole number of at most 1e9, with or without a sign.
std::optional<std::int32_t> parse_priority(std::string_view text) {
    const bool negative = text.starts_with('-');
    const std::optional<std::int64_t> size = parse_count(text.substr(negative ? 1 : 0));
    if (!size || *size > max_priority)
        return std::nullopt;
    return static_cast<std::int32_t>(negative ? -*size : *size);
}

/// Seconds; 0 where the text says that there are none.
std::optional<std::int64_t> parse_seconds_or_none(std::string_view text) {
    return text.empty() || text.front() == '-' ? 0 : parse_seconds(text);
}

std::optional<std::int64_t> parse_option(const TraceOptions& options,
                                         const std::optional<std::string>& text,
                                         const char* path,
                                         TimeZone& zone) {
    if (!text)
        return std::nullopt;
    const std::optional<std::int64_t> instant = zone.date_or_timestamp(*text);
    if (!instant)
        fail_option(options,
                    path,
                    mistake(in_quotes(*text) + " is not a date",
                            "expected e.g. \"2017-10-09\" or \"2017-10-09 12:00:00\""));
    return instant;
}

} // namespace

TraceBuilder::TraceBuilder(const TraceOptions& options) : options_{options} {
    const std::optional<TimeZone> zone = TimeZone::of(options.zone);
    if (!zone)
        fail_option(options,
                    "zone",
                    mistake(in_quotes(options.zone) + " is not a zone",
                            "expected UTC, an offset such as +08:00, or a name such as "
                            "Europe/Berlin"));
    zone_ = *zone;
    const TraceSelect& select = options.select;
    start_utc_ms_ = parse_option(options, options.start, "start", zone_);
    from_utc_ms_ = parse_option(options, select.from, "select.from", zone_);
    to_utc_ms_ = parse_option(options, select.to, "select.to", zone_);
    selects_ = select.gpus || !select.tenants.empty() || from_utc_ms_ || to_utc_ms_;
    if (select.first.value_or(1) < 1)
        fail_option(options, "select.first", mistake("fewer than 1 row"));
    gpu_types_.number_of({});
    ran_on_.number_of({});
    classes_.number_of({});
}

void TraceBuilder::begin(std::vector<std::string> column_names,
                         TimeForm time_form,
                         std::span<const StateWord> states) {
    column_names_ = std::move(column_names);
    states_ = states;
    time_form_ = time_form;
    if (time_form != TimeForm::either)
        check_time_options();
}

void TraceBuilder::set_zero_utc_ms(std::int64_t zero_utc_ms) {
    file_zero_utc_ms_ = zero_utc_ms;
    check_time_options();
}

void TraceBuilder::settle_time_form(std::string_view submit) {
    const bool stamp = submit.find('-', 1) != std::string_view::npos;
    time_form_ = stamp ? TimeForm::stamp : TimeForm::seconds;
    check_time_options();
}

/// Decides whether submit times are instants, and checks the options for times.
void TraceBuilder::check_time_options() {
    const bool is_instant = time_form_ == TimeForm::stamp || time_form_ == TimeForm::epoch ||
                            time_form_ == TimeForm::epoch_ms;
    const bool file_is_dated = is_instant || file_zero_utc_ms_;
    if (file_is_dated && start_utc_ms_)
        fail_option(options_,
                    "start",
                    mistake("this trace has dates",
                            "start dates a trace with relative times",
                            "remove it"));
    dated_ = file_is_dated || start_utc_ms_;
    if (!is_instant)
        base_ms_ = file_zero_utc_ms_.value_or(start_utc_ms_.value_or(0));
    if (!dated_ && (from_utc_ms_ || to_utc_ms_))
        fail_option(options_,
                    from_utc_ms_ ? "select.from" : "select.to",
                    mistake("this trace has no dates",
                            "its times are relative",
                            "give the date of time zero as start"));
}

std::optional<std::int64_t> TraceBuilder::parse_time(std::string_view text) {
    if (time_form_ == TimeForm::stamp)
        return zone_.timestamp(text);
    if (time_form_ == TimeForm::epoch_ms)
        return parse_milliseconds(text);
    const std::optional<std::int64_t> seconds = parse_seconds(text);
    return seconds ? std::optional{*seconds + base_ms_} : std::nullopt;
}

std::optional<JobEnd> TraceBuilder::parse_state(std::string_view text) const {
    const auto* const known = std::ranges::find(states_, text, &StateWord::word).base();
    return known != states_.data() + states_.size() ? std::optional{known->end} : std::nullopt;
}

TraceBuilder::Job TraceBuilder::parse(const TextRow& row, const TraceColumns& columns) {
    Job job;
    job.submit = parse_time(row.fields[columns.submit]);
    if (columns.duration) {
        job.duration = parse_seconds(row.fields[*columns.duration]);
    } else if (columns.finish) {
        const std::optional<std::int64_t> finish = parse_time(row.fields[*columns.finish]);
        const std::optional<std::int64_t> start =
            columns.start ? parse_time(row.fields[*columns.start]) : job.submit;
        if (finish && start && *finish >= *start)
            job.duration = *finish - *start;
    }
    job.gpus = parse_count(row.fields[columns.gpus]);
    if (columns.gpu_milli)
        job.gpu_milli = parse_count(row.fields[*columns.gpu_milli]);
    if (columns.cpu_milli)
        job.cpu_milli = parse_count(row.fields[*columns.cpu_milli]);
    if (columns.memory_mib)
        job.memory_mib = parse_count(row.fields[*columns.memory_mib]);
    if (columns.state)
        job.end = parse_state(row.fields[*columns.state]);
    if (columns.priority)
        job.priority = parse_priority(row.fields[*columns.priority]);
    if (columns.requested)
        job.requested = parse_seconds_or_none(row.fields[*columns.requested]);
    if (columns.checkpoint)
        job.checkpoint = parse_seconds_or_none(row.fields[*columns.checkpoint]);
    if (columns.think)
        job.think = parse_seconds_or_none(row.fields[*columns.think]);
    if (columns.deadline)
        job.due_after = parse_deadline(row.fields[*columns.deadline], job.submit);
    return job;
}

/// Time from the submit to the deadline; absent where it is not after the submit.
std::optional<std::int64_t> TraceBuilder::parse_deadline(std::string_view text,
                                                         std::optional<std::int64_t> submit) {
    if (text.empty() || text.front() == '-')
        return 0;
    const std::optional<std::int64_t> due = parse_time(text);
    return due && submit && *due > *submit ? std::optional{*due - *submit} : std::nullopt;
}

/// False if `select` excludes the row; reject() handles malformed fields.
bool TraceBuilder::selected(const Job& job, const TextRow& row, const TraceColumns& columns) {
    const TraceSelect& select = options_.select;
    if (columns.tenant && !select.tenants.empty())
        seen_tenants_.number_of(row.fields[*columns.tenant]);
    if (select.gpus && job.gpus && !select.gpus->contains(*job.gpus))
        return false;
    if (!select.tenants.empty() &&
        (!columns.tenant ||
         std::ranges::find(select.tenants, row.fields[*columns.tenant]) == select.tenants.end()))
        return false;
    if (!job.submit)
        return true;
    if (from_utc_ms_ && *job.submit < *from_utc_ms_) {
        if (*job.submit + job.duration.value_or(0) > *from_utc_ms_)
            ++trace_.num_cut_off;
        return false;
    }
    return !to_utc_ms_ || *job.submit < *to_utc_ms_;
}

void TraceBuilder::add(const TextRow& row, const TraceColumns& columns) {
    ++trace_.num_rows_read;
    if (!row.problem.empty() || row.fields.size() != column_names_.size()) [[unlikely]] {
        reject_malformed(row);
        return;
    }
    if (time_form_ == TimeForm::either) [[unlikely]]
        settle_time_form(row.fields[columns.submit]);
    const Job job = parse(row, columns);
    if (selects_ && !selected(job, row, columns)) {
        ++trace_.num_not_selected;
        note_absent(row, columns);
        return;
    }
    if (!usable(job, columns)) [[unlikely]] {
        note_absent(row, columns);
        return reject(job, row, columns);
    }
    append(job, row, columns);
    if (columns.duration && columns.start && columns.finish)
        compare_span(job, row, columns);
}

/// Notes the name of a row that is left out: others need not wait for it.
void TraceBuilder::note_absent(const TextRow& row, const TraceColumns& columns) {
    if (columns.after && columns.name)
        needs_.add_absent(row.fields[*columns.name]);
}

/// Notes the job, the last one of the trace, if its run time is not, to the second, from its start
/// to its finish.
void TraceBuilder::compare_span(const Job& job, const TextRow& row, const TraceColumns& columns) {
    const std::optional<std::int64_t> start = parse_time(row.fields[*columns.start]);
    const std::optional<std::int64_t> finish = parse_time(row.fields[*columns.finish]);
    if (!start || !finish || std::abs(*finish - *start - *job.duration) <= second.count())
        return;
    other_spans_.push_back({trace_.size() - 1, row.line});
    span_columns_ = columns;
}

bool TraceBuilder::usable(const Job& job, const TraceColumns& columns) {
    if (!job.submit || !job.duration || !has_gpus(job.gpus, job.cpu_milli, job.memory_mib))
        return false;
    // A row without GPUs has no share of one, whatever its column says.
    return (!columns.gpu_milli || *job.gpus == 0 || is_share(job.gpu_milli)) &&
           (!columns.cpu_milli || is_amount(job.cpu_milli)) &&
           (!columns.memory_mib || is_amount(job.memory_mib)) && (!columns.state || job.end) &&
           (!columns.priority || job.priority) && (!columns.requested || job.requested) &&
           (!columns.deadline || job.due_after) && (!columns.checkpoint || job.checkpoint) &&
           (!columns.think || job.think);
}

void TraceBuilder::append(const Job& job, const TextRow& row, const TraceColumns& columns) {
    trace_.submit_ms.push_back(*job.submit);
    trace_.duration_ms.push_back(*job.duration);
    trace_.gpus.push_back(static_cast<std::uint32_t>(*job.gpus));
    trace_.line.push_back(row.line);
    if (columns.gpu_milli) {
        trace_.gpu_milli.resize(trace_.gpus.size() - 1, 1000); // rows before the first with a share
        trace_.gpu_milli.push_back(*job.gpus == 0 ? std::uint16_t{1000}
                                                  : static_cast<std::uint16_t>(*job.gpu_milli));
    }
    if (columns.cpu_milli)
        trace_.cpu_milli.push_back(static_cast<std::uint32_t>(*job.cpu_milli));
    if (columns.memory_mib)
        trace_.memory_mib.push_back(static_cast<std::uint32_t>(*job.memory_mib));
    if (columns.state)
        trace_.end.push_back(*job.end);
    if (columns.requested)
        trace_.requested_ms.push_back(*job.requested);
    if (columns.priority)
        trace_.priority.push_back(*job.priority);
    if (columns.tenant)
        trace_.tenant.push_back(number(tenants_, *columns.tenant, row));
    if (columns.gpu_types)
        trace_.gpu_types.push_back(number(gpu_types_, *columns.gpu_types, row));
    if (columns.ran_on)
        trace_.ran_on.push_back(number(ran_on_, *columns.ran_on, row));
    if (columns.job_class)
        trace_.job_class.push_back(number(classes_, *columns.job_class, row));
    if (columns.deadline)
        trace_.due_after_ms.push_back(*job.due_after);
    if (columns.checkpoint)
        trace_.checkpoint_ms.push_back(*job.checkpoint);
    if (columns.think)
        trace_.think_ms.push_back(*job.think);
    if (columns.after) {
        needs_field_ = *columns.after;
        needs_.add(trace_.size() - 1, row.fields[*columns.after], row.place(*columns.after));
    }
    if (columns.name) {
        trace_.names += row.fields[*columns.name];
        trace_.name_end.push_back(trace_.names.size());
    }
}

std::uint16_t TraceBuilder::number(NameTable& table, std::size_t field, const TextRow& row) const {
    const std::optional<std::uint16_t> number = table.number_of(row.fields[field]);
    if (!number)
        fail_input({options_.file, row.line, 0},
                   column_names_[field],
                   mistake("more than 65536 different values"));
    return *number;
}

void TraceBuilder::reject_malformed(const TextRow& row) {
    if (!row.problem.empty()) {
        note(row.problem_place, {}, mistake(std::string{row.problem}));
        return;
    }
    const std::size_t expected = column_names_.size();
    const std::size_t found = row.fields.size();
    note(row.place(std::min(expected, found)),
         {},
         mistake(fmt::format("{} fields where {} are expected", found, expected)));
}

/// What is wrong with a text that is no time of the file's form.
TraceBuilder::TimeProblem TraceBuilder::time_problem() const {
    return time_form_ == TimeForm::stamp      ? timestamp_problem
           : time_form_ == TimeForm::epoch_ms ? epoch_ms_problem
                                              : seconds_problem;
}

/// Whether a time is wrong; notes the mistake.
bool TraceBuilder::rejects_times(const Job& job, const TextRow& row, const TraceColumns& columns) {
    const auto field = [&](std::size_t index, Finding problem) {
        note(row.place(index), column_names_[index], std::move(problem));
        return true;
    };
    if (!job.submit) {
        Finding problem = time_problem()(row.fields[columns.submit]);
        if (time_form_ == TimeForm::seconds && is_epoch_ms(row.fields[columns.submit]))
            problem.suggestion = "`times: epoch-ms` reads milliseconds since 1970";
        return field(columns.submit, std::move(problem));
    }
    if (job.duration)
        return false;
    if (columns.duration)
        return field(*columns.duration, seconds_problem(row.fields[*columns.duration]));
    if (columns.start && !parse_time(row.fields[*columns.start]))
        return field(*columns.start, time_problem()(row.fields[*columns.start]));
    const std::string_view finish = row.fields[*columns.finish];
    if (!parse_time(finish))
        return field(*columns.finish, time_problem()(finish));
    return field(*columns.finish,
                 mistake("negative duration",
                         in_quotes(finish) +
                             (columns.start ? " is before the start" : " is before the submit")));
}

void TraceBuilder::reject(const Job& job, const TextRow& row, const TraceColumns& columns) {
    if (rejects_times(job, row, columns))
        return;
    const auto field = [&](std::size_t index, Finding problem) {
        note(row.place(index), column_names_[index], std::move(problem));
    };
    const std::string_view gpus = row.fields[columns.gpus];
    if (columns.cpu_milli && !is_amount(job.cpu_milli))
        return field(*columns.cpu_milli, amount_problem(row.fields[*columns.cpu_milli]));
    if (columns.memory_mib && !is_amount(job.memory_mib))
        return field(*columns.memory_mib, amount_problem(row.fields[*columns.memory_mib]));
    if (!has_gpus(job.gpus, job.cpu_milli, job.memory_mib))
        return field(columns.gpus, gpus_problem(gpus));
    if (columns.gpu_milli && *job.gpus > 0 && !is_share(job.gpu_milli))
        return field(*columns.gpu_milli, gpu_milli_problem(row.fields[*columns.gpu_milli]));
    if (columns.requested && !job.requested)
        return field(*columns.requested, seconds_problem(row.fields[*columns.requested]));
    if (columns.priority && !job.priority)
        return field(*columns.priority, priority_problem(row.fields[*columns.priority]));
    if (columns.checkpoint && !job.checkpoint)
        return field(*columns.checkpoint, seconds_problem(row.fields[*columns.checkpoint]));
    if (columns.think && !job.think)
        return field(*columns.think, seconds_problem(row.fields[*columns.think]));
    if (columns.deadline && !job.due_after) {
        const std::string_view due = row.fields[*columns.deadline];
        return field(*columns.deadline,
                     parse_time(due) ? mistake(in_quotes(due) + " is not after the submit")
                                     : time_problem()(due));
    }
    field(*columns.state, state_problem(row.fields[*columns.state], states_));
}

void TraceBuilder::add_bad(FieldPlace place, std::string path, Finding problem) {
    ++trace_.num_rows_read;
    note(place, std::move(path), std::move(problem));
}

void TraceBuilder::leave_out(FieldPlace place, Finding why) {
    ++trace_.num_rows_read;
    ++trace_.num_left_out;
    why.place = {options_.file, place.line, place.column};
    const std::string cause = why.problem;
    left_out_.add(std::move(why), cause);
}

void TraceBuilder::note(FieldPlace place, std::string path, Finding problem) {
    ++trace_.num_bad_rows;
    problem.place = {options_.file, place.line, place.column};
    problem.path = std::move(path);
    const std::string cause = problem.path + ": " + problem.problem + ": " + problem.why;
    mistakes_.add(std::move(problem), cause);
}

}} // namespace bursar::scenarios
