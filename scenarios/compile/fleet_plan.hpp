#pragma once

#include <cstdint>

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar {

/// Writes a scenario's pools into `plan` and their names into `labels`, and works out the orders in
/// which brokers and the idle split go through them. Throws ScenarioError above max_pools pools.
void plan_fleet(const Scenario& scenario, Plan& plan, Labels& labels);

/// The pools that could hold a gang of `gpus` if they were empty, as bits. Whole nodes and a rest
/// on one more node always fit where the count does.
std::uint64_t pools_that_hold(const Plan& plan, std::uint32_t gpus);

} // namespace bursar
