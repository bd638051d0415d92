#include "scenarios/compile/jobs/job_needs.hpp"

#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace bursar { inline namespace scenarios {

void JobNeeds::fill(Plan& plan) {
    if (!has_any())
        return;
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
            const bool is_left_out = needed == none;
            num_left_out_ += is_left_out && !must_complete ? 1 : 0;
            const bool fails = must_complete && !is_left_out &&
                               plan.end[needed] != JobEnd::completed &&
                               plan.end[needed] != JobEnd::stopped;
            if (fails || (must_complete && is_left_out))
                is_stuck = true;
            else if (!is_left_out)
                pairs.emplace_back(needed, job);
            plan.num_needed[job] += is_left_out && !must_complete ? 0 : 1;
        }
        num_stuck_ += is_stuck ? 1 : 0;
    }
    if (pairs.empty() && num_stuck_ == 0) {
        plan.num_needed.clear();
        plan.dependent_begin.clear();
        return;
    }
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
