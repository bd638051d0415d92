#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/plan/plan_view.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/traces/row_needs.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t max_entries = 10'000;
constexpr std::int64_t max_listed_gpus = (std::int64_t{1} << 24) - 1; // the most of a pool

/// Settles `count`, `every` and `array`.
void check_count(const Reader& at, ListedJob& job, const KeysRead& keys) {
    if (!keys.good("count") || !keys.good("every") || !keys.good("array"))
        return;
    if (at.find("array")) {
        if (at.find("every"))
            at.mistake_at("every", "has no effect", "the jobs of an array have one submit time");
        job.count = job.array;
    } else if (job.count > 1 && !at.find("every")) {
        at.mistake("a count above 1 needs `every`",
                   "the time from one submit to the next",
                   "`array` for jobs that are submitted at one time");
    } else if (job.count == 1 && at.find("every")) {
        at.mistake_at("every", "has no effect", "count is 1");
    } else if (job.every.count() > (horizon_ms - 1 - job.submit.count()) / job.count) {
        at.mistake("the last job would be submitted more than 34.8 years from the zero");
    }
}

/// Limits: tenants have 16-bit numbers, jobs 32-bit ones.
void check_list_size(const Reader& at, const JobList& list) {
    std::int64_t jobs = 0;
    for (const ListedJob& job : list.jobs)
        jobs += job.count;
    if (list.jobs.size() > max_entries || jobs > max_jobs)
        at.mistake_at("jobs",
                      fmt::format("{} jobs in {} entries", jobs, list.jobs.size()),
                      fmt::format("at most {} jobs and {} entries", max_jobs, max_entries),
                      "write them to a file and replay it as a trace");
}

/// The most jobs that each of an entry's jobs can be.
std::int64_t num_stages(const ListedJob& job) {
    return job.trials ? job.trials->max_stages() : 1;
}

/// How many entries of RowNeeds the rungs of a group take at most.
double needs_of_rungs(const ListedJob& job) {
    double needs = 0;
    double trials = static_cast<double>(job.count);
    for (std::size_t rung = 1; job.trials && job.trials->keep && rung < job.trials->rungs.size();
         ++rung) {
        const double next = std::max(1.0, trials * *job.trials->keep);
        needs += trials * next;
        trials = next;
    }
    return needs;
}

/// The numbers of the entries with that name.
std::vector<std::uint32_t> entries_named(const JobList& list, const std::string& name) {
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < list.jobs.size(); ++i)
        if (list.jobs[i].name == name)
            found.push_back(static_cast<std::uint32_t>(i));
    return found;
}

/// Checks the entries that one entry waits for, and reports mistakes at `key` of `entry`. Returns
/// their numbers; empty after a mistake.
std::vector<std::uint32_t> check_needs(const Reader& entry,
                                       std::size_t number,
                                       const JobList& list,
                                       std::string_view key,
                                       const std::vector<std::string>& names) {
    std::vector<std::uint32_t> needed;
    const bool each = key == "after_each";
    for (const std::string& name : names) {
        const std::vector<std::uint32_t> found = entries_named(list, name);
        if (found.empty()) {
            std::vector<std::string> known;
            for (const ListedJob& job : list.jobs)
                known.push_back(job.name);
            entry.mistake_at(
                key, "no job is named " + in_quotes(name), {}, suggestion(name, known));
        } else if (std::ranges::find(found, number) != found.end()) {
            entry.mistake_at(key, "a job cannot wait for itself");
        } else if (each && found.size() > 1) {
            entry.mistake_at(key,
                             fmt::format("{} entries are named {}", found.size(), in_quotes(name)),
                             "each job waits for one job of one entry");
        } else if (each && num_stages(list.jobs[found.front()]) > 1) {
            entry.mistake_at(key,
                             fmt::format("a trial of {} is several jobs", in_quotes(name)),
                             "each job waits for one job of one entry",
                             "`after` waits for the end of all trials");
        } else if (each && list.jobs[found.front()].count != list.jobs[number].count) {
            entry.mistake_at(key,
                             fmt::format("{} has {} jobs, and this entry {}",
                                         in_quotes(name),
                                         list.jobs[found.front()].count,
                                         list.jobs[number].count),
                             "each job waits for the one of the same number",
                             "equal counts, or `after`");
        } else {
            needed.insert(needed.end(), found.begin(), found.end());
        }
    }
    return needed;
}

