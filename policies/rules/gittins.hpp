#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/job_order_view.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

#include "policies/rules/least_attained.hpp"

namespace bursar { inline namespace policies {

/// The Gittins index of a job by the level of service it has reached, inside the queues of las, if
/// there are any (policies/queue/gittins.hpp). It reads the levels from the run's JobOrder.
class GittinsRule {
  public:
    static constexpr OrderTraits traits{.motion = KeyMotion::steps,
                                        .ties = Ties::turn,
                                        .preempts = true,
                                        .tests_at_events = true,
                                        .varies = true};

    GittinsRule() = default;
    /// queues: compared before the index, and whether keys are read at events only.
    GittinsRule(const LeastAttainedRule& queues, Ties ties) : queues_{queues}, ties_{ties} {}

    [[nodiscard]] BURSAR_HD OrderTraits own_traits() const {
        return {.motion = KeyMotion::steps,
                .ties = ties_,
                .preempts = true,
                .tests_at_events = traits.tests_at_events};
    }

    /// The levels of a run's order, which must outlive this. Call it before any key is read.
    BURSAR_HD void read_levels(const JobOrderView& order) {
        end_ = order.service_end;
        key_ = order.service_key;
        num_levels_ = order.num_service_levels;
    }

    /// The queue, then the index, inverted. A job with more service than the largest job comes last
    /// in its queue.
    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        const std::uint32_t level = level_of(job);
        const std::uint64_t by_index = level < num_levels_ ? key_[level] : last_key;
        return queues_.key(job) << index_bits | by_index;
    }

    /// Rounded up, so that the end of the level or queue is reached by then. With Tiresias'
    /// wake-ups: its forecast of the end of the queue.
    [[nodiscard]] BURSAR_HD Duration until_key_changes(const JobView& job) const {
        const Duration queue_ends = queues_.until_key_changes(job);
        const std::uint32_t level = level_of(job);
        if (level == num_levels_ || job.gpus == 0 || tests_at_events())
            return queue_ends;
        const Duration level_ends = job.time_for(end_[level] - job.gpu_ms(job.attained));
        return queue_ends < level_ends ? queue_ends : level_ends;
    }

    [[nodiscard]] BURSAR_HD bool tests_at_events() const { return queues_.tests_at_events(); }

    static constexpr int index_bits = 60; ///< of a fraction_key
    static constexpr std::uint64_t last_key = (std::uint64_t{1} << index_bits) - 1;

  private:
    /// Levels whose end the job's service has reached.
    [[nodiscard]] BURSAR_HD std::uint32_t level_of(const JobView& job) const {
        const std::int64_t attained = job.gpu_ms(job.attained);
        std::uint32_t level = 0;
        for (std::uint32_t above = num_levels_; level < above;) {
            const std::uint32_t middle = (level + above) / 2;
            if (end_[middle] <= attained)
                level = middle + 1;
            else
                above = middle;
        }
        return level;
    }

    LeastAttainedRule queues_{};
    const std::int64_t* end_{}; ///< of each level, GPU-ms, ascending
    const std::uint64_t* key_{};
    std::uint32_t num_levels_{};
    Ties ties_{Ties::turn};
};

}} // namespace bursar::policies
