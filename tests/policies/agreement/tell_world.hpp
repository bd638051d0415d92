#pragma once

#include <vector>

#include "sim/plan/plan.hpp"

#include "tests/oracle/naive_scheduler.hpp"

namespace bursar::test {

/// What happens to a plan from outside, and how its nodes come and go, as the oracle wants it told.
std::vector<oracle::WorldChange> changes_of(const Plan& plan);
std::vector<oracle::FleetRule> fleet_of(const Plan& plan);
std::vector<oracle::Quota> quotas_of(const Plan& plan);

} // namespace bursar::test
