#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/arena/min_tree.hpp"
#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/estimated_hold.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The believed holds of pending jobs in groups, to find short ones. 9.2 bytes per job, and nothing
/// if no pass needs them.
class GroupLengths {
  public:
    GroupLengths() = default;
    BURSAR_HD GroupLengths(ArenaCarver& carver, const RunPlan& plan, const JobOrderView& jobs)
        : plan_{plan}, jobs_{jobs}, shortest_{carver, jobs.finds_short ? plan.num_jobs : 0} {}

    BURSAR_HD void clear() { shortest_.clear(); }

    /// Adds a waiting job with this progress.
    BURSAR_HD void insert(JobId job, const Progress& progress) {
        if (jobs_.finds_short)
            shortest_.set(place_of(job), shortest_hold_ms(plan_, job, progress));
    }
    BURSAR_HD void erase(JobId job) {
        if (jobs_.finds_short)
            shortest_.set(place_of(job), MinTree::absent);
    }

    /// Whether a pending job of `shape` may release its GPUs within `max_ms` in some pool.
    [[nodiscard]] BURSAR_HD bool may_have(ShapeId shape, std::int64_t max_ms) const {
        return shortest_.first_at_most(jobs_.place_begin[shape], max_ms) <
               jobs_.place_begin[shape + 1]; // BitTree::none is past any end
    }
    /// The first pending job of a group in positions [begin, end) that releases GPUs of `pool`
    /// within `max_ms` on any node, or no_job().
    [[nodiscard]] BURSAR_HD JobId first_within(std::uint32_t group,
                                               std::uint32_t begin,
                                               std::uint32_t end,
                                               PoolId pool,
                                               std::int64_t max_ms,
                                               const CarriedJobs& carried) const {
        const std::uint32_t to_position = jobs_.groups[group].begin - jobs_.groups[group].place;
        const std::uint32_t last = end - to_position;
        for (std::uint32_t place = shortest_.first_at_most(begin - to_position, max_ms);
             place < last;
             place = shortest_.first_at_most(place + 1, max_ms)) {
            const JobId job = jobs_.job_at[place + to_position];
            // The tree has the shortest hold over all pools.
            if (plan_.classes[plan_.job_class[job]].speed_row == 0 ||
                longest_hold_ms(plan_, job, carried.of(job), pool) <= max_ms)
                return job;
        }
        return Candidate::no_job();
    }

  private:
    [[nodiscard]] BURSAR_HD std::uint32_t place_of(JobId job) const {
        const JobGroup& group = jobs_.groups[jobs_.group_of[job]];
        return group.place + (jobs_.position[job] - group.begin);
    }

    RunPlan plan_;
    JobOrderView jobs_;
    MinTree shortest_; ///< over all pools, by place
};

}} // namespace bursar::sim
