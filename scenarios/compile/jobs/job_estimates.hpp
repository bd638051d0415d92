#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Fills the plan's column of believed run times by `policy.estimates`; exact leaves it empty.
class JobEstimates {
  public:
    /// All outlive this. Throws ScenarioError if users' estimates are wanted and the workload has
    /// none.
    JobEstimates(const Scenario& scenario, const Trace& trace, Plan& plan);

    /// Whether there is no column: then add() does nothing.
    [[nodiscard]] bool is_exact() const { return !is_user_ && !is_noisy_; }

    /// Adds the last job of the plan, which is row `row` of the workload.
    void add(std::uint32_t row);

    /// Assumptions, some of which hold under some policies only (assumed_under).
    [[nodiscard]] std::vector<std::string> assumed() const;

  private:
    [[nodiscard]] double factor_of(std::size_t job) const;
    void check_requested() const;

    const Scenario& scenario_;
    const Trace& trace_;
    Plan& plan_;
    bool is_user_{};
    bool is_noisy_{};
    bool is_lognormal_{};
    double max_factor_{};
    double sigma_{};
    std::uint64_t seed_{};
    std::size_t num_without_request_{}; ///< jobs whose row has no requested run time
};

}} // namespace bursar::scenarios
