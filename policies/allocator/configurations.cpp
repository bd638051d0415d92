#include "policies/allocator/configurations.hpp"

#include <algorithm>
#include <utility>

#include "models/optimization/linear_program.hpp"

namespace bursar { inline namespace policies {
namespace {

using Terms = std::vector<LinearProgram::Term>;

/// Fractions of configurations with the highest sum of worth; empty: the solver finds none.
std::vector<double> best_fractions(const std::vector<Configuration>& from,
                                   const ElasticDecision& decision,
                                   std::size_t num_pools) {
    LinearProgram program{from.size()};
    std::vector<Terms> held(num_pools);
    std::map<std::size_t, Terms> whole;
    for (std::size_t i = 0; i < from.size(); ++i) {
        program.maximise(i, from[i].worth);
        held[from[i].given.pool].push_back({i, static_cast<double>(from[i].given.slots)});
        whole[from[i].job].push_back({i, 1.0});
    }
    for (std::size_t pool = 0; pool < num_pools; ++pool)
        program.add_row(
            held[pool],
            static_cast<double>(decision.left(PoolId{static_cast<std::uint32_t>(pool)})));
    for (const auto& [_, terms] : whole)
        program.add_row(terms, 1.0);
    return program.solve_at_corner().x;
}

/// By job: what it has is worth.
using Worths = std::map<std::size_t, double>;

/// Gives the configuration that adds most, while one adds anything and fits.
void fill(const std::vector<Configuration>& from, Worths& worths, ElasticDecision& decision) {
    while (true) {
        const Configuration* best = nullptr;
        double most = 0;
        for (const Configuration& one : from) {
            const ElasticDecision::Given& now = decision.given(one.job);
            const std::int64_t back = now.speed > 0 && now.pool == one.given.pool ? now.slots : 0;
            const double gain = one.worth - worths[one.job];
            if (gain > most && one.given.slots <= decision.left(one.given.pool) + back) {
                most = gain;
                best = &one;
            }
        }
        if (best == nullptr)
            return;
        decision.give(best->job, best->given);
        worths[best->job] = best->worth;
    }
}

} // namespace

void choose_configurations(const std::vector<Configuration>& from, ElasticDecision& decision) {
    constexpr double nearly_whole = 1 - 1e-6;
    if (from.empty())
        return;
    const std::vector<double> x = best_fractions(from, decision, decision.num_pools());
    Worths worths;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (x[i] > nearly_whole && from[i].given.slots <= decision.left(from[i].given.pool)) {
            decision.give(from[i].job, from[i].given);
            worths[from[i].job] = from[i].worth;
        }
    fill(from, worths, decision);
}

void ElasticPast::follow(const AllocationView& view) {
    std::map<std::uint32_t, Past> now;
    for (const AllocationJob& job : view.jobs) {
        const auto at = past_.find(job.job);
        Past next = at == past_.end() ? Past{PoolId{view.plan.num_pools}, 0, 0, 0} : at->second;
        if (job.pool < view.plan.num_pools) {
            if (next.gpus != 0 && (next.pool != job.pool || next.gpus != job.gpus))
                ++next.num_changes; // the first start is none
            next.pool = job.pool;
            next.gpus = job.gpus;
            next.most_gpus = std::max(next.most_gpus, job.gpus);
        }
        now.emplace(job.job, next);
    }
    past_ = std::move(now);
}

std::uint32_t ElasticPast::most_gpus(const AllocationJob& job) const {
    const auto at = past_.find(job.job);
    return at == past_.end() ? 0 : at->second.most_gpus;
}

double ElasticPast::factor(const AllocationView& view,
                           const AllocationJob& job,
                           const ElasticDecision::Given& given) const {
    const bool is_unchanged = job.pool == given.pool && job.slots == given.slots;
    const auto at = past_.find(job.job);
    constexpr double of_equals = 1 + 1e-6; // of equal jobs, the one that runs goes on
    if (is_unchanged)
        return of_equals;
    if (at == past_.end() || at->second.gpus == 0)
        return 1; // it has never run
    const auto age_ms = static_cast<double>(view.now_ms - view.plan.submit_ms[job.job]);
    const auto change_ms =
        static_cast<double>(view.plan.classes[view.plan.job_class[job.job]].rescale.count());
    const double changes_ms = static_cast<double>(at->second.num_changes) * change_ms;
    return age_ms > 0 ? std::max(age_ms - changes_ms, 0.0) / (age_ms + change_ms) : 0;
}

}} // namespace bursar::policies
