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
#include "scenarios/trace_formats/sacct_columns.hpp"
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

/// Makes jobs of the lines of sacct: one of each group of consecutive lines with the same job.
class SacctRecords {
  public:
    /// Both must outlive this.
    SacctRecords(const SacctTable& table, TraceBuilder& trace);

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

    const SacctFields& fields_;
    const std::vector<std::string>& names_; // of the columns
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

SacctRecords::SacctRecords(const SacctTable& table, TraceBuilder& trace)
    : fields_{table.fields}, names_{table.names}, trace_{trace} {}

/// Whether times are dates or, with SLURM_TIME_FORMAT=%s, seconds since 1970: the first submit
/// decides.
void SacctRecords::begin(std::string_view submit) {
    const bool is_epoch = !submit.empty() && submit.find_first_not_of("0123456789") == submit.npos;
    const auto named = [&](const std::optional<std::size_t>& field) {
        return field ? names_[*field] : std::string{};
    };
    const std::string& tres = names_[fields_.tres];
    trace_.begin(RecordRow::column_names({names_[fields_.job],
                                          names_[fields_.submit],
                                          names_[fields_.elapsed],
                                          tres,
                                          tres,
                                          tres,
                                          named(fields_.tenant),
                                          names_[fields_.state],
                                          named(fields_.limit),
                                          tres,
                                          named(fields_.start),
                                          named(fields_.end)}),
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
    for (const auto& [field, column] : {std::pair{RecordField::start, fields_.start},
                                        std::pair{RecordField::finish, fields_.end}})
        if (column)
            run.row.set(field, line.fields[*column], line.place(*column));
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
    const std::optional<std::int64_t> per_gpu = trace_.options().shards_per_gpu;
    const std::optional<SlurmTres> tres =
        fields_.tres_is_gres ? parse_slurm_gres(text, per_gpu) : parse_slurm_tres(text, per_gpu);
    if (!tres)
        return note_problem(run,
                            line,
                            fields_.tres,
                            mistake(in_quotes(text) + " is not a list of resources",
                                    fields_.tres_is_gres
                                        ? "expected e.g. \"gpu:a100:8\""
                                        : "expected e.g. \"cpu=32,gres/gpu=8,mem=500G\""));
    if (text.empty() && !fields_.tres_is_gres)
        return note_problem(
            run, line, fields_.tres, mistake("missing", "what the job was given is needed"));
    if (!tres->problem.empty())
        return note_problem(
            run, line, fields_.tres, mistake(tres->problem, tres->why, tres->suggestion));
    run.row.set(RecordField::gpus, tres->gpus, place);
    run.row.set(RecordField::gpu_milli, tres->gpu_milli, place);
    run.row.set(RecordField::cpu_milli, tres->cpu_milli, place);
    run.row.set(RecordField::memory_mib, tres->memory_mib, place);
    gpu_types_.insert(tres->gpu_types.begin(), tres->gpu_types.end());
    if (!fields_.cpus)
        return;
    const std::string_view cpus = line.fields[*fields_.cpus];
    const std::optional<std::int64_t> count = cpus.empty() ? 0 : parse_count(cpus);
    if (!count)
        return note_problem(
            run, line, *fields_.cpus, mistake(in_quotes(cpus) + " is not a number of cores"));
    run.row.set(RecordField::cpu_milli, 1000 * *count, line.place(*fields_.cpus));
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
        TraceColumns columns = run.row.columns_with_more();
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

} // namespace

bool is_slurm_state(std::string_view text) {
    return find_state(text) != nullptr;
}

bool begins_like_sacct(std::string_view beginning) {
    return is_sacct_header(first_line_of(beginning));
}

void read_sacct(ByteSource& bytes, TraceBuilder& trace) {
    const TraceOptions& options = trace.options();
    LineReader reader{bytes, options.file};
    std::optional<std::string_view> line = reader.next();
    if (!line)
        fail_input(options.file, mistake("the file is empty", "a header line is needed"));
    const std::string first_line{*line};
    const SacctTable table = sacct_table(first_line, options);
    SacctRecords records{table, trace};
    for (std::size_t i = 0; i < table.names.size(); ++i)
        trace.note_column(table.names[i], table.read_as[i]);
    std::vector<std::string_view> fields;
    for (; line; line = reader.next()) {
        // Concatenated files repeat the header.
        if (line->empty() || (table.has_header && *line == first_line))
            continue;
        table.split(*line, fields);
        records.take({fields, reader.line(), line->data(), {}, {}, {}});
    }
    records.finish();
}

}} // namespace bursar::scenarios
