#include "scenarios/compile/jobs/starved_jobs.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "scenarios/compile/fleet_plan.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Nodes of a pool that there may be at some time from an instant on: a bound, as nodes that are
/// broken may be among those that cannot be had.
class NodesAhead {
  public:
    NodesAhead(const Plan& plan, std::size_t pool, bool stays_as_it_ends)
        : all_{plan.pools[pool].num_nodes}, supply_{all_}, causes_(all_) {
        steps_.emplace_back(0, all_);
        for (const WorldEvent& event : plan.world)
            if (event.pool == pool && (!plan.until || event.time_ms < plan.until->count()))
                follow(event);
        if (!plan.until && !stays_as_it_ends)
            note(steps_.back().first + 1, all_);
        for (std::size_t i = steps_.size() - 1; i > 0; --i)
            steps_[i - 1].second = std::max(steps_[i - 1].second, steps_[i].second);
    }

    /// From an instant on.
    [[nodiscard]] std::uint32_t most_from(std::int64_t time_ms) const {
        const auto next = std::ranges::upper_bound(steps_, time_ms, {}, &Step::first);
        return std::prev(next)->second;
    }

  private:
    using Step = std::pair<std::int64_t, std::uint32_t>;

    void follow(const WorldEvent& event) {
        if (event.kind == WorldEventKind::supply)
            supply_ = event.node;
        else if (event.kind == WorldEventKind::node_offline)
            away_ += causes_[event.node]++ == 0 ? 1 : 0;
        else if (event.kind == WorldEventKind::node_online)
            away_ -= --causes_[event.node] == 0 ? 1 : 0;
        else
            return;
        note(event.time_ms, std::min(supply_, all_ - away_));
    }
    void note(std::int64_t time_ms, std::uint32_t nodes) {
        if (steps_.back().first == time_ms)
            steps_.back().second = nodes;
        else
            steps_.emplace_back(time_ms, nodes);
    }

    std::uint32_t all_;
    std::uint32_t supply_;
    std::uint32_t away_{};
    std::vector<std::uint8_t> causes_; ///< why a node is out of service: how many at a time
    std::vector<Step> steps_;
};

/// Whether the world knows all of what can be had of a pool, whatever the length of the run.
bool stays_as_it_ends(const PoolSpec& pool) {
    return pool.availability &&
           (pool.availability->file || (pool.availability->bid && !pool.drawn_price));
}

/// Jobs that only pools like these could have run.
struct Starved {
    std::size_t first{};
    std::uint64_t num{};
    std::uint32_t nodes{}; ///< of the one with most nodes, at a time
    std::size_t pool{};
};

Finding finding_of(const Scenario& scenario,
                   const Plan& plan,
                   const Labels& labels,
                   const Starved& starved) {
    const PoolSpec& pool = scenario.fleet[starved.pool];
    const bool is_offer = pool.availability.has_value();
    Finding finding =
        mistake(fmt::format("{} can never run; the first is \"{}\", of {} GPU{}",
                            starved.num == 1 ? "a job" : fmt::format("{} jobs", starved.num),
                            labels.job(starved.first),
                            plan.gpus(starved.first),
                            plan.gpus(starved.first) == 1 ? "" : "s"),
                fmt::format("of the nodes of {}, {} GPU{} each, no more than {} {} at a time {}",
                            pool.name,
                            pool.gpus_per_node,
                            pool.gpus_per_node == 1 ? "" : "s",
                            starved.nodes,
                            is_offer ? "can be had" : "work",
                            plan.until ? "in this run" : "from its submit on"));
    finding.place = is_offer ? pool.availability->place : pool.place;
    finding.path = fmt::format("fleet.{}{}", pool.name, is_offer ? ".availability" : "");
    return finding;
}

/// Whether all nodes of all pools may be there at some time from an instant on.
bool has_all(const Plan& plan, const std::vector<std::uint32_t>& most) {
    for (std::size_t pool = 0; pool < most.size(); ++pool)
        if (most[pool] < plan.pools[pool].num_nodes)
            return false;
    return true;
}

/// The pool with most nodes of those that would hold a job, if none has enough of them.
std::optional<std::size_t>
lacks_nodes(const Plan& plan, const JobShape& shape, const std::vector<std::uint32_t>& most) {
    std::uint64_t usable = shape.permitted_pools;
    if (shape.fallback != 0)
        usable |= plan.fallbacks[shape.fallback - 1U].late_pools;
    if ((usable & pools_that_hold(plan, shape, most)) != 0)
        return std::nullopt;
    usable &= pools_that_hold(plan, shape);
    auto best = static_cast<std::size_t>(std::countr_zero(usable));
    for (std::size_t pool = best; pool < most.size(); ++pool)
        if ((usable >> pool & 1U) != 0 && most[pool] > most[best])
            best = pool;
    return best;
}

} // namespace

std::vector<std::string>
starved_jobs(const Scenario& scenario, const Plan& plan, const Labels& labels) {
    if (plan.world.empty())
        return {};
    std::vector<NodesAhead> ahead;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        ahead.emplace_back(plan, pool, stays_as_it_ends(scenario.fleet[pool]));
    std::map<std::size_t, Starved> by_pool;
    std::vector<std::uint32_t> most(plan.pools.size());
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        for (std::size_t pool = 0; pool < most.size(); ++pool)
            most[pool] = ahead[pool].most_from(plan.until ? 0 : plan.submit_ms[job]);
        if (has_all(plan, most)) {
            if (plan.until)
                break; // as for any other job
            continue;
        }
        if (const auto pool = lacks_nodes(plan, plan.shapes[plan.shape[job]], most))
            ++by_pool.try_emplace(*pool, Starved{job, 0, most[*pool], *pool}).first->second.num;
    }
    std::vector<std::string> warnings;
    for (const auto& [pool, starved] : by_pool)
        warnings.push_back(finding_of(scenario, plan, labels, starved).text());
    return warnings;
}

}} // namespace bursar::scenarios
