#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"

#include "policies/broker/pool_orders.hpp"

namespace bursar { inline namespace policies {

/// Jobs that a broker treats alike: a class of the plan, a number of GPUs and, where it matters,
/// the region of their saved state.
struct JobKind {
    std::uint16_t job_class{}; ///< of the plan
    std::uint32_t gpus{};
    Duration work{}; ///< at reference speed, the mean of them
    Duration left{}; ///< work left at a stop at a random time, at reference speed: the mean
    std::vector<GangRisk> risks{}; ///< by pool; empty: never interrupted
    std::uint8_t saved_in{};       ///< 1 + region of Plan::pool_region; 0: nothing is saved
};

/// The job kind of each row of a plan's pool orders: the jobs whose shapes begin there
/// (JobShape::order_begin), followed by the same jobs by the region of their saved state.
[[nodiscard]] std::vector<JobKind> kinds_of(const Plan& plan);

/// GPU-hours that jobs of a kind hold on a pool per GPU-hour of kept work at reference speed.
/// Counts its speed at the widest locality level, saves, restarts, and work lost to interruptions
/// of the pool (JobKind::risks; models/reliability/expected_efficiency.hpp). At most
/// max_held_per_work. pool: of the plan.
[[nodiscard]] double held_per_work_on(const Plan& plan, const JobKind& kind, std::size_t pool);

/// Cost of moving the saved state of a job to a pool, in nano-USD per GPU-hour of work left. The
/// work left is the mean of its kind at a stop (JobKind::left). 0 where nothing is saved, or where
/// it is saved in the region of the pool.
[[nodiscard]] double moving_per_work_to(const Plan& plan, const JobKind& kind, std::size_t pool);

/// Both costs for all pools.
[[nodiscard]] WorkCosts costs_of_work(const Plan& plan, const JobKind& kind);

/// Costs above this count as this.
inline constexpr double max_held_per_work = 1e9;

}} // namespace bursar::policies