std::string names_of(const JobList& list, const std::vector<std::uint32_t>& circle) {
    std::string text;
    for (const std::uint32_t entry : circle)
        text += in_quotes(list.jobs[entry].name) + " waits for ";
    return text + in_quotes(list.jobs[circle.front()].name);
}

} // namespace

Table<ListedJob> listed_job_keys() {
    return table<ListedJob>(
               {
                   {required("name", &ListedJob::name, text()),
                    "name, for `match`, `after` and jobs.csv"},
                   {required("gpus", &ListedJob::gpus, whole_number(1, max_listed_gpus)),
                    "size of its gang"},
                   {optional("submit", &ListedJob::submit, duration()),
                    "when it is submitted, from the scenario's zero; default 0 s"},
                   {optional("count", &ListedJob::count, whole_number(1, max_jobs)),
                    "number of such jobs; default 1"},
                   {optional("every", &ListedJob::every, duration(Zero::refused)),
                    "time from one submit to the next; needed where count is above 1"},
                   {optional("array", &ListedJob::array, whole_number(1, max_jobs)),
                    "number of such jobs, all submitted at one time; in place of count"},
                   {optional("after", &ListedJob::after, one_or_list_of(text())),
                    "names of jobs, all of which must end before it waits for GPUs; default none"},
                   {optional("after_each", &ListedJob::after_each, one_or_list_of(text())),
                    "names of entries with as many jobs: each job waits for the one of the same "
                    "number; default none"},
                   {optional("think_time", &ListedJob::think_time, duration()),
                    "time from the last of these ends until it waits for GPUs; default 0 s"},
                   {optional("deadline", &ListedJob::deadline, duration(Zero::refused)),
                    "when it is due, after its submit; a deadline of its class counts first; "
                    "default none"},
                   {optional("tenant", &ListedJob::tenant, text()), "its tenant; default all"},
                   {optional("duration", &ListedJob::duration, duration()),
                    "its run time; only where its class trains no model"},
                   {optional("trials", &ListedJob::trials, trials_keys()),
                    "its jobs are trials of one search, some of which are stopped early"},
               })
        .at_most_one_of({"count", "array"})
        .check([](const Reader& at, ListedJob& job, const KeysRead& keys) {
            job.place = at.node().place();
            check_count(at, job, keys);
            if (keys.good("trials") && keys.good("duration") && keys.good("count") &&
                keys.good("array"))
                check_trials(at, job);
            if (at.find("think_time") && !at.find("after") && !at.find("after_each"))
                at.mistake_at("think_time", "has no effect", "the job waits for no other");
        });
}

void check_listed_jobs(const Reader& at, const JobList& list) {
    check_list_size(at, list);
    const std::optional<Reader> jobs = at.find("jobs");
    if (!jobs || list.jobs.size() > max_entries)
        return;
    RowNeeds needs;        // of entries
    double num_needed = 0; // of jobs
    for (std::size_t i = 0; i < list.jobs.size(); ++i) {
        const ListedJob& job = list.jobs[i];
        const Reader entry = jobs->element(i);
        std::vector<std::uint32_t> all = check_needs(entry, i, list, "after", job.after);
        for (const std::uint32_t other : all)
            num_needed +=
                static_cast<double>(job.count) *
                static_cast<double>(list.jobs[other].count * num_stages(list.jobs[other]));
        for (const std::uint32_t other :
             check_needs(entry, i, list, "after_each", job.after_each)) {
            num_needed += static_cast<double>(job.count);
            all.push_back(other);
        }
        num_needed += needs_of_rungs(job);
        needs.add_row(all);
    }
    if (num_needed > static_cast<double>(RowNeeds::max_needed))
        at.mistake_at("jobs",
                      "jobs wait for more than 50 million others in all",
                      "each job of an entry waits for every job of another",
                      "`after_each`, or a single job in between");
    if (const std::vector<std::uint32_t> circle = circle_in(needs); !circle.empty()) {
        const Reader entry = jobs->element(circle.front());
        entry.mistake_at(entry.find("after") ? "after" : "after_each",
                         "jobs wait for each other",
                         names_of(list, circle));
    }
}

}} // namespace bursar::scenarios
