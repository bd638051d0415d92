#include "sim/plan/job_groups.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bursar { inline namespace sim {
namespace {

/// The different ones, least first.
template <class Number>
std::vector<Number> different(std::span<const Number> numbers) {
    std::vector<Number> sorted{numbers.begin(), numbers.end()};
    std::ranges::sort(sorted);
    sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
    return sorted;
}

template <class Number>
std::uint64_t place_in(const std::vector<Number>& sorted, Number number) {
    return static_cast<std::uint64_t>(std::ranges::lower_bound(sorted, number) - sorted.begin());
}

} // namespace

template <class Number>
void JobKinds::split_by(std::span<const Number> numbers) {
    if (numbers.empty())
        return;
    const std::vector<Number> sorted = different(numbers);
    split(sorted.size(), [&](JobId job) { return place_in(sorted, numbers[job]); });
}

template void JobKinds::split_by(std::span<const std::uint8_t>);
template void JobKinds::split_by(std::span<const std::int32_t>);
template void JobKinds::split_by(std::span<const std::uint64_t>);

std::uint32_t JobKinds::close_gaps() {
    if (bound_ <= 4 * kind_.size() + 1024) { // a table of them all is no larger than the jobs
        std::vector<std::uint32_t> place(bound_, 0);
        for (const std::uint32_t kind : kind_)
            place[kind] = 1;
        bound_ = std::accumulate(place.begin(), place.end(), std::uint64_t{0});
        std::exclusive_scan(place.begin(), place.end(), place.begin(), 0U);
        for (std::uint32_t& kind : kind_)
            kind = place[kind];
    } else {
        const std::vector<std::uint32_t> sorted = different(std::span<const std::uint32_t>{kind_});
        for (std::uint32_t& kind : kind_)
            kind = static_cast<std::uint32_t>(place_in(sorted, kind));
        bound_ = sorted.size();
    }
    return static_cast<std::uint32_t>(bound_);
}

JobOrder group_jobs(const Plan& plan, JobKinds kinds, JobLevels levels) {
    const auto num_jobs = static_cast<std::uint32_t>(plan.num_jobs());
    const std::uint32_t num_groups = kinds.close_gaps();
    JobOrder order;
    order.group_of = std::move(kinds).take();
    std::vector<std::uint32_t> next(num_groups + 1U, 0); // of a group, the position to fill
    for (const std::uint32_t group : order.group_of)
        ++next[group + 1U];
    std::partial_sum(next.begin(), next.end(), next.begin());

    order.groups.resize(num_groups);
    for (std::uint32_t group = 0; group < num_groups; ++group)
        order.groups[group].begin = next[group];
    order.job_at.resize(num_jobs);
    order.position.resize(num_jobs);
    for (JobId job{0}; job < num_jobs; ++job) {
        const std::uint32_t group = order.group_of[job];
        order.position[job] = next[group];
        order.job_at[next[group]++] = job;
    }
    order.shape_begin.assign(plan.shapes.size() + 1, 0);
    const std::vector<std::uint64_t> sorted = different(levels);
    std::vector<std::uint32_t> at_level(std::max<std::size_t>(1, sorted.size()), 0);
    for (JobGroup& group : order.groups) {
        const JobId first = order.job_at[group.begin];
        group.shape = ShapeId{plan.shape[first]};
        group.index = order.shape_begin[group.shape + 1U]++;
        if (!levels.empty())
            group.level = static_cast<std::uint32_t>(place_in(sorted, levels[first]));
        ++at_level[group.level];
    }
    for (JobGroup& group : order.groups)
        group.is_alone = at_level[group.level] == 1;
    order.place_begin.assign(plan.shapes.size() + 1, 0);
    for (const std::uint16_t shape : plan.shape)
        ++order.place_begin[shape + 1U];
    std::partial_sum(order.place_begin.begin(), order.place_begin.end(), order.place_begin.begin());
    std::vector<std::uint32_t> next_place{order.place_begin.begin(), order.place_begin.end() - 1};
    for (std::uint32_t group = 0; group < num_groups; ++group) {
        JobGroup& own = order.groups[group];
        own.place = next_place[own.shape];
        const std::uint32_t end = group + 1 < num_groups ? order.groups[group + 1].begin : num_jobs;
        next_place[own.shape] += end - own.begin;
    }
    std::partial_sum(order.shape_begin.begin(), order.shape_begin.end(), order.shape_begin.begin());
    return order;
}

namespace {

/// Gives each job that waits for others a separate kind: it may become eligible after jobs that
/// were submitted later.
void split_dependents(const Plan& plan, JobKinds& kinds) {
    if (!plan.has_dependencies())
        return;
    std::vector<std::uint32_t> number(plan.num_jobs(), 0);
    std::uint32_t num = 0;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        number[job] = plan.num_needed[job] == 0 ? 0 : ++num;
    kinds.split(num + 1U, [&](JobId job) { return number[job]; });
}

} // namespace

JobOrder
group_tenants(const Plan& plan, const std::vector<std::int32_t>& priority, JobLevels levels) {
    const auto group = [&](const std::vector<std::uint8_t>& alone) {
        JobKinds kinds{plan.num_jobs()};
        kinds.split(plan.num_tenants, [&](JobId job) { return plan.tenant[job]; });
        kinds.split_by(std::span<const std::uint8_t>{alone});
        kinds.split_by(levels);
        kinds.split(plan.shapes.size(), [&](JobId job) { return plan.shape[job]; });
        kinds.split_by(std::span<const std::int32_t>{priority});
        split_dependents(plan, kinds);
        return group_jobs(plan, std::move(kinds), levels);
    };
    JobOrder order = group({});
    if (!levels.empty()) { // again, now that groups alone at their level are known
        std::vector<std::uint8_t> alone(plan.num_jobs());
        for (JobId job{0}; job < plan.num_jobs(); ++job)
            alone[job] = order.groups[order.group_of[job]].is_alone ? 1 : 0;
        order = group(alone);
    }
    order.tenant_begin.assign(plan.num_tenants + 1U, 0);
    for (JobGroup& own : order.groups) {
        own.tenant = TenantId{plan.tenant[order.job_at[own.begin]]};
        ++order.tenant_begin[own.tenant + 1U];
    }
    std::partial_sum(
        order.tenant_begin.begin(), order.tenant_begin.end(), order.tenant_begin.begin());
    return order;
}

JobOrder group_by_weight(const Plan& plan, JobLevels levels) {
    const PlanView view = view_of(plan);
    std::vector<std::uint64_t> weights(plan.num_tenants);
    for (TenantId tenant{0}; tenant < plan.num_tenants; ++tenant)
        weights[tenant] = view.weight(tenant);
    const std::vector<std::uint64_t> sorted = different(std::span<const std::uint64_t>{weights});
    for (std::uint64_t& weight : weights)
        weight = place_in(sorted, weight);

    JobKinds kinds{plan.num_jobs()};
    kinds.split(plan.shapes.size(), [&](JobId job) { return plan.shape[job]; });
    kinds.split_by(levels);
    kinds.split(sorted.size(), [&](JobId job) { return weights[plan.tenant[job]]; });
    JobOrder order = group_jobs(plan, std::move(kinds), levels);
    for (JobGroup& group : order.groups)
        group.merit = view.weight(view.tenant_of(order.job_at[group.begin]));
    return order;
}

}} // namespace bursar::sim
