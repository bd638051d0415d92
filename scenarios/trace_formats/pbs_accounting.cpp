#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/trace_formats/pbs_resources.hpp"
#include "scenarios/trace_formats/record_formats.hpp"
#include "scenarios/trace_formats/state_words.hpp"
#include "scenarios/traces/record_row.hpp"
#include "scenarios/traces/text/line_reader.hpp"
#include "scenarios/traces/text/numbers.hpp"
#include "scenarios/traces/text/timestamps.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A key of a record and the field that it fills.
struct PbsKey {
    std::string_view name;
    std::string_view read_as;
};
constexpr std::array pbs_keys{
    PbsKey{"ctime", "submit"},
    PbsKey{"start", "start"},
    PbsKey{"end", "finish"},
    PbsKey{"user", "tenant"},
    PbsKey{"Exit_status", "state"},
    PbsKey{"Resource_List.ngpus", "gpus"},
    PbsKey{"Resource_List.select", "gpus"},
    PbsKey{"Resource_List.nodes", "gpus"},
    PbsKey{"Resource_List.neednodes", "gpus"},
    PbsKey{"Resource_List.ncpus", "cpu_milli"},
    PbsKey{"Resource_List.mem", "memory_mib"},
    PbsKey{"Resource_List.walltime", "requested_time"},
};

struct PbsAttribute {
    std::string_view key;
    std::string_view value;
    FieldPlace place; ///< of the value
};

/// The mistake of a record, and its place.
struct PbsProblem {
    FieldPlace place;
    std::string path;
    Finding finding;
};

/// "date;type;job;" and the rest of a line.
struct PbsRecord {
    std::string_view type;
    std::string_view job;
    std::size_t rest{}; ///< where the attributes begin
};

bool is_stamp(std::string_view text) {
    constexpr std::string_view form = "00/00/0000 00:00:00";
    return text.size() == form.size() && std::ranges::equal(text, form, [](char c, char like) {
               return like == '0' ? digit_of(c) < 10 : c == like;
           });
}

std::optional<PbsRecord> parse_record(std::string_view line) {
    const std::size_t type = line.find(';');
    if (type == std::string_view::npos || !is_stamp(line.substr(0, type)))
        return std::nullopt;
    const std::size_t job = line.find(';', type + 1);
    if (job == std::string_view::npos || job == type + 1)
        return std::nullopt;
    const std::size_t end = std::min(line.find(';', job + 1), line.size());
    return PbsRecord{line.substr(type + 1, job - type - 1),
                     line.substr(job + 1, end - job - 1),
                     std::min(end + 1, line.size())};
}

/// The array of a job: "2[].srv" of "2[7].srv"; the job itself outside of arrays.
std::string array_of(std::string_view job) {
    const std::size_t open = job.find('[');
    const std::size_t close = job.find(']', std::min(open, job.size()));
    if (close == std::string_view::npos)
        return std::string{job};
    return fmt::format("{}{}", job.substr(0, open + 1), job.substr(close));
}

class PbsReader {
  public:
    explicit PbsReader(TraceBuilder& trace) : trace_{trace} {
        trace.begin(RecordRow::column_names({"job",
                                             "ctime",
                                             "end",
                                             "Resource_List.ngpus",
                                             "Resource_List.ncpus",
                                             "Resource_List.mem",
                                             "user",
                                             "Exit_status",
                                             "Resource_List.walltime"}),
                    TimeForm::epoch,
                    state_words);
    }

    void take(std::string_view line, std::uint64_t number) {
        const std::optional<PbsRecord> record = parse_record(line);
        if (!record)
            return trace_.add_bad(
                {number, 1},
                {},
                mistake("this is no record of a PBS accounting log",
                        "expected \"month/day/year time;type;job;key=value ...\""));
        const FieldPlace type{number,
                              static_cast<std::uint64_t>(record->type.data() - line.data()) + 1};
        if (record->type == "D")
            deleted_.emplace(record->job);
        if (record->type != "E")
            return trace_.leave_out(
                type,
                mistake(fmt::format("a record of type {}", in_quotes(record->type)),
                        "only E says how a job ended"));
        read_attributes(line, record->rest, number);
        add(*record, {number, type.column + 2});
    }

