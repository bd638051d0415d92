#pragma once

#include <vector>

#include "sim/plan/plan.hpp"

#include "tests/oracle/naive_scheduler.hpp"

namespace bursar::test {

/// The world of a plan and the rules of its nodes, in the types of the oracle.
std::vector<oracle::WorldChange> changes_of(const Plan& plan);
std::vector<oracle::FleetRule> fleet_of(const Plan& plan);
std::vector<oracle::Quota> quotas_of(const Plan& plan);

} // namespace bursar::test
