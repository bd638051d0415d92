#include "scenarios/compile/features/failures.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "models/reliability/failure_draws.hpp"
#include "models/reliability/maintenance.hpp"

#include "sim/plan/plan_view.hpp"

#include "scenarios/catalog/failure_rates.hpp"

namespace bursar { inline namespace scenarios {
namespace {

Duration noticed_after(const FailureSpec& spec, FailureEffect effect) {
    return effect == FailureEffect::hangs ? spec.hang_detect : spec.detect;
}

/// Splits the model's components into failures that stop jobs and hangs.
void split_hangs(FailureModel& model, const FailureSpec& spec) {
    if (spec.hangs <= 0)
        return;
    const std::size_t num_components = model.components.size();
    for (std::size_t c = 0; c < num_components; ++c) {
        FailureComponent hang = model.components[c];
        hang.effect = FailureEffect::hangs;
        hang.repair = delayed(spec.repair, spec.hang_detect);
        for (double FailureComponent::*rate :
             {&FailureComponent::per_gpu_hour, &FailureComponent::per_node_hour}) {
            hang.*rate *= spec.hangs;
            model.components[c].*rate -= hang.*rate;
        }
        model.components.push_back(std::move(hang));
    }
}

/// A node that is out of service.
struct Outage {
    std::int64_t begin_ms{};
    std::int64_t end_ms{};
    std::int64_t hold_ms{};
    std::uint32_t node{};
    StopCause cause{};
};

void add(std::size_t pool, const Outage& outage, std::vector<WorldEvent>& events) {
    events.emplace_back(outage.begin_ms,
                        NodeOffline{PoolId{pool}, outage.node, outage.cause, outage.hold_ms});
    events.emplace_back(outage.end_ms, NodeOnline{PoolId{pool}, outage.node, outage.cause});
}
constexpr double events_of_outage = 2;

FailingPool failing_pool(const PoolSpec& spec, std::size_t pool) {
    return {.pool = static_cast<std::uint32_t>(pool),
            .nodes = static_cast<std::uint32_t>(spec.nodes),
            .gpus_per_node = static_cast<std::uint32_t>(spec.gpus_per_node),
            // Nodes begin old: early failures follow only their first repair.
            .age = Duration{horizon_ms}};
}

} // namespace

FailureModel failure_model(const FailureSpec& spec) {
    const RepairTime repair = delayed(spec.repair, spec.detect);
    FailureModel model;
    if (!spec.like.empty())
        model = failure_model(*builtin_failure_rates().find(spec.like), repair);
    else
        model.components.push_back({.name = "node",
                                    .per_gpu_hour = spec.per_gpu_hour,
                                    .per_node_hour = spec.per_node_day / 24,
                                    .repair = repair});
    split_hangs(model, spec);
    model.infancy = spec.infancy;
    model.node_spread = spec.bad_node_spread;
    model.racks = {.nodes_per_rack = static_cast<std::uint32_t>(spec.nodes_per_rack),
                   .per_rack_hour = spec.per_rack_day / 24,
                   .repair = delayed(spec.rack_repair, spec.detect)};
    return model;
}

void add_failures(const DrawInput& input,
                  const Plan& /*plan*/,
                  std::size_t pool,
                  std::vector<WorldEvent>& events) {
    const PoolSpec& spec = input.scenario.fleet[pool];
    const FailingPool failing = failing_pool(spec, pool);
    std::vector<std::optional<Outage>> open(failing.nodes);
    for (const NodeFailure& failure : draw_failures(failure_model(*spec.failures),
                                                    std::array{failing},
                                                    input.until,
                                                    input.scenario.policy.seed)) {
        const std::int64_t end_ms = failure.time_ms + failure.repair_ms;
        std::optional<Outage>& outage = open[failure.node];
        if (outage && failure.time_ms <= outage->end_ms) {
            outage->end_ms = std::max(outage->end_ms, end_ms);
            continue;
        }
        if (outage)
            add(pool, *outage, events);
        const bool hangs = failure.effect == FailureEffect::hangs;
        outage = {failure.time_ms,
                  end_ms,
                  noticed_after(*spec.failures, failure.effect).count(),
                  failure.node,
                  hangs ? StopCause::hung : StopCause::node_failed};
    }
    for (const std::optional<Outage>& outage : open)
        if (outage)
            add(pool, *outage, events);
}

double expected_failure_events(const DrawInput& input, std::size_t pool) {
    const PoolSpec& spec = input.scenario.fleet[pool];
    return events_of_outage *
           expected_failures(failure_model(*spec.failures), failing_pool(spec, pool), input.until);
}

void add_maintenance(const DrawInput& input,
                     const Plan& /*plan*/,
                     std::size_t pool,
                     std::vector<WorldEvent>& events) {
    const PoolSpec& spec = input.scenario.fleet[pool];
    const Duration drain = spec.maintenance->drain;
    // Drawn further by the length of the drain: the nodes that close before `until` must not depend
    // on `until`.
    for (const MaintenanceWindow& window :
         maintenance_windows(spec.maintenance->windows,
                             static_cast<std::uint32_t>(spec.nodes),
                             input.until + drain))
        for (std::uint32_t i = 0; i < window.num_nodes; ++i) {
            if (drain > Duration{})
                events.emplace_back(std::max<std::int64_t>(window.begin_ms - drain.count(), 0),
                                    NodeCloses{PoolId{pool}, window.first_node + i});
            add(pool,
                {window.begin_ms, window.end_ms, 0, window.first_node + i, StopCause::maintenance},
                events);
        }
}

double maintenance_events(const DrawInput& input, std::size_t pool) {
    const PoolSpec& spec = input.scenario.fleet[pool];
    const MaintenancePlan& plan = spec.maintenance->windows;
    const Duration drain = spec.maintenance->drain;
    const std::int64_t span_ms = (input.until + drain - plan.first).count();
    if (span_ms <= 0)
        return 0;
    const std::int64_t windows = (span_ms - 1) / plan.every.count() + 1;
    const std::int64_t at_once = plan.nodes_at_once == 0 ? spec.nodes : plan.nodes_at_once;
    const std::int64_t windows_of_all = (spec.nodes + at_once - 1) / at_once;
    const double nodes = static_cast<double>(spec.nodes) / static_cast<double>(windows_of_all);
    return static_cast<double>(windows) * nodes * (events_of_outage + (drain > Duration{} ? 1 : 0));
}

namespace {

void note_failures(const PoolSpec& pool, std::vector<std::string>& notes) {
    const FailureSpec& spec = *pool.failures;
    if (spec.like.empty())
        return;
    const FailureCatalogue& catalogue = builtin_failure_rates();
    const NamedFailureRates& rates = *catalogue.find(spec.like);
    if (spec.like_by_default)
        notes.push_back(fmt::format(
            "pool {}: failures at the default rates, {}: {}", pool.name, rates.name, rates.source));
    if (pool.gpus_per_node != catalogue_gpus_per_node)
        notes.push_back(fmt::format("pool {}: failure rates {} are those of nodes of {} GPUs",
                                    pool.name,
                                    spec.like,
                                    catalogue_gpus_per_node));
    if (rates.rates.per_job_day > 0)
        notes.push_back(fmt::format(
            "pool {}: of {} the failures of nodes; jobs that fail by themselves, {:.3g} "
            "times a day each there, are drawn of classes that have `failures: {{like: {}}}`",
            pool.name,
            spec.like,
            rates.rates.per_job_day,
            spec.like));
}

} // namespace

Notes failure_notes(const CompileInput& input, const Compiled& /*compiled*/) {
    Notes notes;
    for (const PoolSpec& pool : input.scenario.fleet)
        if (pool.failures)
            note_failures(pool, notes.assumed);
    return notes;
}

}} // namespace bursar::scenarios
