#include "scenarios/compile/features/supply.hpp"

#include <algorithm>
#include <filesystem>
#include <variant>

#include <fmt/format.h>

#include "models/market/supply_fit.hpp"
#include "models/market/supply_generators.hpp"
#include "models/reliability/gang_interruptions.hpp"

#include "sim/plan/plan_view.hpp"

#include "scenarios/compile/compiled/fleet_plan.hpp"
#include "scenarios/compile/features/prices.hpp"
#include "scenarios/compile/features/series_cover.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/scenario/policy_text.hpp"
#include "scenarios/traces/text/timestamps.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The time in the file at which the run begins.
Duration zero_in_file(const PoolSpec& pool, std::optional<std::int64_t> zero_utc_ms) {
    const AvailabilityFile& file = *pool.availability->file;
    if (pool.availability->from)
        return file.supply.begin() + *pool.availability->from;
    if (!file.dated)
        return file.supply.begin();
    if (!zero_utc_ms)
        fail_input(pool.availability->place,
                   fmt::format("fleet.{}.availability.from", pool.name),
                   mistake("missing",
                           "the file has dates and the jobs have none",
                           "say how far into the file the run begins: `from: 0 s`"));
    return Duration{*zero_utc_ms};
}

SupplyModel model_of(const GeneratedSupply& law, std::int32_t nodes) {
    if (law.correlation > 0 && nodes > 1)
        return zone_supply({.nodes = nodes,
                            .mean_up = law.up,
                            .up_share = static_cast<double>(law.up.count()) /
                                        static_cast<double>(law.up.count() + law.down.count()),
                            .correlation = law.correlation});
    return ZoneSupply{nodes, {LifeLaw::exponential(law.up), LifeLaw::exponential(law.down)}, {}};
}

/// The law of a drawn availability.
SupplyModel law_of(const AvailabilitySpec& availability, std::int32_t nodes) {
    return availability.fitted ? availability.fitted->model
                               : model_of(*availability.generated, nodes);
}

/// A file's series, scaled to the pool's nodes.
SupplySeries scaled(const SupplySeries& supply, std::int32_t nodes, bool all_or_none) {
    std::vector<SupplyStep> steps{supply.steps().begin(), supply.steps().end()};
    for (SupplyStep& step : steps)
        step.nodes = all_or_none ? step.nodes * nodes : std::min(step.nodes, nodes);
    return {std::move(steps), supply.end()};
}

} // namespace

SupplySeries supply_of(const Scenario& scenario,
                       std::size_t pool,
                       std::optional<std::int64_t> zero_utc_ms,
                       Duration until) {
    const PoolSpec& spec = scenario.fleet[pool];
    const AvailabilitySpec& availability = *spec.availability;
    const auto nodes = static_cast<std::int32_t>(spec.nodes);
    const auto number = static_cast<std::uint32_t>(pool);
    if (availability.file)
        return scaled(since(availability.file->supply, zero_in_file(spec, zero_utc_ms)),
                      nodes,
                      availability.all_or_none);
    return scaled(
        generate(law_of(availability, nodes), until, scenario.policy.seed, {number, number}),
        nodes,
        availability.all_or_none);
}

namespace {

/// The supply that a bid leaves over a year of prices drawn with a fixed seed, or over the prices
/// of its file.
SupplySeries
priced_supply(const Scenario& scenario, std::size_t pool, std::optional<std::int64_t> zero_utc_ms) {
    constexpr Duration year = 365 * day;
    Scenario other = scenario;
    other.policy.seed = 1;
    Plan plan;
    Labels labels;
    plan_fleet(other, plan, labels);
    plan_prices({other, zero_utc_ms, year}, plan);
    const SupplySeries supply = supply_under_bid(other, plan, pool);
    const Duration last{supply.steps().back().time_ms};
    return {{supply.steps().begin(), supply.steps().end()},
            other.fleet[pool].drawn_price ? std::max(year, last + Duration{1}) : last + day};
}

} // namespace