    void finish() {
        for (const std::string& key : seen_) {
            const auto known = std::ranges::find(pbs_keys, key, &PbsKey::name);
            trace_.note_column(key, known == pbs_keys.end() ? std::string_view{} : known->read_as);
        }
    }

  private:
    /// key=value between blanks; a value in double quotes may contain blanks.
    void read_attributes(std::string_view line, std::size_t at, std::uint64_t number) {
        attributes_.clear();
        for (at = line.find_first_not_of(' ', at); at < line.size();
             at = line.find_first_not_of(' ', at)) {
            const std::size_t end = std::min(line.find_first_of("= ", at), line.size());
            const std::string_view key = line.substr(at, end - at);
            std::size_t value = std::min(end + 1, line.size());
            const bool is_quoted =
                end < line.size() && line[end] == '=' && value < line.size() && line[value] == '"';
            value += is_quoted ? 1 : 0;
            const std::size_t value_end =
                end < line.size() && line[end] == '='
                    ? std::min(line.find(is_quoted ? '"' : ' ', value), line.size())
                    : value;
            attributes_.push_back(
                {key, line.substr(value, value_end - value), {number, value + 1}});
            note_key(key);
            at = std::min(value_end + (is_quoted ? 1 : 0), line.size());
        }
    }

    void note_key(std::string_view key) {
        if (std::ranges::find(seen_, key) == seen_.end() && seen_.size() < max_keys)
            seen_.emplace_back(key);
    }

    [[nodiscard]] const PbsAttribute* find(std::string_view key) const {
        const auto found = std::ranges::find(attributes_, key, &PbsAttribute::key);
        return found == attributes_.end() ? nullptr : &*found;
    }

    void add(const PbsRecord& record, FieldPlace job) {
        // Ids are reused after some time: a deleted job ends with this record.
        const bool was_deleted =
            deleted_.erase(std::string{record.job}) > 0 || deleted_.contains(array_of(record.job));
        if (record.job.find("[]") != std::string_view::npos)
            return trace_.leave_out(job, mistake("the whole of a job array", "its jobs are there"));
        if (find("start") == nullptr)
            return trace_.leave_out(job, mistake("never started"));
        const PbsAttribute* const submit = find("ctime");
        if (!read_.emplace(fmt::format("{} {}", record.job, submit ? submit->value : "")).second)
            return trace_.leave_out(job, mistake("a job that was read further up"));
        RecordRow row;
        row.set(RecordField::job, record.job.substr(0, record.job.find('.')), job);
        std::optional<PbsProblem> problem = fill_times(row, job);
        if (!problem)
            problem = fill_resources(row, job);
        if (problem)
            return trace_.add_bad(
                problem->place, std::move(problem->path), std::move(problem->finding));
        const PbsAttribute* const user = find("user");
        row.set(RecordField::tenant,
                user == nullptr ? "unknown" : user->value,
                user == nullptr ? job : user->place);
        row.set(RecordField::state, end_of(was_deleted), job);
        trace_.add(row.row(job.line), RecordRow::columns);
    }

    /// A deleted job was cancelled; else the exit status decides.
    [[nodiscard]] std::string_view end_of(bool was_deleted) const {
        if (was_deleted)
            return "cancelled";
        const PbsAttribute* const status = find("Exit_status");
        return status != nullptr && status->value == "0" ? "completed" : "failed";
    }

    static PbsProblem wrong(const PbsAttribute& attribute, std::string_view is_no) {
        return {attribute.place,
                std::string{attribute.key},
                mistake(in_quotes(attribute.value) + " is " + std::string{is_no})};
    }

