#include "scenarios/compile/features/broker.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "models/units/physics.hpp"

#include "sim/engine/nodes/ideal_run.hpp"
#include "sim/plan/plan_view.hpp"

#include "policies/broker/pool_orders.hpp"
#include "policies/broker/registry.hpp"

#include "scenarios/compile/features/gang_risks.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

bool falls_back(const Scenario& scenario) {
    return scenario.policy.broker == SpotWithFallback::name;
}

/// Whether a class saves its state before a pool takes its nodes back.
bool saves_in_time(const PoolSpec& pool, const PlanClass& own) {
    const Duration notice = pool.availability->notice;
    return saves_at_stop(own.checkpoint, StopCause::reclaimed) && notice > Duration{} &&
           own.save + own.write <= notice;
}

/// Limit for all rows of orders together. A change takes as much memory as an event of the world.
constexpr std::size_t max_order_changes = 20'000'000;

} // namespace

void plan_regions(const CompileInput& input, Compiled& compiled) {
    const Scenario& scenario = input.scenario;
    const auto pays = [](const ClassSpec& spec) {
        return spec.checkpoint && spec.checkpoint->keeping &&
               spec.checkpoint->keeping->tier.usd_per_gb_egress > 0;
    };
    std::vector<std::string> regions;
    std::vector<std::uint8_t> of_pool;
    for (const PoolSpec& pool : scenario.fleet) {
        const auto known = std::ranges::find(regions, pool.region);
        of_pool.push_back(static_cast<std::uint8_t>(known - regions.begin()));
        if (known == regions.end())
            regions.push_back(pool.region);
    }
    const bool asks =
        orders_by_kind(scenario.policy.broker) || migrates(scenario.policy.broker_options);
    if (asks && regions.size() > 1 && std::ranges::any_of(scenario.classes, pays))
        compiled.plan.pool_region = std::move(of_pool);
}

namespace {

void plan_egress(const Scenario& scenario, Compiled& compiled) {
    Plan& plan = compiled.plan;
    const std::vector<std::uint16_t>& scenario_class = compiled.scenario_class;
    if (plan.pool_region.empty())
        return;
    plan.egress_nano_usd.assign(plan.classes.size(), 0);
    for (std::size_t row = 0; row < scenario_class.size(); ++row) {
        const auto& checkpoint = scenario.classes[scenario_class[row]].checkpoint;
        if (checkpoint && checkpoint->keeping)
            plan.egress_nano_usd[row] =
                std::llround(static_cast<double>(checkpoint->keeping->loaded_bytes) / bytes_per_gb *
                             checkpoint->keeping->tier.usd_per_gb_egress * 1e9);
    }
}

} // namespace

void plan_beliefs(const CompileInput& input, Compiled& compiled) {
    plan_egress(input.scenario, compiled);
    plan_gang_risks(
        input.scenario, input.zero_utc_ms, first_drawn_until(compiled.plan), compiled.plan);
}

void plan_broker(const Scenario& scenario, Plan& plan) {
    const PolicyChoice& choice = scenario.policy;
    const bool by_kind = orders_by_kind(choice.broker);
    const std::vector<JobKind> kinds =
        by_kind ? kinds_of(plan) : std::vector<JobKind>(1 + plan.num_regions());
    std::vector<PoolOrderChanges> rows;
    std::size_t num_changes = 0;
    for (const JobKind& kind : kinds) {
        rows.push_back(pool_orders_under(choice.broker, choice.broker_options, plan, kind));
        num_changes += rows.back().size();
        if (num_changes > max_order_changes)
            fail_input(scenario.places.broker,
                       "policy.broker",
                       mistake(fmt::format("the order of pools changes more than {} times",
                                           max_order_changes),
                               "as many as can be held",
                               "give a `margin`"));
    }
    give_orders(rows, plan.until.value_or(Duration{horizon_ms}), plan);
    give_migration(choice.broker_options, by_kind ? kinds : std::vector<JobKind>{}, plan);
}

OrderRows::OrderRows(const Scenario& scenario, const Plan& plan)
    : plan_{plan}, has_rows_{orders_by_kind(scenario.policy.broker)} {}

