#pragma once

#include <cstdint>
#include <span>

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Writes a scenario's pools into `plan`, their names into `labels`, and the order of pools by
/// name. Throws ScenarioError above max_pools pools.
void plan_fleet(const Scenario& scenario, Plan& plan, Labels& labels);

/// The pools that could hold a gang of this shape if they were empty, as bits. The pools that the
/// shape permits are not looked at. most: the most nodes of each pool at one time; empty: all.
std::uint64_t
pools_that_hold(const Plan& plan, const JobShape& shape, std::span<const std::uint32_t> most = {});

}} // namespace bursar::scenarios
