#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/plan/ids.hpp"
#include "sim/plan/job_order.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The group of each job of a plan, as a number below `bound_`. Jobs of a group have the same
/// number; groups are laid out by it, least first.
class JobKinds {
  public:
    explicit JobKinds(std::size_t num_jobs) : kind_(num_jobs, 0) {}

    /// Splits every group by a value of its jobs. value_of: (job) -> below num_values.
    template <class ValueOf>
    void split(std::uint64_t num_values, ValueOf value_of) {
        if (num_values <= 1)
            return;
        if (bound_ * num_values > max_bound)
            close_gaps();
        bound_ *= num_values;
        for (JobId job{0}; job < kind_.size(); ++job)
            kind_[job] = static_cast<std::uint32_t>(kind_[job] * num_values + value_of(job));
    }
    /// Splits by numbers of any size, one per job; empty: no split.
    template <class Number>
    void split_by(std::span<const Number> numbers);

    /// Renumbers the groups without gaps. Returns how many there are.
    std::uint32_t close_gaps();

    /// The number of each job.
    [[nodiscard]] std::vector<std::uint32_t> take() && { return std::move(kind_); }

  private:
    static constexpr std::uint64_t max_bound = std::uint64_t{1} << 32U;

    std::vector<std::uint32_t> kind_;
    std::uint64_t bound_{1};
};

extern template void JobKinds::split_by(std::span<const std::uint8_t>);
extern template void JobKinds::split_by(std::span<const std::int32_t>);
extern template void JobKinds::split_by(std::span<const std::uint64_t>);

/// Levels of jobs that a victim rule compares before the order of tenants or ratios: one per job,
/// least first, of any size; empty: all jobs have the same.
using JobLevels = std::span<const std::uint64_t>;

/// Lays out the jobs of `plan` group by group, inside a group by submit order. Jobs of a kind have
/// one shape and level. Sets begin, shape, index in the shape, and level (0, 1, ...) of each group.
JobOrder group_jobs(const Plan& plan, JobKinds kinds, JobLevels levels);

/// The groups of group_by_tenant, without their merits. priority: one per job, or empty.
JobOrder
group_tenants(const Plan& plan, const std::vector<std::int32_t>& priority, JobLevels levels);

/// Groups for an order of tenants, tenant by tenant. Jobs of a group share tenant, level and shape,
/// and priority if the policy reads it; the policy orders them by submit time alone. A tenant's
/// groups that are alone at their level come last.
///
/// policy: `static constexpr bool reads_priority`; `merits(plan)`, which gives a function
/// (JobShape, priority) -> uint64: the part of a group's rank that never changes.
template <class Policy>
JobOrder group_by_tenant(const Plan& plan, const Policy& policy, JobLevels levels = {}) {
    const std::vector<std::int32_t> none;
    JobOrder order = group_tenants(plan, Policy::reads_priority ? plan.priority : none, levels);
    const auto merit_of = policy.merits(plan);
    for (JobGroup& group : order.groups) {
        const JobId first = order.job_at[group.begin];
        const bool has_priority = Policy::reads_priority && !plan.priority.empty();
        group.merit =
            merit_of(plan.shapes[plan.shape[first]], has_priority ? plan.priority[first] : 0);
    }
    return order;
}

/// Groups of jobs of one shape and level whose tenants have one weight, which is a group's merit;
/// shape by shape, and inside a shape level by level.
JobOrder group_by_weight(const Plan& plan, JobLevels levels = {});

}} // namespace bursar::sim