std::optional<std::uint16_t> OrderRows::begin_of(std::uint16_t plan_class, std::uint32_t gpus) {
    if (!has_rows_)
        return 0;
    const std::size_t row =
        rows_.try_emplace({plan_class, gpus}, rows_.size()).first->second * plan_.order_length();
    return row <= 0xffff ? std::optional{static_cast<std::uint16_t>(row)} : std::nullopt;
}

JobFallbacks::JobFallbacks(const Scenario& scenario, Plan& plan)
    : scenario_{scenario}, plan_{plan} {
    if (!falls_back(scenario))
        return;
    plan.keeps_pace = SpotWithFallback::keeps_pace(scenario.policy.broker_options);
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        if (plan.pools[pool].purchase == Purchase::on_demand)
            late_pools_ |= std::uint64_t{1} << pool;
}

std::optional<JobFallback> JobFallbacks::split(bool has_deadline,
                                               const PlanClass& own,
                                               std::uint64_t holding,
                                               JobShape& shape) const {
    if (late_pools_ == 0)
        return std::nullopt;
    const std::uint64_t usable = shape.permitted_pools & holding;
    JobFallback fallback;
    fallback.late_pools = usable & late_pools_;
    fallback.early_pools = usable & ~late_pools_;
    if (fallback.late_pools == 0 || fallback.early_pools == 0) {
        ++num_without_choice_;
        return std::nullopt;
    }
    shape.permitted_pools = fallback.early_pools;
    if (!has_deadline) {
        ++num_without_deadline_;
        return std::nullopt;
    }
    fallback.job = JobId{static_cast<std::uint32_t>(plan_.num_jobs())};
    fallback.loss_ms = loss_ms(own, fallback.early_pools);
    fallback.boot_ms = boot_ms(fallback.late_pools);
    shape.fallback = static_cast<std::uint16_t>(plan_.fallbacks.size() + 1);
    return fallback;
}

std::int64_t JobFallbacks::loss_ms(const PlanClass& own, std::uint64_t pools) const {
    std::int64_t most = 0;
    const std::int64_t save_ms = (own.save + own.write).count();
    for (PoolId pool{0}; pool < plan_.pools.size(); ++pool) {
        const PoolSpec& spec = scenario_.fleet[pool];
        if ((pools >> pool & 1U) == 0 || !spec.availability)
            continue;
        std::int64_t loss_ms = horizon_ms;
        if (saves_in_time(spec, own))
            loss_ms = save_ms;
        else if (saves_on_the_way(own.checkpoint))
            loss_ms = view_of(plan_).interval_on(own, pool) + save_ms;
        most = std::max(most, loss_ms);
    }
    return most;
}

std::int64_t JobFallbacks::boot_ms(std::uint64_t pools) const {
    std::int64_t longest = 0;
    for (std::size_t pool = 0; pool < plan_.provisioning.size(); ++pool) {
        const PlanProvisioning& rule = plan_.provisioning[pool];
        if ((pools >> pool & 1U) == 0 || rule.is_fixed)
            continue;
        const auto first = plan_.boot_ms.begin() + rule.boot_begin;
        longest = std::max(longest,
                           *std::max_element(first, first + (std::int64_t{1} << rule.boot_bits)) +
                               rule.launch_every_ms);
    }
    return longest;
}

std::vector<std::string> JobFallbacks::assumed() const {
    std::vector<std::string> notes;
    if (!plan_.fallbacks.empty())
        notes.emplace_back("broker spot-with-fallback decides as if on demand had room for every "
                           "job that falls back, and run times were known");
    if (num_without_deadline_ > 0)
        notes.push_back(fmt::format("broker spot-with-fallback: jobs without a deadline ({}) wait "
                                    "for spot as long as it takes",
                                    num_without_deadline_));
    if (num_without_choice_ > 0)
        notes.push_back(
            fmt::format("broker spot-with-fallback: jobs that may use only pools of one "
                        "kind, spot or on demand ({}), do not fall back",
                        num_without_choice_));
    return notes;
}

}} // namespace bursar::scenarios
