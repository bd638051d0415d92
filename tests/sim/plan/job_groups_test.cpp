#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/job_groups.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/sim/engine/queues/drive_queue.hpp"

namespace bursar::job_groups_test {
namespace {

/// An order of tenants that reads priorities, and whose merit tells groups apart.
struct ByPriority {
    static constexpr bool reads_priority = true;
    [[nodiscard]] static auto merits(const Plan&) {
        return [](const JobShape& shape, std::int32_t priority) {
            return std::uint64_t{shape.gpus} * 1'000 + static_cast<std::uint64_t>(priority + 100);
        };
    }
};

/// Few jobs of many tenants, so that numbers have gaps and do not fit a table.
Plan draw_plan() {
    const auto num_tenants = drawn::in_range<std::uint16_t>(1, 30'000);
    std::vector<test::JobSpec> jobs;
    const int num_jobs = drawn::in_range(0, 60);
    for (int j = 0; j < num_jobs; ++j) {
        jobs.push_back(
            {j,
             1,
             drawn::in_range(1U, 4U),
             1,
             drawn::in_range<std::uint16_t>(0, std::min<std::uint16_t>(num_tenants, 8))});
    }
    Plan plan = test::plan_of(jobs, {test::pool_of(1, 4)});
    plan.num_tenants = num_tenants;
    if (drawn::boolean()) {
        for (std::size_t job = 0; job < plan.num_jobs(); ++job)
            plan.priority.push_back(drawn::in_range(-3, 3));
    }
    if (drawn::boolean()) {
        for (std::uint32_t tenant = 0; tenant < num_tenants; ++tenant)
            plan.tenant_weight.push_back(drawn::in_range(1U, 4U));
    }
    return plan;
}

/// Checks that groups' levels are the ranks of `levels` among the distinct ones.
void levels_are(const Plan& plan, const JobOrder& order, const std::vector<std::uint64_t>& levels) {
    for (JobId job{0}; job < plan.num_jobs(); ++job) {
        std::set<std::uint64_t> less;
        for (const std::uint64_t level : levels)
            if (level < levels[job])
                less.insert(level);
        RC_ASSERT(order.groups[order.group_of[job]].level == less.size());
    }
    for (const JobGroup& group : order.groups) {
        const auto same = std::ranges::count(order.groups, group.level, &JobGroup::level);
        RC_ASSERT(group.is_alone == (same == 1));
    }
}

/// Checks that `order` has the plan's jobs sorted by (kind_of, job), with a group for each kind.
template <class KindOf>
void groups_are(const Plan& plan, const JobOrder& order, KindOf kind_of) {
    std::vector<JobId> jobs;
    for (JobId job{0}; job < plan.num_jobs(); ++job)
        jobs.push_back(job);
    std::ranges::stable_sort(jobs, {}, kind_of);
    RC_ASSERT(order.job_at == jobs);
    std::vector<std::uint32_t> in_shape(plan.shapes.size(), 0);
    std::vector<std::uint32_t> in_place{order.place_begin.begin(), order.place_begin.end() - 1};
    std::uint32_t group = 0;
    for (std::uint32_t at = 0; at < jobs.size(); ++at) {
        const JobId job = jobs[at];
        if (at > 0 && kind_of(jobs[at - 1]) != kind_of(job))
            ++group;
        if (at == 0 || kind_of(jobs[at - 1]) != kind_of(job)) {
            RC_ASSERT(order.groups[group].begin == at);
            RC_ASSERT(order.groups[group].shape == plan.shape[job]);
            RC_ASSERT(order.groups[group].index == in_shape[plan.shape[job]]++);
        }
        const JobGroup& own = order.groups[group];
        RC_ASSERT(own.place + (at - own.begin) == in_place[plan.shape[job]]++);
        RC_ASSERT(order.position[job] == at);
        RC_ASSERT(order.group_of[job] == group);
    }
    RC_ASSERT(order.groups.size() == (jobs.empty() ? 0 : group + 1));
    for (std::size_t shape = 0; shape < plan.shapes.size(); ++shape)
        RC_ASSERT(order.shape_begin[shape + 1] - order.shape_begin[shape] == in_shape[shape]);
    for (std::size_t shape = 0; shape < plan.shapes.size(); ++shape)
        RC_ASSERT(order.place_begin[shape + 1] == in_place[shape]);
    RC_ASSERT(order.place_begin[0] == 0);
}

} // namespace

TEST_CASE("groups of tenants are the jobs sorted by tenant, level, shape and priority") {
    CHECK(check_property([] {
        const Plan plan = draw_plan();
        const auto priority_of = [&](JobId job) {
            return plan.priority.empty() ? 0 : plan.priority[job];
        };
        const std::vector<std::uint64_t> levels = test::draw_levels(plan);
        const JobOrder order = group_by_tenant(plan, ByPriority{}, levels);
        levels_are(plan, order, levels);
        groups_are(plan, order, [&](JobId job) {
            return std::tuple{plan.tenant[job],
                              order.groups[order.group_of[job]].is_alone,
                              levels.empty() ? 0 : levels[job],
                              plan.shape[job],
                              priority_of(job)};
        });
        const auto merit = ByPriority::merits(plan);
        for (std::uint32_t tenant = 0; tenant < plan.num_tenants; ++tenant) {
            for (std::uint32_t group = order.tenant_begin[tenant];
                 group < order.tenant_begin[tenant + 1];
                 ++group) {
                const JobId first = order.job_at[order.groups[group].begin];
                RC_ASSERT(plan.tenant[first] == tenant);
                RC_ASSERT(order.groups[group].tenant == tenant);
                RC_ASSERT(order.groups[group].merit ==
                          merit(plan.shapes[plan.shape[first]], priority_of(first)));
            }
        }
        RC_ASSERT(order.tenant_begin[plan.num_tenants] == order.groups.size());
    }));
}

TEST_CASE("groups of weights are the jobs sorted by shape, level and weight") {
    CHECK(check_property([] {
        const Plan plan = draw_plan();
        const PlanView view = view_of(plan);
        const std::vector<std::uint64_t> levels = test::draw_levels(plan);
        const JobOrder order = group_by_weight(plan, levels);
        levels_are(plan, order, levels);
        groups_are(plan, order, [&](JobId job) {
            return std::tuple{plan.shape[job],
                              levels.empty() ? 0 : levels[job],
                              view.weight(view.tenant_of(job))};
        });
        for (JobId job{0}; job < plan.num_jobs(); ++job)
            RC_ASSERT(order.groups[order.group_of[job]].merit == view.weight(view.tenant_of(job)));
    }));
}

} // namespace bursar::job_groups_test
