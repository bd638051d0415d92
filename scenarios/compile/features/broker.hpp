#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Numbers the regions of a plan's pools if the broker reads the cost of moving checkpoints between
/// them. Called before the jobs are added.
void plan_regions(const CompileInput& input, Compiled& compiled);

/// Writes the cost of such moves, by class of the plan, and the interruption rates of gangs that
/// the broker believes in.
void plan_beliefs(const CompileInput& input, Compiled& compiled);

/// Writes the orders in which the scenario's broker tries the pools. Changes of the order before
/// the end of the run become events of the world. plan: with its pools, prices and world.
void plan_broker(const Scenario& scenario, Plan& plan);

/// Gives kinds of jobs their rows of orders, where the broker distinguishes them.
class OrderRows {
  public:
    OrderRows(const Scenario& scenario, const Plan& plan);

    /// Where the row of a class of the plan and a number of GPUs begins in Plan::pool_preference;
    /// absent: there are too many.
    [[nodiscard]] std::optional<std::uint16_t> begin_of(std::uint16_t plan_class,
                                                        std::uint32_t gpus);

  private:
    const Plan& plan_;
    bool has_rows_{};
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::size_t> rows_;
};

/// Gives jobs their fallbacks, where the broker has some.
class JobFallbacks {
  public:
    JobFallbacks(const Scenario& scenario, Plan& plan);

    /// Whether any job may have one.
    [[nodiscard]] bool may_split() const { return late_pools_ != 0; }

    /// The pools that the plan's next job may use at first, and those that it may use later.
    /// Absent: all of them at any time. holding: pools that can hold it. shape: receives the first
    /// pools. has_deadline: the job.
    [[nodiscard]] std::optional<JobFallback>
    split(bool has_deadline, const PlanClass& own, std::uint64_t holding, JobShape& shape) const;
    /// Adds the fallback of the job that was just added to the plan.
    void add(const JobFallback& fallback) { plan_.fallbacks.push_back(fallback); }

    /// Assumptions for the report.
    [[nodiscard]] std::vector<std::string> assumed() const;

  private:
    [[nodiscard]] std::int64_t loss_ms(const PlanClass& own, std::uint64_t pools) const;
    [[nodiscard]] std::int64_t boot_ms(std::uint64_t pools) const;

    const Scenario& scenario_;
    Plan& plan_;
    std::uint64_t late_pools_{}; ///< 0: the broker has no fallbacks
    mutable std::uint64_t num_without_deadline_{};
    mutable std::uint64_t num_without_choice_{};
};

}} // namespace bursar::scenarios
