#pragma once

#include <cstddef>
#include <cstdint>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"

#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Shortest time of a job from start to end, on the fastest pool that it may use now or later, with
/// the number of GPUs that it asks for, or, if the policy resizes jobs, with any that it may have.
/// Saves are not counted. work_ms: at reference speed.
[[nodiscard]] Duration
least_time(const Scenario& scenario, const Plan& plan, std::size_t job, std::int64_t work_ms);

/// Refuses the jobs, of classes that say so (LateRule), that by their estimated run time could not
/// meet their deadline even if they started at their submit. compiled: with all jobs, before those
/// that wait for others are known.
void reject_late_jobs(const Scenario& scenario, Compiled& compiled);

}} // namespace bursar::scenarios
