#pragma once

#include <string>
#include <vector>

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Warnings of jobs that cannot start in this run, because the pools that they may use never have
/// so many nodes at a time as far as the world is known before the run: over all of a run with an
/// end; else from a job's submit on, where what a file says of availability stays as it ends. plan:
/// with its world and its end.
[[nodiscard]] std::vector<std::string>
starved_jobs(const Scenario& scenario, const Plan& plan, const Labels& labels);

}} // namespace bursar::scenarios
