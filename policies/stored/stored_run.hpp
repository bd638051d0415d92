#pragma once

#include <string_view>

#include "sim/plan/plan.hpp"
#include "sim/plan_file/plan_file.hpp"

#include "policies/policy_choice.hpp"
#include "policies/stored/run_terms.hpp"

namespace bursar { inline namespace policies {

/// Sections of a plan file beside those of its plan (sim/plan_file/README.md).
inline constexpr std::string_view policy_section = "policy";
inline constexpr std::string_view terms_section = "terms";

/// What a plan file says of a run, but for its scenario.
struct StoredRun {
    Plan plan;
    PolicyChoice choice;
    RunTerms terms;
};

/// version: of this program. Throws BadPlan where the file holds no such run, or one that another
/// version compiled, or a choice that is none.
[[nodiscard]] StoredRun read_run(const PlanFile& file, std::string_view version);

}} // namespace bursar::policies
