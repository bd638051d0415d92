#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/plan_members.hpp"

// A member missing from the lists would be lost in a plan file: these tests do not compile, or
// fail, until it is listed.
namespace bursar::test::plan_members_test { namespace {

/// The addresses of the visited members.
template <class Each>
std::vector<const void*> places(const Each& each) {
    std::vector<const void*> out;
    each([&](std::string_view, const auto& member) { out.push_back(&member); });
    return out;
}

/// Whether the two name the same members, in any order.
template <class... Members>
bool are_all(std::vector<const void*> visited, const std::tuple<Members&...>& members) {
    std::vector<const void*> wanted;
    std::apply([&](const auto&... one) { (wanted.push_back(&one), ...); }, members);
    std::ranges::sort(visited);
    std::ranges::sort(wanted);
    return visited == wanted;
}

template <class T>
std::vector<const void*> members_of(const T& value) {
    return places([&](const auto& visit) { each_member(value, visit); });
}

#if defined(__GNUC__) && !defined(__clang__)
/// Whether the listed members cover a T except its padding.
template <class T>
bool covers_all() {
    alignas(T) std::byte listed[sizeof(T)]{};
    T value{};
    each_member(value, [&](std::string_view, auto& member) {
        const auto offset =
            reinterpret_cast<std::byte*>(&member) - reinterpret_cast<std::byte*>(&value);
        std::memset(listed + offset, 0xff, sizeof member);
    });
    std::memset(static_cast<void*>(&value), 0xff, sizeof value);
    __builtin_clear_padding(&value);
    return std::memcmp(listed, &value, sizeof value) == 0;
}

TEST_CASE("the lists have every member of the elements of a plan's columns") {
    CHECK(covers_all<PriceStep>());
    CHECK(covers_all<PriceIndex>());
    CHECK(covers_all<JobShape>());
    CHECK(covers_all<PlanClass>());
    CHECK(covers_all<PlanForm>());
    CHECK(covers_all<PlanPair>());
    CHECK(covers_all<PlanSpeed>());
    CHECK(covers_all<PlanPool>());
    CHECK(covers_all<GangRisk>());
    CHECK(covers_all<WorldEvent>());
    CHECK(covers_all<PlanProvisioning>());
    CHECK(covers_all<JobFallback>());
    CHECK(covers_all<PlanQuota>());
    CHECK(covers_all<PlanTenant>());
    CHECK(covers_all<TenantQuota>());
    CHECK(covers_all<OwnFailures>());
}
#endif

TEST_CASE("the lists have every member of a plan") {
    const Plan plan;
    const auto& [submit_ms,
                 work_ms,
                 shape,
                 job_class,
                 tenant,
                 end,
                 estimate_ms,
                 priority,
                 deadline_ms,
                 value_nano_usd,
                 num_needed,
                 dependent_begin,
                 dependents,
                 think_ms,
                 needs_completion,
                 shapes,
                 classes,
                 forms,
                 pairs,
                 speeds,
                 pools,
                 pool_preference,
                 pool_orders,
                 pool_region,
                 gang_risks,
                 egress_nano_usd,
                 staging,
                 migration,
                 risk_stretch,
                 pools_by_name,
                 prices,
                 energy,
                 grid,
                 num_tenants,
                 tenant_weight,
                 tenants,
                 tenant_quotas,
                 num_levels,
                 node_group,
                 level_begin,
                 slow_nodes,
                 slow_begin,
                 world,
                 admission_changes,
                 provisioning,
                 boot_ms,
                 fallbacks,
                 keeps_pace,
                 quotas,
                 own_failures,
                 own_failure_seed,
                 until,
                 measure_from,
                 measure_to] = plan;
    const auto& [steps, buckets, series] = prices;
    const auto& [integrals, series_of_pool] = grid;
    const auto& [grid_steps, grid_buckets, grid_series] = integrals;
    std::vector<const void*> visited = places([&](const auto& visit) { each_column(plan, visit); });
    for (const void* place : members_of(PlanRest{plan}))
        visited.push_back(place);
    CHECK(are_all(visited,
                  std::tie(submit_ms,
                           work_ms,
                           shape,
                           job_class,
                           tenant,
                           end,
                           estimate_ms,
                           priority,
                           deadline_ms,
                           value_nano_usd,
                           num_needed,
                           dependent_begin,
                           dependents,
                           think_ms,
                           needs_completion,
                           shapes,
                           classes,
                           forms,
                           pairs,
                           speeds,
                           pools,
                           pool_preference,
                           pool_orders,
                           pool_region,
                           gang_risks,
                           egress_nano_usd,
                           staging,
                           migration,
                           risk_stretch,
                           pools_by_name,
                           steps,
                           buckets,
                           series,
                           grid_steps,
                           grid_buckets,
                           grid_series,
                           series_of_pool,
                           energy,
                           num_tenants,
                           tenant_weight,
                           tenants,
                           tenant_quotas,
                           num_levels,
                           node_group,
                           level_begin,
                           slow_nodes,
                           slow_begin,
                           world,
                           admission_changes,
                           provisioning,
                           boot_ms,
                           fallbacks,
                           keeps_pace,
                           quotas,
                           own_failures,
                           own_failure_seed,
                           until,
                           measure_from,
                           measure_to)));
}

TEST_CASE("the lists have every member of a plan's energy and labels") {
    const PlanEnergy energy;
    const auto& [idle, busy, pue_milli, grid, grid_name, embodied] = energy;
    CHECK(are_all(members_of(energy), std::tie(idle, busy, pue_milli, grid, grid_name, embodied)));
    const Labels labels;
    const auto& [pools, gpus, regions, levels, tenants, names, name_end, spared, zero] = labels;
    CHECK(are_all(members_of(labels),
                  std::tie(pools, gpus, regions, levels, tenants, names, name_end, spared, zero)));
}

} // namespace
} // namespace bursar::test::plan_members_test
