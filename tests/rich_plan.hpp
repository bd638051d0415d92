#pragma once

#include "sim/plan/plan.hpp"

namespace bursar::test {

/// A small plan that has something in every column: two pools at prices that change, whose nodes
/// lie in racks and come and go, and jobs that fall back, migrate, fail by themselves, wait
/// for others and have regions.
inline Plan rich_plan() {
    Plan plan;
    plan.submit_ms = {0, 1'000, 1'000, 5'000};
    plan.work_ms = {10'000, 20'000, 5'000, 1'000};
    plan.shape = {0, 1, 2, 0};
    plan.job_class = {0, 0, 0, 0};
    plan.tenant = {0, 1, 1, 0};
    plan.end = {JobEnd::completed, JobEnd::failed, JobEnd::completed, JobEnd::cancelled};
    plan.estimate_ms = {9'000, 25'000, 5'000, 2'000};
    plan.priority = {0, -1, 5, 2};
    plan.deadline_ms = {no_deadline_ms, 900'000, no_deadline_ms, 800'000};
    plan.value_nano_usd = {0, 5'000'000'000, 1, 2};
    plan.num_needed = {0, 0, 1, 2};
    plan.dependent_begin = {0, 2, 3, 3, 3};
    plan.dependents = {2, 3, 3};
    plan.think_ms = {0, 0, 0, 2'000};
    plan.needs_completion = true;
    plan.tenant_weight = {1, 3};
    plan.num_tenants = 2;

    plan.shapes.resize(3);
    plan.shapes[0] = {.gpus = 1, .permitted_pools = 1, .cpu_milli = 500};
    plan.shapes[1] = {.gpus = 2, .permitted_pools = 1, .fallback = 1};
    plan.shapes[2] = {.gpus = 4, .permitted_pools = 3, .required_level = 1, .preferred_level = 0};
    plan.classes.resize(1);
    plan.classes[0].startup = second;
    plan.classes[0].speed_row = 1;
    plan.classes[0].checkpoint = Checkpoint::every;
    plan.classes[0].save = second;
    plan.classes[0].interval = 3 * second;
    plan.classes[0].drops_late = true;
    plan.forms = {{0, 0}, {2, 0}};

    PriceSeries series;
    series.start_ms = {-1'000, 4'000, 90'000};
    series.rate = {3'000'000'000, 1'000'000'000, 2'000'000'000};
    plan.pools.resize(2);
    for (PlanPool& pool : plan.pools) {
        pool.num_nodes = 4;
        pool.gpus_per_node = 2;
        pool.cpu_milli = 8'000;
        pool.price_series = static_cast<std::uint16_t>(plan.prices.add(series));
        plan.grid.series.push_back(static_cast<std::uint16_t>(plan.grid.integrals.add(series)));
    }
    plan.pools[0].purchase = Purchase::spot;
    plan.pools[1].purchase = Purchase::on_demand;
    plan.pool_preference = {0, 1, 0, 1, 1, 0};
    plan.pool_orders = {1, 0};
    plan.pool_region = {0, 1};
    plan.gang_risks = {{0.5, 0.25, 0, second}, {0, 0, 0.125, {}}};
    plan.egress_nano_usd = {7};
    plan.classes[0].staged = second;
    plan.staging = {2, EndPrediction::class_history};
    plan.migration = {true, 100, 60'000};
    plan.risk_stretch = {3 * PlanMigration::one_stretch, PlanMigration::one_stretch};
    plan.pools_by_name = {1, 0};
    plan.energy = {{DrawnPower{50'000}, DrawnPower{700'000}, 1'200, GridIntensity{300'000}, "west"},
                   {DrawnPower{50'000},
                    DrawnPower{400'000},
                    1'100,
                    GridIntensity{200'000},
                    "east",
                    EmbodiedRate{5}}};

    plan.num_levels = 2;
    plan.node_group = {0, 1, 2, 3, 0, 0, 1, 1};
    plan.level_begin = {0, 4, 0, 4};
    plan.slow_nodes = {0, 1, 0, 0};
    plan.slow_begin = {0, 0};
    plan.speeds.resize(plan.pools.size() * plan.num_paces());
    plan.speeds[1].speed = reference_speed / 2;
    plan.speeds[1].stalled_slots[0] = 100;

    plan.provisioning.resize(2);
    plan.provisioning[0] = {.first_nodes = 2, .is_fixed = false, .follows_queue = true};
    plan.provisioning[0].boot_bits = 1;
    plan.provisioning[0].retry_ms = plan.provisioning[0].max_retry_ms = 1'000;
    plan.provisioning[1].spare_nodes = 1;
    plan.boot_ms = {1'000, 2'000};
    plan.fallbacks = {{JobId{1}, 1, 2, 4'000, 2'000}};
    plan.keeps_pace = true;
    plan.quotas = {{3, 7}};
    plan.own_failures = {{1'000'000, 0, 500}, {0, 1'000, 0}};
    plan.own_failure_seed = 42;
    plan.admission_changes = true;
    plan.world = {{2'000, SupplyChange{.num_nodes = 3}},
                  {3'000, LaunchesChange{.succeed = false}},
                  {4'000, NodeOffline{.node = 3}},
                  {4'000, OrderChange{}},
                  {5'000, LaunchesChange{.succeed = true}},
                  {6'000, StopJob{}},
                  {7'000, ShapeAdmission{.opens = false}},
                  {8'000, ShapeAdmission{.opens = true}}};
    plan.until = 300 * second;
    plan.measure_from = second;
    plan.measure_to = 200 * second;
    return plan;
}

} // namespace bursar::test