double reclaims_per_hour(const Scenario& scenario,
                         std::size_t pool,
                         std::optional<std::int64_t> zero_utc_ms,
                         std::uint32_t nodes,
                         std::uint32_t used) {
    const PoolSpec& spec = scenario.fleet[pool];
    const AvailabilitySpec& availability = *spec.availability;
    const auto gang = static_cast<std::int32_t>(nodes);
    const auto launched = static_cast<std::int32_t>(used);
    if (availability.bid)
        return gang_reclaims_per_hour(priced_supply(scenario, pool, zero_utc_ms), gang, launched);
    if (availability.file) // its end does not depend on the run's
        return gang_reclaims_per_hour(supply_of(scenario, pool, zero_utc_ms, day), gang, launched);
    const SupplyModel law = law_of(availability, static_cast<std::int32_t>(spec.nodes));
    return availability.all_or_none ? gang_reclaims_per_hour(law, 1)
                                    : gang_reclaims_per_hour(law, gang, launched);
}

SupplySeries supply_under_bid(const Scenario& scenario, const Plan& plan, std::size_t pool) {
    const PoolSpec& spec = scenario.fleet[pool];
    if (!plan.pools[pool].has_series() || (spec.discount && !spec.list_price_varies()))
        fail_input(spec.availability->place,
                   fmt::format("fleet.{}.availability.bid", spec.name),
                   mistake("the price of the pool does not change", {}, "give a price that does"));
    const MoneyRate bid{gpu_price(*spec.availability->bid, spec.gpus_per_node)};
    const PriceIntegral price = plan.prices.of(plan.pools[pool].price_series);
    const Duration never{horizon_ms};
    std::vector<SupplyStep> steps;
    Duration at{};
    for (; at < never; at = price.next_step(at, never))
        steps.push_back(
            {at.count(), price.rate_at(at) <= bid ? static_cast<std::int32_t>(spec.nodes) : 0});
    return {std::move(steps), never};
}

namespace {

double flips(const UpDown& process, Duration until) {
    return 2 * static_cast<double>(until.count()) / (process.up.mean_ms() + process.down.mean_ms());
}

double expected_steps(const ZoneSupply& supply, Duration until) {
    return supply.nodes * flips(supply.node, until) +
           (supply.zone ? flips(*supply.zone, until) : 0);
}

double expected_steps(const MarkovSupply& supply, Duration until) {
    double per_hour = 0;
    for (std::size_t state = 0; state < supply.nodes().size(); ++state)
        per_hour += supply.shares()[state] * supply.leave_per_hour(state);
    return per_hour * static_cast<double>(until.count()) / static_cast<double>(hour.count());
}

double expected_steps(const BlockSupply& supply, Duration until) {
    return static_cast<double>(supply.series.steps().size()) * static_cast<double>(until.count()) /
           static_cast<double>(supply.series.length().count());
}

} // namespace

double expected_supply_steps(const DrawInput& input, std::size_t pool) {
    const PoolSpec& spec = input.scenario.fleet[pool];
    const AvailabilitySpec& availability = *spec.availability;
    if (!availability.fitted && !availability.generated)
        return 0;
    return std::visit([&](const auto& law) { return expected_steps(law, input.until); },
                      law_of(availability, static_cast<std::int32_t>(spec.nodes)));
}

void add_supply(const DrawInput& input,
                const Plan& plan,
                std::size_t pool,
                std::vector<WorldEvent>& events) {
    const Scenario& scenario = input.scenario;
    const Duration notice = scenario.fleet[pool].availability->notice;
    // Drawn further by the notice, so that decreases announced before `until` do not depend on it.
    const SupplySeries offered =
        announced(scenario.fleet[pool].availability->bid
                      ? supply_under_bid(scenario, plan, pool)
                      : supply_of(scenario, pool, input.zero_utc_ms, input.until + notice),
                  notice);
    std::int32_t before = 0;
    for (const SupplyStep& step : offered.steps()) {
        events.emplace_back(step.time_ms,
                            SupplyChange{.pool = PoolId{pool},
                                         .num_nodes = static_cast<std::uint32_t>(step.nodes),
                                         .notice_ms = step.nodes < before ? notice.count() : 0});
        before = step.nodes;
    }
}

