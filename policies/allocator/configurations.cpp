#include "policies/allocator/configurations.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "models/optimization/linear_program.hpp"

namespace bursar { inline namespace policies {
namespace {

/// A number of GPUs of a pool that a job may have, and what that is worth.
struct Configuration {
    std::size_t job{}; ///< its place in the view
    ElasticDecision::Given given{};
    double worth{}; ///< > 0, over having none
};

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

/// Gives each job at most one of its configurations, so that the sum of worth is high: the best
/// fractions of configurations by a linear program, in which all but as many jobs as there are
/// pools have a whole one, or none, as a corner of its rows has; then these jobs and what is left
/// of the pools one after the other, the greatest gain first. So the sum is below the best one by
/// what that many jobs are worth at most.
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

/// Calls `take(given)` for each configuration of a job that takes part.
template <class Take>
void each_configuration(const AllocationView& view,
                        const AllocationJob& job,
                        const ElasticDecision& decision,
                        std::uint32_t most_gpus,
                        const Take& take) {
    if (!decision.takes_part(job))
        return;
    for (std::size_t form = 0; form < ElasticDecision::num_forms(job); ++form)
        for (PoolId pool{0}; pool < view.pools.size(); ++pool)
            if (const ElasticDecision::Given given = decision.in_form(job, form, pool);
                given.speed > 0 && (form == 0 || given.gpus <= most_gpus))
                take(given);
}

} // namespace

void WorthAllocator::allocate(const AllocationView& view, std::vector<AllocationRow>& rows) {
    past_.follow(view);
    ElasticDecision decision{view};
    std::vector<Configuration> all;
    for (std::size_t place = 0; place < view.jobs.size(); ++place) {
        const AllocationJob& job = view.jobs[place];
        const std::uint32_t most_gpus = growth_ == Growth::doubling
                                            ? 2 * past_.most_gpus(job)
                                            : std::numeric_limits<std::uint32_t>::max();
        const double unit = unit_speed(view, job, decision);
        each_configuration(
            view, job, decision, most_gpus, [&](const ElasticDecision::Given& given) {
                const double goodput = given.speed / unit * past_.factor(view, job, given);
                if (const double worth_of = worth(goodput); worth_of > 0)
                    all.push_back({place, given, worth_of});
            });
    }
    choose_configurations(all, decision);
    decision.put_rows(rows);
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
