#include "scenarios/compile/places/locality_plan.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "scenarios/compile/places/level_order.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t max_levels = 32; // JobShape stores a level in a byte

bool uses_places(const Scenario& scenario) {
    return std::ranges::any_of(scenario.fleet,
                               [](const PoolSpec& pool) { return pool.topology.has_value(); }) ||
           std::ranges::any_of(scenario.classes, [](const ClassSpec& spec) {
               return !spec.locality.require.empty() || !spec.locality.prefer.empty() ||
                      !spec.slowdown.empty();
           });
}

std::string pool_path(const Scenario& scenario, std::size_t pool) {
    return fmt::format("fleet.{}.topology", scenario.fleet[pool].name);
}

void check_preference(const LocalitySpec& asked, const JobPlace& place) {
    if (asked.require.empty() || asked.prefer.empty() || place.preferred <= place.required)
        return;
    fail_input(asked.written_prefer.place,
               asked.written_prefer.path,
               mistake(in_quotes(asked.prefer) + " is wider than `require`",
                       "no gang spreads beyond " + in_quotes(asked.require),
                       "a narrower level, or require alone"));
}

} // namespace

LocalityPlan::LocalityPlan(const Scenario& scenario,
                           const Catalogue& catalogue,
                           Plan& plan,
                           Labels& labels) {
    if (!uses_places(scenario))
        return;
    for (const PoolSpec& pool : scenario.fleet) {
        const Gpu* gpu = catalogue.find(pool.gpu);
        assert(gpu != nullptr); // the reader takes names of the catalogue only
        pools_.push_back(pool_fabric(pool, *gpu));
    }
    rates_.resize(pools_.size());
    order_levels(scenario);
    check_names(scenario);
    for (const ClassSpec& spec : scenario.classes) {
        const LocalitySpec& asked = spec.locality;
        JobPlace& place = classes_.emplace_back();
        place.required = level(asked.require).value_or(JobShape::any_level);
        place.preferred = level(asked.prefer).value_or(JobShape::any_level);
        place.required_name = asked.require.empty() ? nullptr : &asked.require;
        check_preference(asked, place);
    }
    fill(plan, labels);
}

void LocalityPlan::order_levels(const Scenario& scenario) {
    std::vector<std::vector<std::vector<std::string>>> names(pools_.size());
    for (std::size_t pool = 0; pool < pools_.size(); ++pool)
        for (const LocalityLevel& level : pools_[pool].locality.levels)
            names[pool].push_back(level.names);
    const LevelOrder order = level_order(names);
    if (order.names.empty())
        fail_input(
            scenario.fleet[order.second_pool].place,
            pool_path(scenario, order.second_pool),
            mistake(
                fmt::format("level {} cannot be ordered with level {}", order.wide, order.narrow),
                fmt::format("pool {} has {} inside {}",
                            scenario.fleet[order.first_pool].name,
                            order.narrow,
                            order.wide),
                "rename one of them"));
    // From the widest, the fabric that every pool has, inward. A pool without a level uses its next
    // wider one.
    for (std::size_t i = order.names.size(); i-- > 0;) {
        PlanLevel level{{order.names[i]}, {}};
        for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
            const std::size_t own = pools_[pool].locality.find(order.names[i]);
            const bool has = own < pools_[pool].locality.levels.size();
            level.own.push_back(has ? own : levels_.back().own[pool]);
        }
        if (!levels_.empty() && levels_.back().own == level.own)
            levels_.back().names.insert(levels_.back().names.begin(), order.names[i]);
        else
            levels_.push_back(std::move(level));
    }
    std::ranges::reverse(levels_);
    if (levels_.size() > max_levels)
        fail_input(scenario.fleet.front().place,
                   pool_path(scenario, 0),
                   mistake(fmt::format("{} locality levels", levels_.size()),
                           fmt::format("at most {}", max_levels)));
}

std::string LocalityPlan::label_of(const PlanLevel& level) const {
    if (std::ranges::find(level.names, node_word) != level.names.end())
        return std::string{node_word};
    const auto everywhere = std::ranges::find_if(level.names, [&](const std::string& name) {
        return std::ranges::all_of(pools_, [&](const PoolFabric& pool) {
            return pool.locality.find(name) < pool.locality.levels.size();
        });
    });
    return everywhere == level.names.end() ? level.names.front() : *everywhere;
}

