#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/units/units.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/trace_formats/record_formats.hpp"
#include "scenarios/trace_formats/slurm_tres.hpp"
#include "scenarios/trace_formats/state_words.hpp"
#include "scenarios/traces/record_row.hpp"
#include "scenarios/traces/text/line_reader.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/text/text_row.hpp"
#include "scenarios/traces/text/timestamps.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The fields of a line of sacct.
struct SacctFields {
    std::size_t job{};
    std::size_t submit{};
    std::size_t elapsed{};
    bool elapsed_is_raw{}; ///< seconds, not hours:minutes:seconds
    std::size_t state{};
    std::size_t tres{};
    std::optional<std::size_t> start, end, tenant, limit;
    bool limit_is_raw{}; ///< minutes
};

/// Makes jobs of the lines of sacct: one of each group of consecutive lines with the same job.
class SacctRecords {
  public:
    /// names: of the columns, by field. `trace` must outlive this.
    SacctRecords(SacctFields fields, std::vector<std::string> names, TraceBuilder& trace);

    void take(const TextRow& line);
    /// Called after the last line.
    void finish();

  private:
    /// One run of a job. At most one of `left_out` and `problem` is set.
    struct Run {
        RecordRow row;
        std::uint64_t line{};
        std::optional<Finding> left_out;
        std::optional<Finding> problem; ///< its path is a column
        FieldPlace problem_place;
    };

    [[nodiscard]] Run read(const TextRow& line);
    [[nodiscard]] std::optional<Finding> why_left_out(const TextRow& line) const;
    void read_times(const TextRow& line, Run& run) const;
    void read_resources(const TextRow& line, Run& run);
    void note_problem(Run& run, const TextRow& line, std::size_t field, Finding problem) const;
    void begin(std::string_view submit);
    void flush();
    void add(Run& run, const std::string& first_submit, bool is_read);

    SacctFields fields_;
    std::vector<std::string> names_;
    TraceBuilder& trace_;
    bool begun_{};
    bool has_parts_{}; // "123+0": of a heterogeneous job
    std::string job_;  // of the runs kept so far
    std::vector<Run> runs_;
    std::unordered_set<std::string> read_; // by id and submit: jobs that are in the trace
    std::set<std::string> gpu_types_;
};

/// Ends of jobs by Slurm's states, in the words of `state_words`; work is kept only if the job
/// completed. A preempted job without a later run never finished.
struct SlurmState {
    std::string_view word;
    std::string_view end; ///< empty: the job has not ended
};
constexpr std::array slurm_states{
    SlurmState{"COMPLETED", "completed"},
    SlurmState{"FAILED", "failed"},
    SlurmState{"CANCELLED", "cancelled"},
    SlurmState{"TIMEOUT", "failed"},
    SlurmState{"OUT_OF_MEMORY", "failed"},
    SlurmState{"DEADLINE", "failed"},
    SlurmState{"NODE_FAIL", "node_failed"},
    SlurmState{"BOOT_FAIL", "node_failed"},
    SlurmState{"PREEMPTED", "cancelled"},
    SlurmState{"REVOKED", ""},
    SlurmState{"RUNNING", ""},
    SlurmState{"PENDING", ""},
    SlurmState{"SUSPENDED", ""},
    SlurmState{"REQUEUED", ""},
    SlurmState{"RESIZING", ""},
    SlurmState{"COMPLETING", ""},
    SlurmState{"CONFIGURING", ""},
    SlurmState{"REQUEUE_HOLD", ""},
    SlurmState{"REQUEUE_FED", ""},
    SlurmState{"SPECIAL_EXIT", ""},
    SlurmState{"SIGNALING", ""},
    SlurmState{"STAGE_OUT", ""},
    SlurmState{"STOPPED", ""},
};

/// "CANCELLED" of "CANCELLED by 1000".
std::string_view state_word(std::string_view text) {
    return text.substr(0, text.find(' '));
}

const SlurmState* find_state(std::string_view text) {
    const auto found = std::ranges::find(slurm_states, state_word(text), &SlurmState::word);
    return found == slurm_states.end() ? nullptr : &*found;
}

bool is_no_instant(std::string_view text) {
    return text.empty() || text == "Unknown" || text == "None";
}

/// Compares two times of the same form: dates, or whole seconds.
bool is_before(const std::string& a, const std::string& b) {
    return std::pair{a.size(), a} < std::pair{b.size(), b};
}

Finding clock_problem(std::string_view text) {
    return mistake(in_quotes(text) + " is not a time span", "[days-]hours:minutes:seconds");
}

