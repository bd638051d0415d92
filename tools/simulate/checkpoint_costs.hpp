#pragma once

#include "sim/record/outcome.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/scenario/scenario.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace tools {

/// Adds to `facts` what it costs to keep checkpoints, as classes with a `store` do, and to move
/// them to where their jobs go on: other costs `storage` and `egress`, in whole nano-dollars, and
/// what is taken for granted in them. compiled: of `scenario`.
void add_checkpoint_costs(const Scenario& scenario,
                          const Compiled& compiled,
                          const Outcome& outcome,
                          const JobRows& jobs,
                          RunFacts& facts);

}} // namespace bursar::tools
