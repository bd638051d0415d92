#include "scenarios/compile/features/provisioning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/random/normal.hpp"
#include "models/random/philox.hpp"

#include "scenarios/calendar/calendar.hpp"
#include "scenarios/compile/features/predicted_nodes.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/scenario/policy_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::uint32_t boot_bits = 12;

/// Exponential boot times in an order drawn by the seed. They are the midpoints of equal parts of
/// the distribution, so their mean is the declared one to within 0.1 %.
std::vector<std::int64_t> exponential_boots(Duration mean, std::uint64_t seed, std::size_t pool) {
    std::vector<std::int64_t> boots(std::size_t{1} << boot_bits);
    for (std::size_t i = 0; i < boots.size(); ++i) {
        const double part = (static_cast<double>(i) + 0.5) / static_cast<double>(boots.size());
        boots[i] = std::llround(-portable_log(1 - part) * static_cast<double>(mean.count()));
    }
    const RandomStream stream{seed, Stream::boots};
    for (std::uint32_t left = static_cast<std::uint32_t>(boots.size()); left > 1; --left)
        std::swap(boots[left - 1], boots[stream.below(left, pool, left)]);
    return boots;
}

PlanProvisioning provisioning_of(const PoolSpec& spec, std::uint64_t seed) {
    PlanProvisioning rule;
    if (spec.spares) {
        rule.spare_nodes = static_cast<std::uint32_t>(spec.spares->nodes);
        rule.takeover_ms = spec.spares->takeover.count();
    }
    if (!spec.launches())
        return rule;
    const ProvisioningSpec wanted = spec.has_range() ? spec.provisioning : ProvisioningSpec{};
    const std::int64_t least = spec.min_nodes.value_or(spec.nodes);
    rule.is_fixed = false;
    rule.follows_queue = spec.has_range() && wanted.follows_queue;
    if (spec.availability)
        rule.reclaims = spec.availability->reclaims;
    rule.min_nodes = static_cast<std::uint32_t>(least);
    rule.first_nodes = static_cast<std::uint32_t>(wanted.start.value_or(least));
    rule.warm_nodes = static_cast<std::uint32_t>(wanted.warm);
    rule.cancels_boots = wanted.cancel_boots;
    rule.reclaim_seed = seed;
    rule.idle_timeout_ms = spec.idle_timeout.value_or(default_idle_timeout).count();
    rule.launch_every_ms = wanted.every.value_or(Duration{}).count();
    rule.max_launches = static_cast<std::uint32_t>(wanted.at_once.value_or(0));
    rule.min_paid_ms = spec.billing.minimum.count();
    if (spec.launch_failures) {
        rule.retry_ms = spec.launch_failures->retry.count();
        rule.max_retry_ms = spec.launch_failures->max_retry.count();
    }
    return rule;
}

/// The pools that share a quota, of which at least one launches nodes.
std::uint64_t pools_under(const Scenario& scenario, const QuotaSpec& quota) {
    std::uint64_t pools = 0;
    bool some_launch = false;
    for (std::size_t pool = 0; pool < scenario.fleet.size(); ++pool) {
        const PoolSpec& spec = scenario.fleet[pool];
        if (quota.region.empty() ? std::ranges::find(quota.pools, spec.name) == quota.pools.end()
                                 : spec.region != quota.region)
            continue;
        pools |= std::uint64_t{1} << pool;
        some_launch = some_launch || spec.launches();
    }
    if (!some_launch)
        fail_input(quota.place,
                   "quotas",
                   mistake("no pool of it launches nodes",
                           quota.region.empty() ? "" : "in region " + quota.region,
                           "write nodes of a pool as a range, such as 0..16"));
    return pools;
}

void plan_quotas(const Scenario& scenario, Plan& plan) {
    for (const QuotaSpec& quota : scenario.quotas) {
        const std::uint64_t pools = pools_under(scenario, quota);
        std::int64_t first = 0;
        for (std::size_t pool = 0; pool < scenario.fleet.size(); ++pool) {
            const PlanProvisioning& rule = plan.provisioning[pool];
            if ((pools >> pool & 1U) != 0)
                first += rule.is_fixed ? plan.pools[pool].num_nodes
                                       : std::max(rule.first_nodes, rule.min_nodes);
        }
        if (first > quota.nodes)
            fail_input(quota.place,
                       "quotas",
                       mistake(fmt::format("its pools have {} nodes at the begin", first),
                               fmt::format("at most {}", quota.nodes)));
        plan.quotas.push_back({pools, static_cast<std::uint32_t>(quota.nodes)});
    }
}

} // namespace

