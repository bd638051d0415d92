#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// The needs of a workload's jobs on nodes: GPUs or a part of one, CPU and memory. Resources that
/// no pool can be short of are left out, so that jobs which differ only in them have one shape.
class JobDemands {
  public:
    JobDemands(const Scenario& scenario, const Trace& trace, const Plan& plan);

    /// The row's shape, without its pools. CPU and memory per GPU of a class override those of the
    /// row.
    [[nodiscard]] JobShape of(std::size_t row, std::uint16_t job_class) const;

    /// The shape of a gang of that many GPUs, each with the CPU and memory that one of `asked` has,
    /// rounded up.
    [[nodiscard]] static JobShape with_gpus(JobShape asked, std::uint32_t gpus);

    /// Assumptions about all of them.
    [[nodiscard]] std::vector<std::string> assumed() const;

  private:
    const Scenario& scenario_;
    const Trace& trace_;
    bool counts_cpu_{};
    bool counts_memory_{};
};

}} // namespace bursar::scenarios
