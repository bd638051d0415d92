#pragma once

#include <cstdint>

#include "sim/engine/order/candidate.hpp"
#include "sim/engine/queues/claim.hpp"
#include "sim/engine/queues/ratio_entry.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/job_group.hpp"

namespace bursar { inline namespace sim {

/// A group that has pending jobs, no other of its shape being of a better level, with its leader.
struct AskedGroup {
    AskedGroup() = default;
    /// fair_weight: as the order has it.
    BURSAR_HD AskedGroup(std::uint32_t number, const JobGroup& own, double fair)
        : fair_weight{fair}, group{number}, level{own.level}, shape{own.shape} {}

    /// Another job leads from now on.
    BURSAR_HD void lead(JobId leader, const Claim& by) {
        job = leader;
        claim = by;
        per_run = 1.0 / static_cast<double>(by.run_ms);
    }

    /// As of an instant, if who leads does until then.
    template <class Order>
    [[nodiscard]] BURSAR_HD RoughRatio rough(const Order& order,
                                             std::int64_t at_ms,
                                             double per_weight) const {
        return {level,
                static_cast<double>(at_ms + claim.offset_ms) * per_run *
                    order.rough_speed(fair_weight, per_weight)};
    }

    Claim claim{};
    double per_run{}; ///< 1 / claim.run_ms
    double fair_weight{};
    JobId job{Candidate::no_job()};
    std::uint32_t group{};
    std::uint32_t level{};
    ShapeId shape{};
};

/// What is asked of a shape: the groups of its best level.
struct ShapeFront {
    std::uint32_t level{};
    std::uint32_t num_groups{};
};

}} // namespace bursar::sim
