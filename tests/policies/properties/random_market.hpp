#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "models/market/price_series.hpp"

#include "sim/plan/plan.hpp"

#include "policies/broker/pool_orders.hpp"
#include "policies/broker/registry.hpp"
#include "policies/choice/policy_choice.hpp"

#include "tests/properties.hpp"

namespace bursar::test {

/// Draws the purchase of each pool of a plan; the prices of some vary.
inline void draw_market(Plan& plan) {
    for (PlanPool& pool : plan.pools) {
        pool.purchase =
            drawn::one_of(Purchase::owned, Purchase::reserved, Purchase::on_demand, Purchase::spot);
        pool.rate = MoneyRate{drawn::in_range<std::int64_t>(0, 6)};
        if (drawn::in_range(0, 3) == 0)
            continue;
        PriceSeries series;
        std::int64_t start_ms = drawn::in_range<std::int64_t>(-10, 10) * 500;
        for (int steps = drawn::in_range(1, 8); steps > 0; --steps) {
            series.start_ms.push_back(start_ms);
            series.rate.push_back(drawn::in_range<std::int64_t>(0, 6));
            start_ms += drawn::in_range<std::int64_t>(1, 20) * 500;
        }
        pool.price_series = static_cast<std::uint16_t>(plan.prices.add(series));
    }
}

/// Draws believed interruptions of each kind of jobs: about every second, or never. plan: with its
/// rows.
inline void draw_risks(Plan& plan) {
    const auto rate = [] { return drawn::in_range(0, 3) * 1'000.0; };
    const std::size_t num_rows = kinds_of(plan).size() / (1 + plan.num_regions());
    std::vector<GangRisk> risks;
    for (std::size_t i = 0; i < num_rows * plan.pools.size(); ++i)
        risks.push_back({rate(), rate(), rate(), Duration{drawn::in_range(0, 3) * 1'000}});
    plan.gang_risks = risks;
}

/// Draws the regions of a plan's pools; moving saved state costs nothing or much.
inline void draw_regions(Plan& plan) {
    const int num_regions = drawn::in_range(1, 4);
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        plan.pool_region.push_back(static_cast<std::uint8_t>(drawn::in_range(0, num_regions)));
    for (std::size_t row = 0; row < plan.classes.size(); ++row)
        plan.egress_nano_usd.push_back(drawn::in_range(0, 2));
}

/// Splits shapes by the class of their jobs, each with a row of orders.
inline void give_order_rows(Plan& plan) {
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::size_t> rows;    // class, GPUs
    std::map<std::pair<std::uint16_t, std::size_t>, std::uint16_t> numbers; // shape, row
    std::vector<std::size_t> row_of;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        row_of.push_back(
            rows.try_emplace({plan.job_class[job], plan.gpus(job)}, rows.size()).first->second);
        numbers[{plan.shape[job], row_of.back()}] = 0;
    }
    std::vector<JobShape> shapes;
    for (auto& [key, number] : numbers) {
        number = static_cast<std::uint16_t>(shapes.size());
        shapes.push_back(plan.shapes[key.first]);
        shapes.back().order_begin = static_cast<std::uint16_t>(key.second * plan.order_length());
    }
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        plan.shape[job] = numbers.at({plan.shape[job], row_of[job]});
    plan.shapes = shapes;
}

/// Adds the orders and the migration of the choice's broker to a plan with its market and world.
inline void give_orders_of(const PolicyChoice& choice, Plan& plan) {
    std::vector<PoolOrderChanges> rows;
    const bool by_kind = orders_by_kind(choice.broker);
    const std::vector<JobKind> kinds =
        by_kind ? kinds_of(plan) : std::vector<JobKind>(1 + plan.num_regions());
    for (const JobKind& kind : kinds)
        rows.push_back(pool_orders_under(choice.broker, choice.broker_options, plan, kind));
    give_orders(rows, plan.until.value_or(Duration{std::int64_t{1} << 40}), plan);
    give_migration(choice.broker_options, by_kind ? kinds : std::vector<JobKind>{}, plan);
}

/// Adds fallbacks to jobs with a deadline that may use pools of both kinds.
inline void draw_fallbacks(Plan& plan) {
    std::uint64_t late_pools = 0;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        if (plan.pools[pool].purchase == Purchase::on_demand)
            late_pools |= std::uint64_t{1} << pool;
    std::vector<std::pair<JobShape, std::vector<std::size_t>>> jobs_of; // shape by shape
    for (std::size_t shape = 0; shape < plan.shapes.size(); ++shape)
        jobs_of.push_back({plan.shapes[shape], {}});
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        JobShape shape = plan.shapes[plan.shape[job]];
        JobFallback own;
        own.early_pools = shape.permitted_pools & ~late_pools;
        own.late_pools = shape.permitted_pools & late_pools;
        if (own.early_pools == 0 || own.late_pools == 0 ||
            plan.deadline_ms[job] == no_deadline_ms) {
            jobs_of[plan.shape[job]].second.push_back(job);
            continue;
        }
        own.job = JobId{static_cast<std::uint32_t>(job)};
        own.loss_ms = drawn::one_of<std::int64_t>(0, 0, 1'000, std::int64_t{1} << 40);
        own.boot_ms = drawn::in_range(0, 4) * 500;
        plan.fallbacks.push_back(own);
        shape.permitted_pools = own.early_pools;
        shape.fallback = static_cast<std::uint16_t>(plan.fallbacks.size());
        jobs_of.push_back({shape, {job}});
    }
    plan.keeps_pace = drawn::boolean();
    const auto key = [](const auto& row) { // the lowest index is the first name
        std::uint64_t names = 0;
        for (std::size_t pool = 0; pool < max_pools; ++pool)
            names |= (row.first.permitted_pools >> pool & 1U) << (max_pools - 1 - pool);
        return std::tuple{std::popcount(names), ~names, row.first.slots(), row.first.fallback};
    };
    std::ranges::stable_sort(jobs_of, {}, key);
    plan.shapes.clear();
    for (const auto& [shape, jobs] : jobs_of) {
        for (const std::size_t job : jobs)
            plan.shape[job] = static_cast<std::uint16_t>(plan.shapes.size());
        plan.shapes.push_back(shape);
    }
}

} // namespace bursar::test
