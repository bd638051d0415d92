#pragma once

#include "sim/engine/workspace.hpp"
#include "sim/plan/job_order.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

#include "policies/policy_choice.hpp"

namespace bursar::inline policies {

/// Runs `plan` once under `choice`, as simulate does, and keeps the totals alone. For whoever runs
/// the engine very often, or times it: the instances without a recorder are a library of their own
/// (bursar::ledger_runs), which the program does without.
Outcome simulate_ledger(const Plan& plan,
                        const JobOrder& order,
                        const PolicyChoice& choice,
                        Workspace& workspace);

} // namespace bursar::inline policies