SacctRecords::SacctRecords(SacctFields fields, std::vector<std::string> names, TraceBuilder& trace)
    : fields_{fields}, names_{std::move(names)}, trace_{trace} {}

/// Whether times are dates or, with SLURM_TIME_FORMAT=%s, seconds since 1970: the first submit
/// decides.
void SacctRecords::begin(std::string_view submit) {
    const bool is_epoch = !submit.empty() && submit.find_first_not_of("0123456789") == submit.npos;
    const auto named = [&](const std::optional<std::size_t>& field) {
        return field ? names_[*field] : std::string{};
    };
    const std::string& tres = names_[fields_.tres];
    trace_.begin({names_[fields_.job],
                  names_[fields_.submit],
                  names_[fields_.elapsed],
                  tres,
                  tres,
                  tres,
                  named(fields_.tenant),
                  names_[fields_.state],
                  named(fields_.limit)},
                 is_epoch ? TimeForm::epoch : TimeForm::stamp,
                 state_words);
    begun_ = true;
}

void SacctRecords::take(const TextRow& line) {
    if (line.fields.size() != names_.size()) {
        trace_.add_bad(line.place(std::min(line.fields.size(), names_.size())),
                       {},
                       mistake(fmt::format(
                           "{} fields where {} are expected", line.fields.size(), names_.size())));
        return;
    }
    const std::string_view job = line.fields[fields_.job];
    if (job.find('.') != std::string_view::npos) {
        trace_.leave_out(line.place(fields_.job), mistake("a step of a job"));
        return;
    }
    has_parts_ = has_parts_ || job.find('+') != std::string_view::npos;
    if (job != job_) {
        flush();
        job_ = job;
    }
    runs_.push_back(read(line));
}

SacctRecords::Run SacctRecords::read(const TextRow& line) {
    Run run;
    run.line = line.line;
    run.row.set(RecordField::job, line.fields[fields_.job], line.place(fields_.job));
    run.row.set(RecordField::submit, line.fields[fields_.submit], line.place(fields_.submit));
    if (fields_.tenant)
        run.row.set(RecordField::tenant, line.fields[*fields_.tenant], line.place(*fields_.tenant));
    const std::string_view state = line.fields[fields_.state];
    const SlurmState* const known = find_state(state);
    if (known == nullptr) {
        std::vector<std::string> words;
        for (const SlurmState& one : slurm_states)
            words.emplace_back(one.word);
        note_problem(run,
                     line,
                     fields_.state,
                     mistake(state.empty() ? "missing" : in_quotes(state) + " is not a known state",
                             {},
                             suggestion(state, words)));
        return run;
    }
    run.row.set(RecordField::state, known->end, line.place(fields_.state));
    run.left_out = why_left_out(line);
    if (!run.left_out) {
        read_resources(line, run);
        read_times(line, run);
    }
    return run;
}

std::optional<Finding> SacctRecords::why_left_out(const TextRow& line) const {
    const std::string state{state_word(line.fields[fields_.state])};
    if (find_state(state)->end.empty())
        return mistake("not over: " + state);
    const bool held_nothing = line.fields[fields_.tres].empty();
    const std::string_view elapsed = line.fields[fields_.elapsed];
    const bool took_no_time = elapsed.find_first_not_of("0:") == std::string_view::npos;
    if ((fields_.start && is_no_instant(line.fields[*fields_.start])) ||
        (held_nothing && took_no_time))
        return mistake("never started: " + state);
    if (fields_.end && is_no_instant(line.fields[*fields_.end]))
        return mistake("not over: its end is unknown");
    return std::nullopt;
}

void SacctRecords::read_times(const TextRow& line, Run& run) const {
    const std::string_view elapsed = line.fields[fields_.elapsed];
    const auto ran = fields_.elapsed_is_raw ? parse_seconds(elapsed) : parse_clock_time(elapsed);
    if (!ran)
        note_problem(run,
                     line,
                     fields_.elapsed,
                     fields_.elapsed_is_raw
                         ? mistake(in_quotes(elapsed) + " is not a number of seconds")
                         : clock_problem(elapsed));
    else
        run.row.set_seconds(RecordField::duration, *ran, line.place(fields_.elapsed));
    if (!fields_.limit)
        return;
    const std::string_view limit = line.fields[*fields_.limit];
    if (limit.empty() || limit == "UNLIMITED" || limit == "Partition_Limit" || limit == "INVALID")
        return;
    std::optional<std::int64_t> asked = parse_clock_time(limit);
    if (fields_.limit_is_raw) {
        asked = parse_count(limit);
        if (asked)
            asked = *asked * minute.count();
    }
    if (!asked)
        note_problem(run,
                     line,
                     *fields_.limit,
                     fields_.limit_is_raw
                         ? mistake(in_quotes(limit) + " is not a number of minutes")
                         : clock_problem(limit));
    else
        run.row.set_seconds(RecordField::requested_time, *asked, line.place(*fields_.limit));
}

