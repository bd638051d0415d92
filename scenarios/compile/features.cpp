#include "scenarios/compile/features.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "scenarios/compile/features/broker.hpp"
#include "scenarios/compile/features/energy.hpp"
#include "scenarios/compile/features/failures.hpp"
#include "scenarios/compile/features/job_failures.hpp"
#include "scenarios/compile/features/prices.hpp"
#include "scenarios/compile/features/provisioning.hpp"
#include "scenarios/compile/features/staging.hpp"
#include "scenarios/compile/features/stragglers.hpp"
#include "scenarios/compile/features/supply.hpp"
#include "scenarios/compile/features/tenant_quotas.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

Notes capacity_notes(const CompileInput& input, const Compiled& /*compiled*/) {
    Notes notes;
    if (has_world(input.scenario))
        notes.assumed.emplace_back(youngest_leave);
    return notes;
}

/// Whether the scenario gives an optional member of a pool.
template <auto member>
bool has(const PoolSpec& pool) {
    return (pool.*member).has_value();
}

// Order matters. Stragglers split classes, so they come before job failures and brokers, whose
// columns are by class. Events of one pool and node at one instant keep this order, as do notes.
// Provisioning reads the events before the broker adds its order changes.
constexpr std::array all_features{
    Feature{.name = "stragglers", .keys = {"fleet.stragglers"}, .plan_jobs = &plan_stragglers},
    Feature{.name = "failures of jobs",
            .keys = {"workload.classes.failures", "workload.classes.overflow_restarts"},
            .plan_jobs = &plan_job_failures},
    Feature{
        .name = "prices", .keys = {"fleet.price", "fleet.discount"}, .draw_prices = &plan_prices},
    Feature{.name = "provisioning",
            .keys = {"fleet.nodes",
                     "fleet.boot",
                     "fleet.idle_timeout",
                     "fleet.provisioning",
                     "fleet.spares",
                     "quotas"},
            .plan_pools = &plan_provisioning,
            .has_events = &changes_least_nodes,
            .add_events = &add_least_nodes,
            .follow_world = &set_first_nodes,
            .notes = &provisioning_notes},
    Feature{.name = "tenants' quotas", .keys = {"tenants"}, .plan_jobs = &plan_tenants},
    Feature{.name = "supply",
            .keys = {"fleet.availability"},
            .has_events = &has<&PoolSpec::availability>,
            .add_events = &add_supply,
            .expected_draws = &expected_supply_steps,
            .notes = &supply_notes},
    Feature{.name = "failed launches",
            .keys = {"fleet.launch_failures"},
            .has_events = &has<&PoolSpec::launch_failures>,
            .add_events = &add_launch_failures,
            .expected_draws = &expected_launch_changes},
    Feature{.name = "failures",
            .keys = {"fleet.failures"},
            .has_events = &has<&PoolSpec::failures>,
            .add_events = &add_failures,
            .expected_draws = &expected_failure_events,
            .notes = &failure_notes},
    Feature{.name = "maintenance",
            .keys = {"fleet.maintenance"},
            .has_events = &has<&PoolSpec::maintenance>,
            .add_events = &add_maintenance,
            .expected_draws = &maintenance_events},
    Feature{.name = "broker",
            .keys = {"policy.broker", "fleet.region"},
            .plan_pools = &plan_regions,
            .plan_jobs = &plan_beliefs,
            .follow_world = &plan_broker},
    Feature{.name = "staging",
            .keys = {"policy.staging"},
            .plan_jobs = &plan_staging,
            .notes = &staging_notes},
    Feature{.name = "nodes that leave", .notes = &capacity_notes},
    Feature{.name = "energy",
            .keys = {"energy", "fleet.energy"},
            .plan_pools = &plan_energy,
            .notes = &energy_notes},
};

constexpr bool has_both(const Feature& feature) {
    return (feature.has_events == nullptr) == (feature.add_events == nullptr);
}
static_assert(std::ranges::all_of(all_features, has_both));

bool has_events(const Feature& feature, const PoolSpec& pool) {
    return feature.has_events != nullptr && feature.has_events(pool);
}

/// At 40 bytes each: 800 MB.
constexpr int max_world_events = 20'000'000;

void throw_if_too_many(const Scenario& scenario, double num_events) {
    if (num_events > double{max_world_events})
        fail_input({scenario.file, 0, 0},
                   "fleet",
                   mistake(fmt::format("nodes come and go more than {} times", max_world_events),
                           "as many as can be held",
                           "give lower rates, or an earlier `until`"));
}

/// At one instant, nodes come back before others go.
int rank_of(const WorldEvent& event) {
    return event.is<NodeOnline>() ? 0 : 1;
}

auto order_of(const WorldEvent& event) {
    return std::tuple{event.time_ms, rank_of(event), event.pool(), event.number()};
}

} // namespace

std::span<const Feature> features() {
    return all_features;
}

bool has_world(const Scenario& scenario) {
    return std::ranges::any_of(scenario.fleet, [](const PoolSpec& pool) {
        return std::ranges::any_of(
            all_features, [&](const Feature& feature) { return has_events(feature, pool); });
    });
}

std::vector<WorldEvent> world_events(const DrawInput& input, const Plan& plan) {
    const std::vector<PoolSpec>& fleet = input.scenario.fleet;
    double expected = 0; // before anything is drawn
    for (std::size_t pool = 0; pool < fleet.size(); ++pool)
        for (const Feature& feature : features())
            if (has_events(feature, fleet[pool]) && feature.expected_draws != nullptr)
                expected += feature.expected_draws(input, pool);
    throw_if_too_many(input.scenario, expected);
    std::vector<WorldEvent> events;
    for (std::size_t pool = 0; pool < fleet.size(); ++pool) {
        for (const Feature& feature : features())
            if (has_events(feature, fleet[pool]))
                feature.add_events(input, plan, pool, events);
        throw_if_too_many(input.scenario, static_cast<double>(events.size()));
    }
    std::erase_if(events, [](const WorldEvent& event) { return event.time_ms >= horizon_ms; });
    std::ranges::stable_sort(events, {}, order_of);
    return events;
}

void draw(const DrawInput& input, Plan& plan) {
    for (const Feature& feature : features())
        if (feature.draw_prices != nullptr)
            feature.draw_prices(input, plan);
    plan.world = world_events(input, plan);
    for (const Feature& feature : features())
        if (feature.follow_world != nullptr)
            feature.follow_world(input.scenario, plan);
}

}} // namespace bursar::scenarios
