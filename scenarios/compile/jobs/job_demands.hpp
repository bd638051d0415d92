#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// What the jobs of a workload need on nodes: GPUs or a part of one, CPU and memory. What no pool
/// can be short of is left out, so that jobs which differ in nothing else have one shape.
class JobDemands {
  public:
    JobDemands(const Scenario& scenario, const Trace& trace, const Plan& plan);

    /// The row's shape; its pools are left to the caller. A class's CPU and memory per GPU stand
    /// over what the row says.
    [[nodiscard]] JobShape of(std::size_t row, std::uint16_t job_class) const;

    /// What is assumed of all of them.
    [[nodiscard]] std::vector<std::string> assumed() const;

  private:
    const Scenario& scenario_;
    const Trace& trace_;
    bool counts_cpu_{};
    bool counts_memory_{};
};

}} // namespace bursar::scenarios
