#pragma once

#include <cstddef>

#include "sim/plan/plan.hpp"

#include "policies/broker/job_kind.hpp"
#include "policies/broker/pool_orders.hpp"

namespace bursar { inline namespace policies {

/// GPU-hours of a pool that jobs of a kind hold for each GPU-hour of their work at reference speed
/// that is kept: its speed at the widest locality level, saves, restarts and what is lost as often
/// as the pool interrupts them (JobKind::risks; models/reliability/expected_efficiency.hpp). At
/// most max_held_per_work. pool: of the plan.
[[nodiscard]] double held_per_work_on(const Plan& plan, const JobKind& kind, std::size_t pool);

/// What moving what it has saved to a pool costs a job of a kind, for each GPU-hour of work that it
/// has left, which is taken to be what jobs of its kind have left in the mean when they are stopped
/// (JobKind::left); in nano-USD. 0 where it has saved nothing, or in the region of the pool.
[[nodiscard]] double moving_per_work_to(const Plan& plan, const JobKind& kind, std::size_t pool);

/// Both, of all pools.
[[nodiscard]] WorkCosts costs_of_work(const Plan& plan, const JobKind& kind);

/// What keeps less than that is as good as nothing.
inline constexpr double max_held_per_work = 1e9;

}} // namespace bursar::policies