void SacctRecords::read_resources(const TextRow& line, Run& run) {
    const std::string_view text = line.fields[fields_.tres];
    const FieldPlace place = line.place(fields_.tres);
    const std::optional<SlurmTres> tres = parse_slurm_tres(text);
    if (!tres || text.empty()) {
        note_problem(run,
                     line,
                     fields_.tres,
                     text.empty() ? mistake("missing", "what the job was given is needed")
                                  : mistake(in_quotes(text) + " is not a list of resources",
                                            "expected e.g. \"cpu=32,gres/gpu=8,mem=500G\""));
        return;
    }
    run.row.set(RecordField::gpus, tres->gpus, place);
    run.row.set(RecordField::cpu_milli, tres->cpu_milli, place);
    run.row.set(RecordField::memory_mib, tres->memory_mib, place);
    gpu_types_.insert(tres->gpu_types.begin(), tres->gpu_types.end());
}

/// Keeps the first problem of a run.
void SacctRecords::note_problem(Run& run,
                                const TextRow& line,
                                std::size_t field,
                                Finding problem) const {
    if (run.problem)
        return;
    problem.path = names_[field];
    run.problem = std::move(problem);
    run.problem_place = line.place(field);
}

/// Adds the job: its last run.
void SacctRecords::flush() {
    if (runs_.empty())
        return;
    const auto submit_of = [](const Run& run) { return run.row.text(RecordField::submit); };
    std::ranges::stable_sort(runs_, is_before, submit_of);
    const std::string first_submit = submit_of(runs_.front());
    const std::string last_submit = submit_of(runs_.back());
    for (std::size_t i = 0; i + 1 < runs_.size(); ++i)
        trace_.leave_out(runs_[i].row.place(RecordField::job),
                         mistake(submit_of(runs_[i]) == last_submit
                                     ? "a run that the file has twice"
                                     : "an earlier run of a job that was requeued"));
    // Ids are reused after some time; another file may have only the last run of a requeued job.
    bool is_read = false;
    for (const Run& run : runs_)
        is_read = is_read || read_.contains(job_ + " " + submit_of(run));
    add(runs_.back(), first_submit, is_read);
    runs_.clear();
}

void SacctRecords::add(Run& run, const std::string& first_submit, bool is_read) {
    if (run.problem) {
        const std::string path = run.problem->path;
        trace_.add_bad(run.problem_place, path, std::move(*run.problem));
    } else if (run.left_out) {
        trace_.leave_out(run.row.place(RecordField::state), std::move(*run.left_out));
    } else if (is_read) {
        trace_.leave_out(run.row.place(RecordField::job),
                         mistake("a job that was read further up"));
    } else {
        if (!begun_)
            begin(first_submit);
        for (const Run& one : runs_)
            read_.insert(job_ + " " + one.row.text(RecordField::submit));
        run.row.set(RecordField::submit, first_submit, run.row.place(RecordField::submit));
        TraceColumns columns = RecordRow::columns;
        if (!fields_.tenant)
            columns.tenant.reset();
        trace_.add(run.row.row(run.line), columns);
    }
}

void SacctRecords::finish() {
    flush();
    if (has_parts_)
        trace_.assume("the parts of heterogeneous jobs are jobs that start one by one");
    if (!gpu_types_.empty())
        trace_.assume(fmt::format("jobs may run on any GPU: the types in {} of the trace ({}) bind "
                                  "none",
                                  names_[fields_.tres],
                                  fmt::join(gpu_types_, ", ")));
}

constexpr std::string_view name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

constexpr std::array<std::string_view, 2> job_names{"JobID", "JobIDRaw"};
constexpr std::array<std::string_view, 1> submit_names{"Submit"};
constexpr std::array<std::string_view, 1> start_names{"Start"};
constexpr std::array<std::string_view, 1> end_names{"End"};
constexpr std::array<std::string_view, 2> elapsed_names{"Elapsed", "ElapsedRaw"};
constexpr std::array<std::string_view, 1> state_names{"State"};
constexpr std::array<std::string_view, 2> tres_names{"AllocTRES", "ReqTRES"};
constexpr std::array<std::string_view, 2> tenant_names{"Account", "User"};
constexpr std::array<std::string_view, 2> limit_names{"Timelimit", "TimelimitRaw"};