void plan_provisioning(const CompileInput& input, Compiled& compiled) {
    const Scenario& scenario = input.scenario;
    Plan& plan = compiled.plan;
    if (std::ranges::none_of(scenario.fleet, [](const PoolSpec& pool) {
            return pool.launches() || pool.spares || pool.launch_failures;
        })) {
        for (const QuotaSpec& quota : scenario.quotas)
            (void)pools_under(scenario, quota); // only to report a quota that limits nothing
        return;
    }
    const std::uint64_t seed = scenario.policy.seed;
    for (std::size_t pool = 0; pool < scenario.fleet.size(); ++pool) {
        const PoolSpec& spec = scenario.fleet[pool];
        PlanProvisioning& rule = plan.provisioning.emplace_back(provisioning_of(spec, seed));
        rule.boot_begin = static_cast<std::uint32_t>(plan.boot_ms.size());
        if (!spec.launches() || !spec.boot.is_exponential) {
            plan.boot_ms.push_back(spec.boot.mean.count());
            continue;
        }
        rule.boot_bits = boot_bits;
        const std::vector<std::int64_t> boots = exponential_boots(spec.boot.mean, seed, pool);
        plan.boot_ms.insert(plan.boot_ms.end(), boots.begin(), boots.end());
    }
    plan_quotas(scenario, plan);
}

namespace {

std::int64_t nodes_at(const PoolSpec& pool, std::int64_t hour_of_week) {
    std::int64_t nodes = *pool.min_nodes;
    for (const ScheduledHours& row : pool.provisioning.schedule->rows) {
        const bool is_day = (row.days >> (hour_of_week / 24) & 1U) != 0;
        const std::int64_t of_day = hour_of_week % 24;
        if (is_day && row.from <= of_day && of_day < row.to)
            nodes = std::max(nodes, row.nodes);
    }
    return nodes;
}

} // namespace

void add_schedule(const Scenario& scenario,
                  std::size_t pool,
                  std::optional<std::int64_t> zero_utc_ms,
                  Duration until,
                  std::vector<WorldEvent>& events) {
    const PoolSpec& spec = scenario.fleet[pool];
    const WallClock clock{spec.provisioning.schedule->zone, zero_utc_ms};
    std::int64_t before = -1;
    for (std::int64_t at = 0; at < until.count(); at += clock.rest_of_hour_ms(at)) {
        const std::int64_t nodes = nodes_at(spec, clock.hour_of_week(at));
        if (nodes != before)
            events.emplace_back(at,
                                MinNodesChange{PoolId{pool}, static_cast<std::uint32_t>(nodes)});
        before = nodes;
    }
}

void add_launch_failures(const DrawInput& input,
                         const Plan& /*plan*/,
                         std::size_t pool,
                         std::vector<WorldEvent>& events) {
    const LaunchFailures& law = input.scenario.fleet[pool].launch_failures->law;
    bool failed = false;
    for (std::int64_t at = 0; at < input.until.count(); at = law.bucket_end(at)) {
        const bool fails =
            law.fails(at, static_cast<std::uint32_t>(pool), input.scenario.policy.seed);
        if (fails != failed)
            events.emplace_back(at, LaunchesChange{.pool = PoolId{pool}, .succeed = !fails});
        failed = fails;
    }
}

double expected_launch_changes(const DrawInput& input, std::size_t pool) {
    const LaunchFailures& law = input.scenario.fleet[pool].launch_failures->law;
    return 2 * law.share * (1 - law.share) * static_cast<double>(input.until.count()) /
           static_cast<double>(law.bucket.count());
}

bool changes_least_nodes(const PoolSpec& pool) {
    return pool.has_range() && pool.provisioning.moves();
}

void add_least_nodes(const DrawInput& input,
                     const Plan& plan,
                     std::size_t pool,
                     std::vector<WorldEvent>& events) {
    const PoolSpec& spec = input.scenario.fleet[pool];
    if (spec.provisioning.schedule)
        add_schedule(input.scenario, pool, input.zero_utc_ms, input.until, events);
    if (spec.provisioning.predictive)
        add_prediction(plan,
                       pool,
                       static_cast<std::uint32_t>(*spec.min_nodes),
                       *spec.provisioning.predictive,
                       input.until,
                       events);
}

void set_first_nodes(const Scenario& scenario, Plan& plan) {
    for (const WorldEvent& event : plan.world)
        if (event.time_ms == 0 && event.is<MinNodesChange>() &&
            !scenario.fleet[event.pool()].provisioning.start)
            plan.provisioning[event.pool()].first_nodes = event.as<MinNodesChange>().num_nodes;
    for (const WorldEvent& event : plan.world)
        if (event.time_ms == 0 && event.is<SupplyChange>()) {
            std::uint32_t& first = plan.provisioning[event.pool()].first_nodes;
            first = std::min(first, event.as<SupplyChange>().num_nodes);
        }
}

namespace {

/// Warnings for keys that take effect only after the end `until` of the run.
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
    if (pool.provisioning.schedule && !zero_utc_ms)
        notes.push_back(fmt::format(
            "pool {}: the run begins on a Monday at 0:00 {}, for its schedule: the jobs "
            "have no dates",
            pool.name,
            pool.provisioning.schedule->zone));
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

Notes provisioning_notes(const CompileInput& input, const Compiled& compiled) {
    Notes notes;
    for (const PoolSpec& pool : input.scenario.fleet) {
        if (compiled.plan.until)
            warn_of_late(pool, *compiled.plan.until, notes.warnings);
        if (pool.has_range())
            note_least_nodes(pool, input.zero_utc_ms, notes.assumed);
    }
    return notes;
}

}} // namespace bursar::scenarios
