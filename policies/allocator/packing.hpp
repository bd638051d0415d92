#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/engine/passes/allocator.hpp"

namespace bursar { inline namespace policies {

/// The job of the view that should share its GPUs with a waiting one: of those with as many GPUs,
/// which they have for themselves after the decision, the one with which the speeds of both, each
/// over its speed alone, add up to most, and to more than `gain`; of equal ones the first.
/// pool_of: by place in the view, after the decision. Absent: none.
inline std::optional<std::size_t> best_partner(const AllocationView& view,
                                               const AllocationJob& job,
                                               const std::vector<PoolId>& pool_of,
                                               const std::vector<bool>& is_paired,
                                               double gain) {
    std::optional<std::size_t> best;
    for (std::size_t other = 0; other < view.jobs.size(); ++other) {
        const PoolId pool = pool_of[other];
        if (pool == view.plan.num_pools || is_paired[other] || view.jobs[other].gpus != job.gpus ||
            (job.pools >> pool & 1U) == 0)
            continue;
        const double sum = view.shared_speed(job, view.jobs[other], pool);
        if (sum > gain) {
            best = other;
            gain = sum;
        }
    }
    return best;
}

/// Adds rows to a decision: by submission, each job without GPUs shares those of its best partner.
/// Once there is none for a job, those behind it share none either: no job passes another one.
/// Cost: jobs that then share GPUs * jobs.
inline void pack(const AllocationView& view, double gain, std::vector<AllocationRow>& rows) {
    std::vector<PoolId> pool_of;
    std::vector<bool> is_paired;
    for (const AllocationJob& job : view.jobs) {
        pool_of.push_back(job.pool);
        is_paired.push_back(job.partner != no_partner);
    }
    std::size_t at = 0; // rows are in the order of jobs
    for (const AllocationRow& row : rows) {
        while (view.jobs[at].job != row.job)
            ++at;
        pool_of[at] = row.pool;
    }
    for (std::size_t place = 0; place < view.jobs.size(); ++place) {
        const AllocationJob& job = view.jobs[place];
        if (pool_of[place] != view.plan.num_pools || job.pool != view.plan.num_pools ||
            job.is_saving || job.slots == 0)
            continue;
        const std::optional<std::size_t> partner =
            best_partner(view, job, pool_of, is_paired, gain);
        if (!partner)
            return;
        is_paired[*partner] = true;
        rows.push_back({job.job, pool_of[*partner], 0, view.jobs[*partner].job});
    }
}

}} // namespace bursar::policies
