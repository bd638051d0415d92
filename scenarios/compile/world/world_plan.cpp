#include "scenarios/compile/world/world_plan.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "sim/plan/plan_view.hpp"

#include "scenarios/catalog/failure_rates.hpp"
#include "scenarios/compile/assumed_under.hpp"
#include "scenarios/compile/world/failure_plan.hpp"
#include "scenarios/compile/world/launch_plan.hpp"
#include "scenarios/compile/world/predicted_nodes.hpp"
#include "scenarios/compile/world/schedule_plan.hpp"
#include "scenarios/compile/world/supply_plan.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/scenario/policy/policy_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// In 40 bytes each: 800 MB.
constexpr std::size_t max_world_events = 20'000'000;

/// What comes back does so before the next goes.
int rank_of(const WorldEvent& event) {
    return event.kind == WorldEventKind::node_online ? 0 : 1;
}

auto order_of(const WorldEvent& event) {
    return std::tuple{event.time_ms, rank_of(event), event.pool, event.node};
}

void throw_if_too_many(const Scenario& scenario, const std::vector<WorldEvent>& events) {
    if (events.size() > max_world_events)
        fail_input({scenario.file, 0, 0},
                   "fleet",
                   mistake(fmt::format("nodes come and go more than {} times", max_world_events),
                           "as many as can be held",
                           "give lower rates, or an earlier `until`"));
}

void note_failures(const PoolSpec& pool, std::vector<std::string>& notes) {
    const FailureSpec& spec = *pool.failures;
    if (spec.like.empty())
        return;
    const FailureCatalogue& catalogue = builtin_failure_rates();
    const NamedFailureRates& rates = *catalogue.find(spec.like);
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

/// How many nodes of a range there are at least.
void add_least_nodes(const Scenario& scenario,
                     const Plan& plan,
                     std::size_t pool,
                     std::optional<std::int64_t> zero_utc_ms,
                     Duration until,
                     std::vector<WorldEvent>& events) {
    const PoolSpec& spec = scenario.fleet[pool];
    if (spec.provisioning.schedule)
        add_schedule(scenario, pool, zero_utc_ms, until, events);
    if (spec.provisioning.predictive)
        add_prediction(plan,
                       pool,
                       static_cast<std::uint32_t>(*spec.min_nodes),
                       *spec.provisioning.predictive,
                       until,
                       events);
}

/// What does nothing in a run that ends at `until`.
void warn_of_late(const PoolSpec& pool, Duration until, std::vector<std::string>& warnings) {
    const auto warn = [&](Place place, const char* key, std::string problem) {
        Finding finding =
            mistake(std::move(problem), fmt::format("the run ends after {}", duration_text(until)));
        finding.place = std::move(place);
        finding.path = fmt::format("fleet.{}.{}", pool.name, key);
        warnings.push_back(finding.text());
    };
    if (pool.launches() && pool.boot.mean >= until)
        warn(pool.boot_place,
             "boot",
             fmt::format("a boot takes {}, so no node that is launched takes work",
                         duration_text(pool.boot.mean)));
    if (pool.has_range() && pool.provisioning.predictive && until <= prediction_lag)
        warn(pool.place,
             "provisioning.predictive",
             fmt::format("predictions begin after {}", duration_text(prediction_lag)));
}

void note_least_nodes(const PoolSpec& pool,
                      std::optional<std::int64_t> zero_utc_ms,
                      std::vector<std::string>& notes) {
    if (pool.provisioning.schedule)
        for (std::string& note : schedule_notes(pool, zero_utc_ms))
            notes.push_back(std::move(note));
    if (pool.provisioning.predictive)
        notes.push_back(fmt::format(
            "pool {}: from the eighth day on it has {} the nodes that the jobs of the same hour a "
            "week before needed, had each begun at its submit and run at reference speed",
            pool.name,
            *pool.provisioning.predictive == 1
                ? std::string{"at least"}
                : fmt::format("at least {:g} times", *pool.provisioning.predictive)));
}

} // namespace

bool has_world(const Scenario& scenario) {
    return std::ranges::any_of(scenario.fleet, &PoolSpec::moves);
}

Duration first_horizon(const Plan& plan) {
    const Duration last{plan.submit_ms.empty() ? 0 : plan.submit_ms.back()};
    const Duration longest{
        plan.work_ms.empty() ? 0 : *std::max_element(plan.work_ms.begin(), plan.work_ms.end())};
    return std::min(2 * (last + longest) + day, Duration{horizon_ms});
}

std::vector<WorldEvent> world_events(const Scenario& scenario,
                                     const Plan& plan,
                                     std::optional<std::int64_t> zero_utc_ms,
                                     Duration until) {
    std::vector<WorldEvent> events;
    for (std::size_t pool = 0; pool < scenario.fleet.size(); ++pool) {
        if (scenario.fleet[pool].has_range())
            add_least_nodes(scenario, plan, pool, zero_utc_ms, until, events);
        if (scenario.fleet[pool].availability)
            add_supply(scenario, plan, pool, zero_utc_ms, until, events);
        if (scenario.fleet[pool].launch_failures)
            add_launch_failures(scenario, pool, until, events);
        if (scenario.fleet[pool].failures)
            add_failures(scenario, pool, until, events);
        if (scenario.fleet[pool].maintenance)
            add_maintenance(scenario, pool, until, events);
        throw_if_too_many(scenario, events);
    }
    std::erase_if(events, [](const WorldEvent& event) { return event.time_ms >= horizon_ms; });
    std::ranges::stable_sort(events, {}, order_of);
    return events;
}

void set_first_nodes(const Scenario& scenario, Plan& plan) {
    for (const WorldEvent& event : plan.world)
        if (event.time_ms == 0 && event.kind == WorldEventKind::min_nodes &&
            !scenario.fleet[event.pool].provisioning.start)
            plan.provisioning[event.pool].first_nodes = event.node;
    for (const WorldEvent& event : plan.world)
        if (event.time_ms == 0 && event.kind == WorldEventKind::supply) {
            std::uint32_t& first = plan.provisioning[event.pool].first_nodes;
            first = std::min(first, event.node);
        }
}

std::vector<std::string> world_warnings(const Scenario& scenario, std::optional<Duration> until) {
    std::vector<std::string> warnings;
    for (const PoolSpec& pool : scenario.fleet)
        if (until)
            warn_of_late(pool, *until, warnings);
    for (const PoolSpec& pool : scenario.fleet)
        if (pool.availability && pool.availability->file)
            for (const Finding& note : pool.availability->file->notes)
                warnings.push_back(note.text());
    return warnings;
}

std::vector<std::string> world_notes(const Scenario& scenario,
                                     std::optional<std::int64_t> zero_utc_ms) {
    std::vector<std::string> notes;
    for (const PoolSpec& pool : scenario.fleet)
        if (pool.failures)
            note_failures(pool, notes);
    for (const PoolSpec& pool : scenario.fleet)
        if (pool.has_range())
            note_least_nodes(pool, zero_utc_ms, notes);
    for (const PoolSpec& pool : scenario.fleet)
        if (pool.availability)
            for (std::string& note : supply_notes(pool, zero_utc_ms))
                notes.push_back(std::move(note));
    if (has_world(scenario))
        notes.emplace_back(youngest_leave);
    return notes;
}

}} // namespace bursar::scenarios
