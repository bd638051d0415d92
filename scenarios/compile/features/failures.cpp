#include "scenarios/compile/features/failures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "models/random/philox.hpp"
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

/// What a log says on average, for rules that need a rate.
FailureComponent mean_of(const FaultLog& log, std::int64_t nodes) {
    double down_ms = 0;
    for (const LoggedFault& fault : log.faults)
        down_ms += static_cast<double>(fault.end_ms - fault.begin_ms);
    const auto num = static_cast<double>(log.faults.size());
    const Duration mean{std::llround(down_ms / num)};
    const double node_hours = static_cast<double>(nodes) *
                              static_cast<double>(std::max<std::int64_t>(log.length_ms, 1)) /
                              static_cast<double>(hour.count());
    return {.name = "node",
            .per_node_hour = std::min(num / node_hours, max_failures_per_hour),
            .repair = {mean, mean}};
}

/// Where the nodes of a log stand in a pool: in an order that depends on the file only, so that a
/// smaller pool gets its share of the nodes without a fault.
std::vector<std::uint32_t> places_of(const FaultLog& log, std::int64_t nodes) {
    std::vector<std::uint32_t> places(static_cast<std::size_t>(nodes));
    std::iota(places.begin(), places.end(), 0U);
    const RandomStream random{log.hash, Stream::node_failures};
    for (std::uint32_t i = static_cast<std::uint32_t>(places.size()); i > 1; --i)
        std::swap(places[i - 1], places[random.below(i, 0, i)]);
    return places;
}

void replay(const FailureSpec& spec,
            const FailingPool& failing,
            Duration until,
            std::vector<WorldEvent>& events) {
    const std::vector<std::uint32_t> places = places_of(*spec.log, spec.log_nodes);
    for (const LoggedFault& fault : spec.log->faults) {
        const std::int64_t begin_ms = fault.begin_ms - spec.log_from.count();
        const std::int64_t end_ms =
            std::max(fault.end_ms, fault.begin_ms + 1) - spec.log_from.count();
        const std::uint32_t node = places[fault.node];
        if (node >= failing.nodes || end_ms <= 0 || begin_ms >= until.count())
            continue;
        const std::int64_t from_ms = std::max<std::int64_t>(begin_ms, 0);
        add(failing.pool,
            {from_ms,
             end_ms,
             std::min(spec.detect.count(), end_ms - from_ms),
             node,
             StopCause::node_failed},
            events);
    }
}

} // namespace

FailureModel failure_model(const FailureSpec& spec) {
    const RepairTime repair = delayed(spec.repair, spec.detect);
    FailureModel model;
    if (spec.log) {
        model.components.push_back(mean_of(*spec.log, spec.log_nodes));
        return model;
    }
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
    if (spec.failures->log)
        return replay(*spec.failures, failing, input.until, events);
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
    if (spec.failures->log)
        return events_of_outage * static_cast<double>(spec.failures->log->faults.size());
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

double days_of(Duration time) {
    return static_cast<double>(time.count()) / static_cast<double>(day.count());
}

void note_log(const PoolSpec& pool, std::vector<std::string>& notes) {
    const FailureSpec& spec = *pool.failures;
    const FaultLog& log = *spec.log;
    const auto named = static_cast<std::int64_t>(log.nodes.size());
    notes.push_back(fmt::format(
        "pool {}: its nodes fail as in {} (XXH3 {:08x}...): {} faults of {} of {} nodes in {:.5g} "
        "d, {} overlapping ones merged",
        pool.name,
        log.name(),
        log.hash >> 32U,
        log.faults.size(),
        named,
        spec.log_nodes,
        days_of(Duration{log.length_ms}),
        log.num_merged));
    if (spec.log_nodes == named)
        notes.push_back(fmt::format("pool {}: the log covers no node without a fault; `nodes` "
                                    "beside `file` says how many it covers",
                                    pool.name));
    if (pool.nodes < spec.log_nodes)
        notes.push_back(fmt::format(
            "pool {}: {} of the log's {} nodes, the same ones in every run, chosen by the file",
            pool.name,
            pool.nodes,
            spec.log_nodes));
}

void note_failures(const PoolSpec& pool, std::vector<std::string>& notes) {
    const FailureSpec& spec = *pool.failures;
    if (spec.log)
        return note_log(pool, notes);
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
        if (pool.failures) {
            note_failures(pool, notes.assumed);
            if (pool.failures->log)
                for (const Finding& note : pool.failures->log->notes)
                    notes.warnings.push_back(note.text());
        }
    return notes;
}

std::optional<std::string> fault_log_warning(const PoolSpec& pool, Duration end) {
    if (!pool.failures || !pool.failures->log)
        return std::nullopt;
    const Duration left = Duration{pool.failures->log->length_ms} - pool.failures->log_from;
    if (end <= left)
        return std::nullopt;
    return fmt::format(
        "pool {}: its log of faults ends after {:.4g} of {:.4g} d; from then on no node "
        "fails",
        pool.name,
        days_of(left),
        days_of(end));
}

}} // namespace bursar::scenarios