    [[nodiscard]] std::optional<PbsProblem> fill_times(RecordRow& row, FieldPlace job) const {
        const PbsAttribute* const start = find("start");
        const PbsAttribute* const end = find("end");
        const PbsAttribute* const submit = find("ctime");
        for (const auto& [attribute, key] : {std::pair{submit, "ctime"}, std::pair{end, "end"}})
            if (attribute == nullptr)
                return PbsProblem{job, key, mistake("missing", "seconds since 1970 are needed")};
        row.set(RecordField::submit, submit->value, submit->place);
        const auto began = parse_seconds(start->value);
        const auto ended = parse_seconds(end->value);
        for (const auto& [at, instant] : {std::pair{start, began}, std::pair{end, ended}})
            if (!instant)
                return wrong(*at, "not a number of seconds since 1970");
        if (*ended < *began)
            return wrong(*end, "before the start");
        row.set_seconds(RecordField::duration, *ended - *began, end->place);
        const PbsAttribute* const limit = find("Resource_List.walltime");
        if (limit == nullptr)
            return std::nullopt;
        std::optional<std::int64_t> asked = parse_clock_time(limit->value);
        if (!asked)
            asked = parse_seconds(limit->value);
        if (!asked)
            return wrong(*limit, "not a time span (hours:minutes:seconds)");
        row.set_seconds(RecordField::requested_time, *asked, limit->place);
        return std::nullopt;
    }

    [[nodiscard]] std::optional<PbsProblem> fill_resources(RecordRow& row, FieldPlace job) const {
        row.set(RecordField::gpus, "0", job);
        using Count = std::optional<std::int64_t> (*)(std::string_view);
        const std::pair<std::string_view, Count> counts[]{
            {"Resource_List.ngpus", parse_count},
            {"Resource_List.select", gpus_of_select},
            {"Resource_List.nodes", gpus_of_nodes},
            {"Resource_List.neednodes", gpus_of_nodes}};
        std::int64_t counted = 0; // by the first key with GPUs
        for (const auto& [key, count] : counts) {
            const PbsAttribute* const attribute = find(key);
            if (attribute == nullptr || counted > 0)
                continue;
            const std::optional<std::int64_t> gpus = count(attribute->value);
            if (!gpus)
                return wrong(*attribute, "not what GPUs can be counted of");
            counted = *gpus;
            row.set(RecordField::gpus, counted, attribute->place);
        }
        if (const PbsAttribute* const cpus = find("Resource_List.ncpus")) {
            const std::optional<std::int64_t> count = parse_count(cpus->value);
            if (!count)
                return wrong(*cpus, "not a number of cores");
            row.set(RecordField::cpu_milli, 1000 * *count, cpus->place);
        }
        if (const PbsAttribute* const memory = find("Resource_List.mem")) {
            const std::optional<std::int64_t> size = pbs_size_in_mib(memory->value);
            if (!size)
                return wrong(*memory, "not a size (such as 128gb)");
            row.set(RecordField::memory_mib, *size, memory->place);
        }
        return std::nullopt;
    }

    static constexpr std::size_t max_keys = 256;

    TraceBuilder& trace_;
    std::vector<PbsAttribute> attributes_;    // of the current record
    std::vector<std::string> seen_;           // keys, in the order of first use
    std::unordered_set<std::string> deleted_; // and not ended since
    std::unordered_set<std::string> read_;    // by id and ctime
};

} // namespace

bool begins_like_pbs_accounting(std::string_view beginning) {
    return parse_record(first_line_of(beginning)).has_value();
}

void read_pbs_accounting(ByteSource& bytes, TraceBuilder& trace) {
    LineReader lines{bytes, trace.options().file};
    PbsReader reader{trace};
    while (const std::optional<std::string_view> line = lines.next())
        if (!line->empty())
            reader.take(*line, lines.line());
    reader.finish();
}

}} // namespace bursar::scenarios
