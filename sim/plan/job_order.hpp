#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/ids.hpp"
#include "sim/plan/job_group.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// How an order by key lays jobs out.
enum class OrderLayout : std::uint8_t {
    by_shape, ///< shape by shape: passing over jobs that do not fit needs the first of each shape
    one_line, ///< all in one: enough where only the first of all may start
};

/// The order in which a queue policy serves a plan's jobs, as far as it is fixed before the run;
/// worked out once.
///
/// With fixed keys, jobs are laid out by (key, submit order), all in one line or shape by shape. A
/// queue is then a set of positions, and "the best pending job" is the first member of a range:
/// nothing is ever sorted while time moves. What a start reads of it stands by position, where the
/// next to start are neighbours. 16 bytes per job; in one line 10. For an order of tenants they are
/// laid out group by group instead (job_groups.hpp). 12 bytes per job.
struct JobOrder {
    std::vector<std::uint32_t> position; ///< job -> position
    std::vector<JobId> job_at;           ///< position -> job
    /// Shape s owns positions [shape_begin[s], shape_begin[s+1]); with groups, as many of them.
    /// Empty in one line.
    std::vector<std::uint32_t> shape_begin;
    /// Job -> its level, which comes before what moves of its rank: of priority or value, the most
    /// urgent first; empty: there are none, or they are in the keys.
    std::vector<std::uint32_t> level;
    std::vector<std::uint64_t> key; ///< position -> key, to compare two shapes; empty in one line
    std::vector<std::uint16_t> shape_at; ///< position -> shape; in one line only

    std::vector<JobGroup> groups;        ///< orders of tenants only, tenant by tenant
    std::vector<std::uint32_t> group_of; ///< job -> its group
    /// With groups: shape s has places [place_begin[s], place_begin[s+1]), one for each of its
    /// jobs.
    std::vector<std::uint32_t> place_begin;
    std::vector<std::uint32_t> tenant_begin; ///< tenant t owns groups [tenant_begin[t], [t+1])
};

/// `policy.key(JobView) -> uint64` of each job of `plan`, as it is before the run.
template <class Policy>
std::vector<std::uint64_t> keys_of(const Plan& plan, const Policy& policy) {
    const PlanView view = view_of(plan);
    std::vector<std::uint64_t> key(plan.num_jobs());
    for (JobId job{0}; job < key.size(); ++job)
        key[job] = policy.key(view.view(job));
    return key;
}

/// Orders the jobs of `plan` by key, least first, ties by submit order. key: one per job.
JobOrder order_by_keys(const Plan& plan,
                       std::vector<std::uint64_t> key,
                       OrderLayout layout = OrderLayout::by_shape);

/// Orders the jobs of `plan` by `policy.key(JobView) -> uint64`, least first, ties by submit order.
template <class Policy>
JobOrder
order_jobs(const Plan& plan, const Policy& policy, OrderLayout layout = OrderLayout::by_shape) {
    return order_by_keys(plan, keys_of(plan, policy), layout);
}

}} // namespace bursar::sim