namespace {

std::vector<std::string> assumed_of(const PoolSpec& pool, std::optional<std::int64_t> zero_utc_ms) {
    const AvailabilitySpec& spec = *pool.availability;
    std::vector<std::string> notes;
    const auto note = [&](std::string text) {
        notes.push_back(fmt::format("pool {}: {}", pool.name, text));
    };
    if (spec.all_or_none)
        note(fmt::format("all {} nodes or none can be had: its file says yes or no", pool.nodes));
    if (spec.fitted)
        note(fmt::format("availability is drawn: {}, fitted to its file, which it meets within "
                         "{:.0f} %",
                         name_of(spec.fitted->family),
                         100 * spec.fitted->worst_difference));
    if (spec.generated && pool.nodes > 1 && spec.generated->is_correlation_assumed)
        note(fmt::format("the up-times of two nodes have a correlation of {:g}, the median of fits "
                         "to 7 traces of spot zones (0.05 to 0.98: Bamboo, SkyPilot)",
                         fitted_node_correlation));
    if (!spec.file)
        return notes;
    const SupplySeries& supply = spec.file->supply;
    if (!spec.from && !spec.file->dated)
        note("the run begins where its availability does, which has no dates");
    if (zero_in_file(pool, zero_utc_ms) < supply.begin())
        note(fmt::format("availability begins {} after the run; until then {} nodes",
                         duration_text(supply.begin() - zero_in_file(pool, zero_utc_ms)),
                         supply.steps().front().nodes));
    if (!spec.all_or_none && supply.max_nodes() > pool.nodes)
        note(fmt::format("its file has up to {} nodes, of which it takes at most {}",
                         supply.max_nodes(),
                         pool.nodes));
    return notes;
}

/// A warning if the pool's file covers less than half of the run.
std::optional<Finding>
uncovered_by(const PoolSpec& pool, std::optional<std::int64_t> zero_utc_ms, Duration end) {
    const AvailabilitySpec& spec = *pool.availability;
    const AvailabilityFile& file = *spec.file;
    const auto instant = [&file](std::int64_t at_ms) {
        return file.dated
                   ? format_timestamp(at_ms) + "Z"
                   : fmt::format("hour {:.6g}",
                                 static_cast<double>(at_ms) / static_cast<double>(hour.count()));
    };
    const bool shifts = file.dated && !spec.from;
    auto warning = uncovered(
        {.name = std::filesystem::path{file.file}.filename().string(),
         .value = "number of nodes",
         .first_ms = file.supply.begin().count(),
         .end_ms = file.supply.end().count(),
         .instant = instant,
         .remedy = shifts ? "give `from`, the time in the file at which the run begins" : ""},
        zero_in_file(pool, zero_utc_ms).count(),
        end);
    if (warning) {
        warning->place = spec.place;
        warning->path = fmt::format("fleet.{}.availability", pool.name);
    }
    return warning;
}

} // namespace

Notes supply_notes(const CompileInput& input, const Compiled& /*compiled*/) {
    Notes notes;
    for (const PoolSpec& pool : input.scenario.fleet) {
        if (!pool.availability)
            continue;
        notes.add({.assumed = assumed_of(pool, input.zero_utc_ms)});
        if (pool.availability->file)
            for (const Finding& note : pool.availability->file->notes)
                notes.warnings.push_back(note.text());
    }
    return notes;
}

std::optional<std::string> supply_warning(const Scenario& scenario,
                                          std::size_t pool,
                                          std::optional<std::int64_t> zero_utc_ms,
                                          Duration end) {
    const PoolSpec& spec = scenario.fleet[pool];
    if (!spec.availability || !spec.availability->file)
        return std::nullopt;
    if (const auto uncovered = uncovered_by(spec, zero_utc_ms, end))
        return uncovered->text();
    const SupplySeries supply = supply_of(scenario, pool, zero_utc_ms, end);
    if (end <= supply.end())
        return std::nullopt;
    return fmt::format("pool {}: its availability is known for the first {}; from then on {} nodes "
                       "can be had, as at its end",
                       spec.name,
                       duration_text(supply.end()),
                       supply.steps().back().nodes);
}

}} // namespace bursar::scenarios
