#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace sim {

/// Reference work of each job before its last attempt, as the engine counts it; empty if no attempt
/// was stopped.
[[nodiscard]] std::vector<std::int64_t> work_before_last(const Plan& plan, const JobRows& rows);

/// Time that the last attempts of finished jobs cleaned up: their teardown, unless their node was
/// reclaimed before its end. Plan and rows outlive it.
class Teardowns {
  public:
    Teardowns(const Plan& plan, const JobRows& rows);
    /// Precondition: the job has finished.
    [[nodiscard]] Duration of(std::size_t job) const;

  private:
    const Plan& plan_;
    const JobRows& rows_;
    std::vector<std::int64_t> done_ms_; ///< work_before_last()
    bool may_be_cut_{};                 ///< nodes may be reclaimed
};

}} // namespace bursar::sim
