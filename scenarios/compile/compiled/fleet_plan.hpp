#pragma once

#include <cstdint>
#include <span>

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Writes a scenario's pools into `plan` and their names into `labels`, and works out the orders in
/// which brokers and the idle split go through them. Throws ScenarioError above max_pools pools.
void plan_fleet(const Scenario& scenario, Plan& plan, Labels& labels);

/// The pools that could hold a gang of this shape if they were empty, whatever pools it permits; as
/// bits. most: nodes of each pool that it may have at one time; empty: all.
std::uint64_t
pools_that_hold(const Plan& plan, const JobShape& shape, std::span<const std::uint32_t> most = {});

}} // namespace bursar::scenarios
