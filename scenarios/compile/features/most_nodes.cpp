#include "scenarios/compile/features/most_nodes.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "scenarios/compile/features/supply.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// For messages: `s.yaml:4:9`.
std::string text_of(const Place& place) {
    return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

void limit(MostNodes& most, std::int64_t nodes, std::string why, std::string suggestion) {
    if (nodes < std::int64_t{most.nodes})
        most = {static_cast<std::uint32_t>(std::max<std::int64_t>(nodes, 0)),
                std::move(why),
                std::move(suggestion)};
}

/// Always-on nodes of other pools count against the quota, too.
void limit_by_quotas(const Scenario& scenario, const Plan& plan, std::vector<MostNodes>& most) {
    for (std::size_t row = 0; row < plan.quotas.size(); ++row) {
        const PlanQuota& quota = plan.quotas[row];
        const auto always = [&](std::size_t pool) -> std::int64_t {
            const PlanProvisioning& rule = plan.provisioning[pool];
            if (rule.is_fixed)
                return plan.pools[pool].num_nodes;
            const PoolSpec& spec = scenario.fleet[pool];
            const bool may_go = spec.availability || spec.launch_failures || spec.failures;
            return may_go ? 0 : rule.min_nodes;
        };
        std::int64_t all = 0;
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
            all += (quota.pools >> pool & 1U) != 0 ? always(pool) : 0;
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
            if ((quota.pools >> pool & 1U) != 0 && !plan.provisioning[pool].is_fixed)
                limit(most[pool],
                      quota.max_nodes - (all - always(pool)),
                      fmt::format("what quotas[{}] leaves to it, {}",
                                  row,
                                  text_of(scenario.quotas[row].place)),
                      "a larger quota");
    }
}

/// The most nodes that availability offers at any time; absent: all nodes of the pool.
std::optional<std::int64_t>
most_offered(const Scenario& scenario, std::size_t pool, std::optional<std::int64_t> zero_utc_ms) {
    const AvailabilitySpec& spec = *scenario.fleet[pool].availability;
    if (spec.file)
        return supply_of(scenario, pool, zero_utc_ms, day).max_nodes();
    if (!spec.fitted || spec.all_or_none)
        return std::nullopt;
    if (const auto* chain = std::get_if<MarkovSupply>(&spec.fitted->model))
        return chain->nodes().back();
    if (const auto* blocks = std::get_if<BlockSupply>(&spec.fitted->model))
        return blocks->series.max_nodes();
    return std::get<ZoneSupply>(spec.fitted->model).nodes;
}

/// Nodes of a pool that does not launch nodes for waiting jobs.
std::int64_t most_without_demand(const PoolSpec& spec) {
    std::int64_t nodes = std::max(*spec.min_nodes, spec.provisioning.start.value_or(0));
    if (spec.provisioning.schedule)
        for (const ScheduledHours& row : spec.provisioning.schedule->rows)
            nodes = std::max(nodes, row.nodes);
    return nodes + spec.provisioning.warm;
}

void limit_by_pool(const Scenario& scenario,
                   std::size_t pool,
                   std::optional<std::int64_t> zero_utc_ms,
                   MostNodes& most) {
    const PoolSpec& spec = scenario.fleet[pool];
    if (spec.spares)
        limit(most, spec.nodes - spec.spares->nodes, "the others are `spares`", "fewer spares");
    if (spec.availability)
        if (const auto offered = most_offered(scenario, pool, zero_utc_ms))
            limit(most,
                  *offered,
                  fmt::format("as its availability, {}", text_of(spec.availability->place)),
                  "availability of more nodes");
    if (spec.has_range() && !spec.provisioning.follows_queue && !spec.provisioning.predictive)
        limit(most,
              most_without_demand(spec),
              "its `provisioning` launches none for jobs that wait",
              "`provisioning` with more nodes, or one that follows the queue");
    if (spec.launch_failures && spec.launch_failures->law.share >= 1 && spec.has_range())
        limit(most,
              spec.provisioning.start.value_or(*spec.min_nodes),
              "what is launched later never comes up, `launch_failures.share`",
              "launches that succeed at times");
}

} // namespace

std::vector<MostNodes>
most_nodes(const Scenario& scenario, const Plan& plan, std::optional<std::int64_t> zero_utc_ms) {
    std::vector<MostNodes> most(plan.pools.size());
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        most[pool].nodes = plan.pools[pool].num_nodes;
        limit_by_pool(scenario, pool, zero_utc_ms, most[pool]);
    }
    limit_by_quotas(scenario, plan, most);
    return most;
}

Finding short_of_nodes(const std::vector<MostNodes>& most,
                       const Plan& plan,
                       const Labels& labels,
                       std::uint64_t pools) {
    Finding finding;
    finding.suggestion = "or smaller gangs";
    for (std::size_t pool = 0; pool < most.size(); ++pool) {
        if ((pools >> pool & 1U) == 0)
            continue;
        finding.why +=
            fmt::format("{}of the {} node{} of pool {}, {} GPU{} each, never more than {} "
                        "at a time: {}",
                        finding.why.empty() ? "" : "; ",
                        plan.pools[pool].num_nodes,
                        plan.pools[pool].num_nodes == 1 ? "" : "s",
                        labels.pools[pool],
                        plan.pools[pool].gpus_per_node,
                        plan.pools[pool].gpus_per_node == 1 ? "" : "s",
                        most[pool].nodes,
                        most[pool].why);
        if (!finding.suggestion.starts_with(most[pool].suggestion + ", "))
            finding.suggestion = fmt::format("{}, {}", most[pool].suggestion, finding.suggestion);
    }
    return finding;
}

}} // namespace bursar::scenarios
