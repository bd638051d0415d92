#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/ids.hpp"
#include "sim/plan/job_group.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The layout of jobs in an order by key.
enum class OrderLayout : std::uint8_t {
    by_shape, ///< shape by shape: skipping jobs that do not fit needs the first of each shape
    one_line, ///< one sequence: enough where only the very first job may start
};

/// What an order such as Gittins' reads while jobs run: where each level of service ends, and the
/// key of jobs in it.
struct ServiceLevels {
    std::vector<std::int64_t> end; ///< GPU-ms, ascending
    std::vector<std::uint64_t> key;
};

/// The part of a queue policy's order that is fixed before the run; computed once.
///
/// With fixed keys, jobs are laid out by (key, submit order), in one sequence or shape by shape. A
/// queue is then a set of positions, and "the best pending job" is the first member of a range:
/// nothing is sorted during the run. Data that a start reads is indexed by position, so that the
/// next jobs to start are neighbours in memory. 16 bytes per job; in one sequence 10. For an order
/// of tenants, jobs are laid out group by group instead (job_groups.hpp): 12 bytes per job.
struct JobOrder {
    std::vector<std::uint32_t> position; ///< job -> position
    std::vector<JobId> job_at;           ///< position -> job
    /// Shape s owns positions [shape_begin[s], shape_begin[s+1]); with groups, that many of them.
    /// Empty in one sequence.
    std::vector<std::uint32_t> shape_begin;
    /// Job -> its level by priority or value, the most urgent first, compared before the part of
    /// its rank that changes. Empty: there are no levels, or they are in the keys.
    std::vector<std::uint32_t> level;
    std::vector<std::uint64_t>
        key; ///< position -> key, to compare two shapes; empty in one sequence
    std::vector<std::uint16_t> shape_at; ///< position -> shape; in one sequence only
    ServiceLevels service;               ///< orders by levels of service only

    std::vector<JobGroup> groups;        ///< orders of tenants only, tenant by tenant
    std::vector<std::uint32_t> group_of; ///< job -> its group
    /// With groups: shape s has places [place_begin[s], place_begin[s+1]), one for each of its
    /// jobs.
    std::vector<std::uint32_t> place_begin;
    std::vector<std::uint32_t> tenant_begin; ///< tenant t owns groups [tenant_begin[t], [t+1])
};

/// `policy.key(JobView) -> uint64` of each job of `plan` before the run.
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