void LocalityPlan::fill(Plan& plan, Labels& labels) const {
    plan.num_levels = static_cast<std::uint32_t>(levels_.size());
    for (const PlanLevel& level : levels_)
        labels.levels.push_back(label_of(level));
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
        const Locality& locality = pools_[pool].locality;
        PlanPool& nodes = plan.pools[pool];
        nodes.num_nodes = static_cast<std::uint32_t>(locality.num_units());
        nodes.gpus_per_node = locality.gpus_per_unit;
        nodes.cpu_milli /= locality.units_per_node;
        nodes.memory_mib /= locality.units_per_node;
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            const std::size_t own = levels_[level].own[pool];
            if (level > 0 && own == levels_[level - 1].own[pool]) { // the same table
                plan.level_begin.push_back(plan.level_begin.back());
                continue;
            }
            plan.level_begin.push_back(static_cast<std::uint32_t>(plan.node_group.size()));
            const std::vector<std::uint32_t>& group = locality.levels[own].group_of_unit;
            plan.node_group.insert(plan.node_group.end(), group.begin(), group.end());
        }
    }
}

void LocalityPlan::check_names(const Scenario& scenario) const {
    for (const ClassSpec& spec : scenario.classes) {
        const LocalitySpec& locality = spec.locality;
        check_name(locality.require, locality.written_require, spec, scenario);
        check_name(locality.prefer, locality.written_prefer, spec, scenario);
        for (const LevelSlowdown& slowdown : spec.slowdown)
            check_name(slowdown.level, slowdown.written, spec, scenario);
    }
}

void LocalityPlan::check_name(const std::string& name,
                              const Written& written,
                              const ClassSpec& spec,
                              const Scenario& scenario) const {
    if (name.empty())
        return;
    std::vector<std::string> known;
    for (const PlanLevel& level : levels_)
        known.insert(known.end(), level.names.begin(), level.names.end());
    if (std::ranges::find(known, name) == known.end())
        fail_input(written.place,
                   written.path,
                   mistake("no pool has a level " + in_quotes(name),
                           "levels come from fleet[].topology",
                           suggestion(name, known)));
    if (spec.pools.empty())
        return;
    for (std::size_t pool = 0; pool < pools_.size(); ++pool)
        if (std::ranges::find(spec.pools, scenario.fleet[pool].name) != spec.pools.end() &&
            pools_[pool].locality.find(name) < pools_[pool].locality.levels.size())
            return;
    fail_input(written.place,
               written.path,
               mistake(fmt::format("no pool of this class has a level {}", in_quotes(name)),
                       fmt::format("its pools: {}", fmt::join(spec.pools, ", "))));
}

std::optional<std::uint8_t> LocalityPlan::level(std::string_view name) const {
    for (std::size_t level = 0; level < levels_.size(); ++level)
        if (std::ranges::find(levels_[level].names, name) != levels_[level].names.end())
            return static_cast<std::uint8_t>(level);
    return std::nullopt;
}

std::uint64_t LocalityPlan::pools_with(const JobPlace& place, std::int64_t gpus) const {
    if (place.required_name == nullptr)
        return ~std::uint64_t{0};
    std::uint64_t pools = 0;
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
        const Locality& locality = pools_[pool].locality;
        const std::size_t own = locality.find(*place.required_name);
        if (own < locality.levels.size() && locality.levels[own].max_gpus >= gpus)
            pools |= std::uint64_t{1} << pool;
    }
    return pools;
}

std::int64_t LocalityPlan::largest_group(std::string_view name, std::uint64_t pools) const {
    std::int64_t largest = 0;
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
        const Locality& locality = pools_[pool].locality;
        const std::size_t own = locality.find(name);
        if ((pools >> pool & 1U) != 0 && own < locality.levels.size())
            largest = std::max(largest, locality.levels[own].max_gpus);
    }
    return largest;
}

std::size_t LocalityPlan::narrowest_level(std::size_t pool, std::int64_t gpus) const {
    const std::size_t own = pools_[pool].locality.narrowest_for(gpus);
    const auto found = std::ranges::find_if(
        levels_, [&](const PlanLevel& level) { return level.own[pool] >= own; });
    assert(found != levels_.end());
    return static_cast<std::size_t>(found - levels_.begin());
}

const std::vector<LevelRates>& LocalityPlan::rates(std::size_t pool) const {
    if (!rates_[pool])
        rates_[pool] = level_rates(pools_[pool].fabric, pools_[pool].locality);
    return *rates_[pool];
}

}} // namespace bursar::scenarios
