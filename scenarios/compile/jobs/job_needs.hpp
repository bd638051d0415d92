#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// The columns of a plan that say which jobs wait for others (Plan::num_needed).
class JobNeeds {
  public:
    /// Both outlive this.
    JobNeeds(const Scenario& scenario, const Trace& trace) : scenario_{scenario}, trace_{trace} {
        job_of_row_.resize(has_any() ? trace.size() : 0, none);
    }

    [[nodiscard]] bool has_any() const { return !trace_.needs.empty(); }

    /// A row becomes the plan's last job.
    void add(std::uint32_t row, const Plan& plan) {
        if (has_any())
            job_of_row_[row] = static_cast<std::uint32_t>(plan.num_jobs() - 1);
    }

    /// Fills the columns. Call it once, with all jobs. A row that was left out, or rejected, never
    /// ends: jobs take it as ended before, or under afterok wait for it for ever, as for one that
    /// fails. A rejected job is never eligible.
    void fill(Plan& plan);

    [[nodiscard]] std::vector<std::string> warnings() const;

  private:
    void fill_needs(Plan& plan);

    static constexpr std::uint32_t none = 0xffffffffU;

    const Scenario& scenario_;
    const Trace& trace_;
    std::vector<std::uint32_t> job_of_row_; ///< none: left out
    std::uint64_t num_stuck_{};             ///< jobs that need one that never ends as it must
    std::uint64_t num_left_out_{};          ///< needed rows that were left out, under afterany
};

}} // namespace bursar::scenarios
