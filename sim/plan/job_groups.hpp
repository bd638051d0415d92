#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/plan/ids.hpp"
#include "sim/plan/job_order.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// What tells the groups of a plan's jobs apart, as one number a job that is below `bound`: jobs of
/// a group have equal ones, and groups are laid out least first.
class JobKinds {
  public:
    explicit JobKinds(std::size_t num_jobs) : kind_(num_jobs, 0) {}

    /// Tells apart inside what has been told apart so far. value_of: (job) -> below num_values.
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
    /// The same by numbers of any size, one a job; none: nothing is told apart.
    template <class Number>
    void split_by(std::span<const Number> numbers);

    /// Numbers without gaps from now on; how many there are.
    std::uint32_t close_gaps();

    /// The number of each job.
    [[nodiscard]] std::vector<std::uint32_t> take() && { return std::move(kind_); }

  private:
    static constexpr std::uint64_t max_bound = std::uint64_t{1} << 32U;

    std::vector<std::uint32_t> kind_;
    std::uint64_t bound_{1};
};

extern template void JobKinds::split_by(std::span<const std::int32_t>);
extern template void JobKinds::split_by(std::span<const std::uint64_t>);

/// Lays out the jobs of `plan` group by group, inside a group by submit order. Jobs of a kind are
/// of one shape. Of each group it says where it begins, its shape and its index in the shape.
JobOrder group_jobs(const Plan& plan, JobKinds kinds);

/// Groups for an order of tenants, tenant by tenant: jobs of one tenant and shape, and of one
/// priority where the policy reads priorities, which it cannot tell apart but by their submit time.
///
/// policy: `static constexpr bool reads_priority`; `merits(plan)`, which gives a function
/// (JobShape, priority) -> uint64: the part of a group's rank that never changes.
template <class Policy>
JobOrder group_by_tenant(const Plan& plan, const Policy& policy) {
    JobKinds kinds{plan.num_jobs()};
    kinds.split(plan.num_tenants, [&](JobId job) { return plan.tenant[job]; });
    kinds.split(plan.shapes.size(), [&](JobId job) { return plan.shape[job]; });
    if constexpr (Policy::reads_priority)
        kinds.split_by(std::span<const std::int32_t>{plan.priority});
    JobOrder order = group_jobs(plan, std::move(kinds));
    const auto merit_of = policy.merits(plan);
    order.tenant_begin.assign(plan.num_tenants + 1U, 0);
    for (JobGroup& group : order.groups) {
        const JobId first = order.job_at[group.begin];
        const bool has_priority = Policy::reads_priority && !plan.priority.empty();
        group.merit =
            merit_of(plan.shapes[plan.shape[first]], has_priority ? plan.priority[first] : 0);
        group.tenant = TenantId{plan.tenant[first]};
        ++order.tenant_begin[group.tenant + 1U];
    }
    for (std::size_t tenant = 0; tenant < plan.num_tenants; ++tenant)
        order.tenant_begin[tenant + 1] += order.tenant_begin[tenant];
    return order;
}

/// Groups of jobs of one shape whose tenants have one weight, which is a group's merit; shape by
/// shape.
JobOrder group_by_weight(const Plan& plan);

} // namespace bursar::inline sim
