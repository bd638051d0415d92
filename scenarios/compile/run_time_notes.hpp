#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar::inline scenarios {

/// Which jobs take the time that their workload states on GPUs of which nothing says how fast they
/// are.
class RunTimeNotes {
  public:
    /// Both outlive this.
    RunTimeNotes(const Scenario& scenario, const Trace& trace)
        : scenario_{scenario}, trace_{trace} {}

    /// A job whose run time the workload states. pools: those it may use, as bits. One whose row
    /// names a single GPU ran on that one: its run time is measured.
    void add(std::uint32_t row, std::uint16_t job_class, std::uint64_t pools);

    /// What is assumed of run times; empty: nothing.
    [[nodiscard]] std::vector<std::string> assumed() const;

  private:
    const Scenario& scenario_;
    const Trace& trace_;
    std::uint64_t unscaled_pools_{};
};

} // namespace bursar::inline scenarios
