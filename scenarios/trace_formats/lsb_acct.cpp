#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/trace_formats/lsb_fields.hpp"
#include "scenarios/trace_formats/record_formats.hpp"
#include "scenarios/trace_formats/state_words.hpp"
#include "scenarios/traces/record_row.hpp"
#include "scenarios/traces/text/line_reader.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::string_view job_finish = "JOB_FINISH";
constexpr std::array<std::string_view, 4> record_types{
    job_finish, "JOB_RESIZE", "EVENT_ADRSV_FINISH", "JOB_STARTLIMIT"};

// Values of jStatus and exitInfo.
constexpr std::string_view status_done = "64";
constexpr std::string_view status_exit = "32";
constexpr std::array<std::string_view, 2> ended_for_requeue{"10", "11"}; // by owner, by admin
constexpr std::array<std::string_view, 5> ended_by_user{
    "8", "9", "14", "15", "23"}; // by force or not; owner, admin; bkill of many

/// The fields that are read, by their names in LSF's reference.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> read_fields{
    {{"jobId", "job"},
     {"submitTime", "submit"},
     {"startTime", "start"},
     {"Event Time", "finish"},
     {"userName", "tenant"},
     {"execHosts", "cpu_milli"},
     {"jStatus", "state"},
     {"exitInfo", "state"},
     {"effectiveResReq", "gpus"}}};

bool is_one_of(std::span<const std::string_view> values, std::string_view value) {
    return std::ranges::find(values, value) != values.end();
}

class LsbReader {
  public:
    explicit LsbReader(TraceBuilder& trace) : trace_{trace} {
        trace.begin(RecordRow::column_names({"jobId",
                                             "submitTime",
                                             "Event Time",
                                             "effectiveResReq",
                                             "execHosts",
                                             "",
                                             "userName",
                                             "jStatus",
                                             ""}),
                    TimeForm::epoch,
                    state_words);
        for (const auto& [name, read_as] : read_fields)
            trace.note_column(std::string{name}, read_as);
    }

    void take(std::string_view line, std::uint64_t number) {
        const std::optional<std::vector<LsbField>> fields = split_lsb_fields(line);
        if (!fields)
            return trace_.add_bad({number, 1}, {}, mistake("a quote is never closed"));
        if (fields->empty())
            return;
        const LsbField& type = fields->front();
        if (!type.quoted || !is_one_of(record_types, type.text))
            return trace_.add_bad({number, 1},
                                  {},
                                  mistake("this is no record of lsb.acct",
                                          "expected a type in quotes, such as \"JOB_FINISH\""));
        if (type.text != job_finish)
            return trace_.leave_out({number, 1},
                                    mistake("a record of type " + in_quotes(type.text)));
        std::uint64_t broken_at = 0;
        if (const std::optional<LsbJob> job = find_lsb_job(*fields, broken_at))
            return add(*job, number);
        trace_.add_bad({number, broken_at},
                       {},
                       mistake("this JOB_FINISH record has other fields",
                               "here a number is expected, or more fields behind"));
    }

  private:
    void add(const LsbJob& job, std::uint64_t line) {
        const FieldPlace id{line, job.id.column};
        if (job.start.text == "0")
            return trace_.leave_out({line, job.start.column}, mistake("never started"));
        if (is_one_of(ended_for_requeue, job.exit_info.text))
            return trace_.leave_out({line, job.exit_info.column},
                                    mistake("an earlier run of a job that was requeued"));
        // Ids are reused after some time.
        if (!read_.insert(job.name + " " + job.submit.text).second)
            return trace_.leave_out(id, mistake("a job that was read further up"));
        RecordRow row;
        row.set(RecordField::job, job.name, id);
        row.set(RecordField::submit, job.submit.text, {line, job.submit.column});
        row.set(RecordField::tenant, job.user.text, {line, job.user.column});
        row.set(RecordField::cpu_milli, 1000 * job.slots, id);
        if (fill_times(job, line, row) && fill_gpus(job, line, row) && fill_state(job, line, row))
            trace_.add(row.row(line), RecordRow::columns);
    }

    bool
    fail(const LsbField& field, std::uint64_t line, std::string_view name, std::string_view is) {
        trace_.add_bad({line, field.column},
                       std::string{name},
                       mistake(in_quotes(field.text) + " is " + std::string{is}));
        return false;
    }

    bool fill_times(const LsbJob& job, std::uint64_t line, RecordRow& row) {
        constexpr std::string_view no_instant = "not a number of seconds since 1970";
        const auto start = parse_seconds(job.start.text);
        const auto end = parse_seconds(job.end.text);
        if (!start)
            return fail(job.start, line, "startTime", no_instant);
        if (!end)
            return fail(job.end, line, "Event Time", no_instant);
        if (*end < *start)
            return fail(job.end, line, "Event Time", "before the start");
        row.set_seconds(RecordField::duration, *end - *start, {line, job.end.column});
        return true;
    }

    bool fill_gpus(const LsbJob& job, std::uint64_t line, RecordRow& row) {
        const auto gpus = gpus_of_requirement(job.requirement.text, job.hosts, job.slots);
        if (!gpus)
            return fail(job.requirement,
                        line,
                        "effectiveResReq",
                        "a requirement without one whole number of GPUs");
        row.set(RecordField::gpus, *gpus, {line, job.requirement.column});
        return true;
    }

    bool fill_state(const LsbJob& job, std::uint64_t line, RecordRow& row) {
        const std::string& status = job.status.text;
        if (status != status_done && status != status_exit)
            return fail(job.status, line, "jStatus", "neither 64 (done) nor 32 (exited)");
        row.set(RecordField::state,
                status == status_done                          ? "completed"
                : is_one_of(ended_by_user, job.exit_info.text) ? "cancelled"
                                                               : "failed",
                {line, job.status.column});
        return true;
    }

    TraceBuilder& trace_;
    std::unordered_set<std::string> read_;
};

} // namespace

bool begins_like_lsb_acct(std::string_view beginning) {
    const std::string_view first_line = first_line_of(beginning);
    return first_line.starts_with('"') &&
           is_one_of(record_types, first_line.substr(1, first_line.find('"', 1) - 1));
}

void read_lsb_acct(ByteSource& bytes, TraceBuilder& trace) {
    LineReader lines{bytes, trace.options().file};
    LsbReader reader{trace};
    while (const std::optional<std::string_view> line = lines.next())
        reader.take(*line, lines.line());
}

}} // namespace bursar::scenarios
