#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include "sim/plan/ids.hpp"
#include "sim/plan/job_order.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// Lays out the jobs of `plan` kind by kind, inside a kind by submit order; jobs of a kind are of
/// one shape. kind_of: (job) -> something that is ordered. group_of_first: (job) -> the rest of a
/// group whose first job this is.
template <class KindOf, class GroupOfFirst>
JobOrder group_jobs(const Plan& plan, KindOf kind_of, GroupOfFirst group_of_first) {
    const auto num_jobs = static_cast<std::uint32_t>(plan.num_jobs());
    JobOrder order;
    order.job_at.resize(num_jobs);
    std::iota(order.job_at.begin(), order.job_at.end(), JobId{0});
    std::ranges::stable_sort(order.job_at, {}, kind_of);
    order.position.resize(num_jobs);
    order.group_of.resize(num_jobs);
    std::vector<std::uint32_t> in_shape(plan.shapes.size(), 0);
    for (std::uint32_t at = 0; at < num_jobs; ++at) {
        const JobId job = order.job_at[at];
        if (at == 0 || kind_of(order.job_at[at - 1]) != kind_of(job)) {
            JobGroup group = group_of_first(job);
            group.begin = at;
            group.shape = ShapeId{plan.shape[job]};
            group.index = in_shape[group.shape]++;
            order.groups.push_back(group);
        }
        order.position[job] = at;
        order.group_of[job] = static_cast<std::uint32_t>(order.groups.size() - 1);
    }
    order.shape_begin.assign(plan.shapes.size() + 1, 0);
    std::partial_sum(in_shape.begin(), in_shape.end(), order.shape_begin.begin() + 1);
    return order;
}

/// Groups for an order of tenants, tenant by tenant: jobs of one tenant and shape, and of one
/// priority where the policy reads priorities, which it cannot tell apart but by their submit time.
///
/// policy: `static constexpr bool reads_priority`; `merits(plan)`, which gives a function
/// (JobShape, priority) -> uint64: the part of a group's rank that never changes.
template <class Policy>
JobOrder group_by_tenant(const Plan& plan, const Policy& policy) {
    const auto merit_of = policy.merits(plan);
    const auto priority_of = [&](JobId job) {
        return Policy::reads_priority && !plan.priority.empty() ? plan.priority[job] : 0;
    };
    JobOrder order = group_jobs(
        plan,
        [&](JobId job) {
            return std::tuple{plan.tenant[job], plan.shape[job], priority_of(job)};
        },
        [&](JobId job) {
            JobGroup group;
            group.merit = merit_of(plan.shapes[plan.shape[job]], priority_of(job));
            group.tenant = TenantId{plan.tenant[job]};
            return group;
        });
    order.tenant_begin.assign(plan.num_tenants + 1U, 0);
    for (const JobGroup& group : order.groups)
        ++order.tenant_begin[group.tenant + 1U];
    std::partial_sum(
        order.tenant_begin.begin(), order.tenant_begin.end(), order.tenant_begin.begin());
    return order;
}

/// Groups of jobs of one shape whose tenants have one weight, which is a group's merit.
inline JobOrder group_by_weight(const Plan& plan) {
    const PlanView view = view_of(plan);
    return group_jobs(
        plan,
        [&](JobId job) {
            return std::tuple{plan.shape[job], view.weight(view.tenant_of(job))};
        },
        [&](JobId job) {
            JobGroup group;
            group.merit = view.weight(view.tenant_of(job));
            return group;
        });
}

} // namespace bursar::inline sim
