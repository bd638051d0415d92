#pragma once

#include <cstddef>

#include "sim/plan/plan.hpp"

#include "policies/broker/job_kind.hpp"

namespace bursar::inline policies {

/// GPU-hours of a pool that jobs of a kind hold for each GPU-hour of their work at reference speed
/// that is kept: its speed at the widest locality level, saves, restarts and what is lost when the
/// pool takes its nodes back or they fail, as often as in the plan's world
/// (models/reliability/held_per_work.hpp). At most max_held_per_work. pool: of the plan.
[[nodiscard]] double held_per_work_on(const Plan& plan, const JobKind& kind, std::size_t pool);

/// What keeps less than that is as good as nothing.
inline constexpr double max_held_per_work = 1e9;

} // namespace bursar::inline policies