/// The delimiter of a header: the character after its first column.
std::string_view delimiter_of(std::string_view header) {
    const std::size_t at = header.find_first_not_of(name_letters);
    if (at == std::string_view::npos)
        return {};
    const std::size_t next = header.find_first_of(name_letters, at);
    return header.substr(at, next == std::string_view::npos ? 1 : next - at);
}

void split(std::string_view line, std::string_view by, std::vector<std::string_view>& fields) {
    fields.clear();
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(by.empty() ? line.npos : line.find(by, at), line.size());
        fields.push_back(line.substr(at, end - at));
        at = end + std::max<std::size_t>(by.size(), 1);
    }
}

std::optional<std::size_t> find_column(const std::vector<std::string>& header,
                                       std::span<const std::string_view> names) {
    for (const std::string_view name : names) {
        const auto found = std::ranges::find(header, name);
        if (found != header.end())
            return static_cast<std::size_t>(found - header.begin());
    }
    return std::nullopt;
}

/// The columns of one file.
class SacctColumns {
  public:
    SacctColumns(std::vector<std::string> header, const std::string& file)
        : header_{std::move(header)}, file_{file} {
        read_as_.resize(header_.size());
    }

    SacctFields find() {
        SacctFields fields;
        fields.job = require(job_names, "job");
        fields.submit = require(submit_names, "submit");
        fields.elapsed = require(elapsed_names, "duration");
        fields.elapsed_is_raw = header_[fields.elapsed] == "ElapsedRaw";
        fields.state = require(state_names, "state");
        fields.tres = require(tres_names, "gpus, cpu_milli, memory_mib");
        fields.start = note(find_column(header_, start_names), "start");
        fields.end = note(find_column(header_, end_names), "finish");
        fields.tenant = note(find_column(header_, tenant_names), "tenant");
        fields.limit = note(find_column(header_, limit_names), "requested_time");
        fields.limit_is_raw = fields.limit && header_[*fields.limit] == "TimelimitRaw";
        return fields;
    }

    [[nodiscard]] const std::vector<std::string>& names() const { return header_; }
    void tell(TraceBuilder& trace) const {
        for (std::size_t i = 0; i < header_.size(); ++i)
            trace.note_column(header_[i], read_as_[i]);
    }

  private:
    std::optional<std::size_t> note(std::optional<std::size_t> column, std::string_view read_as) {
        if (column)
            read_as_[*column] = read_as;
        return column;
    }

    std::size_t require(std::span<const std::string_view> names, std::string_view read_as) {
        if (const auto found = note(find_column(header_, names), read_as))
            return *found;
        fail_input({file_, 1, 0},
                   std::string{names.front()},
                   mistake("no such column",
                           fmt::format("columns found: {}", listed_names(header_)),
                           fmt::format("have sacct print it: --format={},...", names.front())));
    }

    std::vector<std::string> header_;
    const std::string& file_;
    std::vector<std::string_view> read_as_;
};

} // namespace

bool begins_like_sacct(std::string_view beginning) {
    const std::string_view first_line = first_line_of(beginning);
    std::vector<std::string_view> fields;
    split(first_line, delimiter_of(first_line), fields);
    const std::vector<std::string> header{fields.begin(), fields.end()};
    return find_column(header, job_names) && find_column(header, elapsed_names) &&
           find_column(header, state_names);
}

void read_sacct(ByteSource& bytes, TraceBuilder& trace) {
    const std::string& file = trace.options().file;
    LineReader reader{bytes, file};
    const std::optional<std::string_view> first = reader.next();
    if (!first)
        fail_input(file, mistake("the file is empty", "a header line is needed"));
    const std::string header{*first};
    const std::string delimiter{delimiter_of(header)};
    std::vector<std::string_view> fields;
    split(header, delimiter, fields);
    // --parsable, unlike --parsable2, ends each line with a delimiter.
    const bool ends_open = fields.size() > 1 && fields.back().empty();
    fields.resize(fields.size() - (ends_open ? 1 : 0));
    SacctColumns columns{{fields.begin(), fields.end()}, file};
    SacctRecords records{columns.find(), columns.names(), trace};
    columns.tell(trace);
    while (const std::optional<std::string_view> line = reader.next()) {
        if (line->empty() || *line == header) // concatenated files
            continue;
        split(*line, delimiter, fields);
        if (ends_open && fields.size() > 1 && fields.back().empty())
            fields.pop_back();
        records.take({fields, reader.line(), line->data(), {}, {}, {}});
    }
    records.finish();
}

}} // namespace bursar::scenarios
