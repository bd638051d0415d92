#pragma once

#include "sim/plan/plan.hpp"
#include "sim/plan_file/plan_file.hpp"

namespace bursar { inline namespace sim {

/// Adds a plan to a file: a section for each of its columns, and one for the rest.
void add_plan(const Plan& plan, PlanFileWriter& file);

/// The plan of a file. Throws BadPlan where there is none, or one that no run can rely on
/// (check_plan).
[[nodiscard]] Plan read_plan(const PlanFile& file);

}} // namespace bursar::sim
