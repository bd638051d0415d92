#include "scenarios/compile/jobs/job_needs.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace bursar { inline namespace scenarios {

void JobNeeds::fill(Plan& plan) {
    if (has_any())
        fill_needs(plan);
    if (std::ranges::find(plan.end, JobEnd::rejected) == plan.end.end())
        return;
    plan.num_needed.resize(plan.num_jobs());
    plan.dependent_begin.resize(plan.num_jobs() + 1);
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        plan.num_needed[job] += plan.end[job] == JobEnd::rejected ? 1 : 0;
}

void JobNeeds::fill_needs(Plan& plan) {
    const bool must_complete = scenario_.dependencies == DependencyRule::afterok;
    plan.num_needed.assign(plan.num_jobs(), 0);
    plan.dependent_begin.assign(plan.num_jobs() + 1, 0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs; // needed job, the one that waits
    for (std::size_t row = 0; row < trace_.size(); ++row) {
        const std::uint32_t job = job_of_row_[row];
        if (job == none)
            continue;
        bool is_stuck = false;
        for (const std::uint32_t other : trace_.needs.of(row)) {
            const std::uint32_t needed = job_of_row_[other];
            const bool never_runs = needed == none || plan.end[needed] == JobEnd::rejected;
            num_left_out_ += needed == none && !must_complete ? 1 : 0;
            if (must_complete && (never_runs || (plan.end[needed] != JobEnd::completed &&
                                                 plan.end[needed] != JobEnd::stopped)))
                is_stuck = true;
            else if (!never_runs)
                pairs.emplace_back(needed, job);
            plan.num_needed[job] += never_runs && !must_complete ? 0 : 1;
        }
        num_stuck_ += is_stuck ? 1 : 0;
    }
    if (pairs.empty() && num_stuck_ == 0) {
        plan.num_needed.clear();
        plan.dependent_begin.clear();
        return;
    }
    plan.needs_completion = must_complete;
    for (const auto& [needed, job] : pairs)
        ++plan.dependent_begin[needed + 1U];
    std::partial_sum(
        plan.dependent_begin.begin(), plan.dependent_begin.end(), plan.dependent_begin.begin());
    std::vector<std::uint32_t> next{plan.dependent_begin.begin(), plan.dependent_begin.end() - 1};
    plan.dependents.resize(pairs.size());
    for (const auto& [needed, job] : pairs)
        plan.dependents[next[needed]++] = job;
    if (trace_.think_ms.empty())
        return;
    plan.think_ms.resize(plan.num_jobs());
    for (std::size_t row = 0; row < trace_.size(); ++row)
        if (job_of_row_[row] != none)
            plan.think_ms[job_of_row_[row]] = trace_.think_ms[row];
}

std::vector<std::string> JobNeeds::warnings() const {
    std::vector<std::string> out;
    if (num_stuck_ > 0)
        out.push_back(fmt::format("{} job{} for a job that fails or cannot run, and never become{} "
                                  "eligible (dependencies: afterok)",
                                  num_stuck_,
                                  num_stuck_ == 1 ? " waits" : "s wait",
                                  num_stuck_ == 1 ? "s" : ""));
    if (num_left_out_ > 0)
        out.push_back(fmt::format("{} needed job{} skipped: the jobs that wait for {} take {} as "
                                  "ended",
                                  num_left_out_,
                                  num_left_out_ == 1 ? " was" : "s were",
                                  num_left_out_ == 1 ? "it" : "them",
                                  num_left_out_ == 1 ? "it" : "them"));
    return out;
}

}} // namespace bursar::scenarios
