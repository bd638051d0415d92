#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/record/distribution.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Finish-time fairness rho of the jobs of a result. Source: Mahajan et al., Themis, NSDI 2020.
class FinishTimeFairness {
  public:
    /// `result` must outlive it. Cost: the number of jobs, and sorting their finishes.
    explicit FinishTimeFairness(const Result& result);

    /// Time since the job was eligible over the ideal run time on 1/n of the fleet, where a gang
    /// that is larger than its share takes as many times longer; in millionths. n: mean number of
    /// jobs in the system. Absent for a job that has not finished, or whose ideal run time is 0.
    [[nodiscard]] std::optional<std::int64_t> rho_micro(std::size_t job) const;
    /// rho of the measured jobs, in millionths.
    [[nodiscard]] Distribution of_measured(const Result& result) const;

  private:
    const JobColumns& jobs_;
    std::vector<double> in_system_; ///< by job, while it was there
    double fleet_slots_{};
};

}} // namespace bursar::reports
