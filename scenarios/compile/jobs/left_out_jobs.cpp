#include "scenarios/compile/jobs/left_out_jobs.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
void LeftOutJobs::add(std::uint32_t row,
                      std::string why,
                      std::string suggestion,
                      const std::string& if_drawn) {
    ++num_;
    Finding finding = mistake(fmt::format("a job of {} GPU{} can never run",
                                          trace_.gpus[row],
                                          trace_.gpus[row] == 1 ? "" : "s"),
                              std::move(why),
                              std::move(suggestion));
    std::string cause = finding.why;
    if (const auto* trace = std::get_if<TraceWorkload>(&scenario_.workload)) {
        finding.place = {(*trace)->file, trace_.line.empty() ? 0 : trace_.line[row], 0};
    } else if (const std::optional<ListedRow> listed = listed_.at(row)) {
        if (!listed->is_first)
            return;
        finding.place = listed->job->place;
        finding.path = listed->path();
        cause = finding.path; // every entry of a list is reported
    } else {                  // drawn jobs have no line
        finding.place = std::get<SyntheticSpec>(scenario_.workload).place;
        finding.path = "workload.synthetic";
        finding.suggestion = if_drawn;
    }
    found_.add(std::move(finding), cause);
}

std::vector<std::string> LeftOutJobs::warnings(std::size_t num_jobs) const {
    if (num_ > 0 && !are_skipped())
        fail();
    std::vector<std::string> rows;
    for (const Finding& finding : found_.shown())
        rows.push_back(finding.text());
    if (found_.num_unlisted() > 0)
        rows.push_back(fmt::format("... and {} more jobs", found_.num_unlisted()));
    std::vector<std::string> out;
    const auto list =
        [&](std::string_view what, std::uint64_t count, const std::vector<std::string>& causes) {
            if (count == 0)
                return;
            out.push_back(fmt::format("{} {}", count, what));
            out.insert(out.end(), causes.begin(), causes.end());
        };
    list("jobs skipped because no pool can hold them", num_, rows);
    list("bad rows skipped", trace_.num_bad_rows, trace_.bad_rows);
    if (num_jobs == 0)
        fail_input({scenario_.file, 0, 0},
                   "workload",
                   mistake("no job is left to run", "every row was skipped", "widen `select`"));
    return out;
}

bool LeftOutJobs::are_skipped() const {
    const auto* trace = std::get_if<TraceWorkload>(&scenario_.workload);
    return trace != nullptr && (*trace)->on_bad_row == OnBadRow::skip;
}

void LeftOutJobs::fail() const {
    std::vector<Finding> told = found_.shown();
    if (const std::uint64_t rest = found_.num_unlisted(); rest > 0) {
        told.push_back(mistake(fmt::format("{} more jobs can never run", rest)));
        told.back().place.file = told.front().place.file;
    }
    throw ScenarioError{std::move(told)};
}

std::string largest_permitted(const Plan& plan, const Labels& labels, std::uint64_t permitted) {
    std::size_t largest = plan.pools.size();
    for (std::size_t p = 0; p < plan.pools.size(); ++p) {
        const bool larger = largest == plan.pools.size() ||
                            plan.pools[p].num_gpus() > plan.pools[largest].num_gpus();
        if ((permitted >> p & 1U) != 0 && larger)
            largest = p;
    }
    return fmt::format("the largest pool it may use, \"{}\", has {} node{} of {}",
                       labels.pools[largest],
                       plan.pools[largest].num_nodes,
                       plan.pools[largest].num_nodes == 1 ? "" : "s",
                       plan.pools[largest].gpus_per_node);
}

namespace {

/// "columns not read: iteration, model_name"; empty where all are, or where those that are not say
/// what duration and GPUs say, too.
std::string columns_not_read(const Trace& trace) {
    constexpr std::size_t max_named = 12;
    constexpr std::array<std::string_view, 3> derived{"gpu_time", "start", "finish"};
    std::vector<std::string> names;
    for (const ReadColumn& column : trace.columns)
        if (column.read_as.empty() && std::ranges::find(derived, column.name) == derived.end())
            names.push_back(printable(column.name));
    if (names.empty())
        return {};
    const std::size_t num_more = names.size() - std::min(names.size(), max_named);
    names.resize(names.size() - num_more);
    return fmt::format("columns not read: {}{}",
                       fmt::join(names, ", "),
                       num_more == 0 ? "" : fmt::format(" and {} more", num_more));
}

} // namespace

std::vector<std::string> trace_notes(const Trace& trace) {
    std::string rows = fmt::format("{} rows read as {}, {} not selected",
                                   trace.num_rows_read,
                                   trace.format,
                                   trace.num_not_selected);
    if (trace.num_left_out > 0)
        rows += fmt::format(", {} left out as no jobs that ran", trace.num_left_out);
    std::vector<std::string> notes{rows};
    if (std::string unread = columns_not_read(trace); !unread.empty())
        notes.push_back(std::move(unread));
    notes.insert(notes.end(), trace.left_out.begin(), trace.left_out.end());
    notes.insert(notes.end(), trace.notes.begin(), trace.notes.end());
    return notes;
}

}} // namespace bursar::scenarios
