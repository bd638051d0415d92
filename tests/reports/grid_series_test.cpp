#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/energy/metered.hpp"

#include "reports/bill/energy.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/saved_result.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/run_files.hpp"

namespace bursar::test::grid_series_test {
namespace {

/// A result under grids that change.
Result result_with(Plan plan, const PolicyChoice& choice, const std::vector<GridSeries>& grids) {
    for (const GridSeries& grid : grids)
        plan.grid.series.push_back(static_cast<std::uint16_t>(plan.grid.integrals.add(grid)));
    return result_of(plan, choice);
}

void give_energy(Plan& plan, GridIntensity grid) {
    PlanEnergy energy;
    energy.idle = DrawnPower{36'000};
    energy.busy = DrawnPower{360'000};
    energy.pue_milli = 1200;
    energy.grid = grid;
    plan.energy.assign(plan.pools.size(), energy);
}

GridSeries draw_grid() {
    GridSeries grid;
    std::int64_t at_ms = drawn::in_range<std::int64_t>(-20'000, 20'000);
    for (int steps = drawn::in_range(1, 12); steps > 0; --steps) {
        grid.start_ms.push_back(at_ms);
        grid.rate.push_back(drawn::in_range<std::int64_t>(0, 900'000));
        at_ms += drawn::in_range<std::int64_t>(1, 15'000);
    }
    return grid;
}

/// The intensity at an instant, looked up step by step.
std::int64_t intensity_at(const GridSeries& grid, std::int64_t at_ms) {
    std::size_t step = 0;
    while (step + 1 < grid.size() && grid.start_ms[step + 1] <= at_ms)
        ++step;
    return grid.rate[step];
}

std::string written(const Result& result, std::string_view output) {
    StringSink sink;
    find_output(output)->write(result, {}, sink);
    return sink.text();
}

Plan draw_moving_plan() {
    Plan plan = draw_plan({.max_pools = 2, .max_jobs = 12});
    plan.measure_from = {};
    plan.measure_to.reset();
    plan.world = draw_world(plan);
    draw_fleet(plan);
    plan.until = drawn::in_range(1, 100) * second;
    return plan;
}

} // namespace

TEST_CASE("carbon follows the current intensity of the grid") {
    // A GPU for 100 s and another idle, of 150 s; the grid is clean from 60 s on.
    Plan plan = plan_of({{0, 100}}, {pool_of(1, 2)});
    plan.until = 150 * second;
    give_energy(plan, GridIntensity{500'000});
    const GridSeries grid{{0, 60'000}, {500'000, 100'000}};
    const Result result = result_with(plan, {"fifo", HeadRule::block, "count"}, {grid});
    const EnergyUse use = energy_by_pool(result)[0];
    // (360 W + 36 W) x 60 s x 500 g + ((360 + 36) x 40 s + 72 x 50 s) x 100 g, per 3.6e6 Ws
    CHECK(kg_micro(use.emitted) == 3'840); // 3.84 g
    CHECK(kwh_micro(use.drawn) == 12'000);
    CHECK(mean_intensity(result.pools[0], use) == 320'000'000); // 320 g
    CHECK(written(result, "table").find("320 g per kWh on average") != std::string::npos);
    CHECK(written(result, "json").find(R"("grid_g_per_kwh": 320)") != std::string::npos);
}

TEST_CASE("a grid that does not change over the run is the constant one, byte for byte") {
    const std::vector<PolicyChoice> choices = every_choice_at_all();
    CHECK(check_property([&] {
        Plan plan = draw_moving_plan();
        const std::int64_t grid = drawn::in_range<std::int64_t>(0, 900'000);
        give_energy(plan, GridIntensity{grid});
        const PolicyChoice choice = drawn::element_of(choices);
        const Result constant = result_of(plan, choice);
        const std::int64_t end_ms = constant.end.count() + 1;
        const std::vector<GridSeries> grids(plan.pools.size(),
                                            {{-7, end_ms / 2, end_ms}, {grid, grid, grid + 1}});
        give_energy(plan, GridIntensity{1}); // the series decides
        const Result series = result_with(plan, choice, grids);
        for (const char* output : {"table", "json", "csv", "timeline", "result"})
            RC_ASSERT(written(series, output) == written(constant, output));
    }));
}

TEST_CASE("emissions of leaves equal the sum over time, step by step") {
    const std::vector<PolicyChoice> choices = every_choice_at_all();
    CHECK(check_property([&] {
        Plan plan = draw_moving_plan();
        give_energy(plan, GridIntensity{1});
        std::vector<GridSeries> grids;
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
            grids.push_back(draw_grid());
        const Result result = result_with(plan, drawn::element_of(choices), grids);
        for (std::size_t p = 0; p < plan.pools.size(); ++p) {
            EnergyMeter meter{result, result.pools[p]};
            EnergyUse by_step; // while nothing changes, by hand
            Duration from;
            std::int64_t held = 0;
            std::int64_t off = 0;
            const auto replay = [&](Duration to) {
                const std::int64_t there = result.pools[p].num_gpus() * slots_per_gpu - off - held;
                for (Duration t = from; t < to;) {
                    Duration next = to; // the next change of the grid, if earlier
                    for (const std::int64_t start_ms : grids[p].start_ms)
                        if (start_ms > t.count() && start_ms < next.count())
                            next = Duration{start_ms};
                    const std::int64_t rate = intensity_at(grids[p], t.count());
                    by_step.emitted +=
                        DrawnPower{360'000} * (GridIntensity{rate} * slot_time(held, next - t)) +
                        DrawnPower{36'000} * (GridIntensity{rate} * slot_time(there, next - t));
                    t = next;
                }
                from = to;
            };
            const TimelineColumns& rows = result.timeline;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                if (rows.pool[row] != p)
                    continue;
                replay(Duration{rows.time_ms[row]});
                held = rows.allocated_slots[row];
                off = rows.off_slots.empty() ? 0 : rows.off_slots[row];
                meter.note(Duration{rows.time_ms[row]}, held, off);
            }
            replay(result.end);
            meter.advance_to(result.end);
            const EnergyUse of_leaves = energy_by_pool(result)[p];
            RC_ASSERT(meter.in_window().emitted == of_leaves.emitted);
            RC_ASSERT(by_step.emitted == of_leaves.emitted);
        }
    }));
}

TEST_CASE("grids that change are saved with the result") {
    CHECK(check_property([] {
        Plan plan = draw_moving_plan();
        give_energy(plan, GridIntensity{1});
        std::vector<GridSeries> grids;
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
            grids.push_back(draw_grid());
        const Result result = result_with(plan, {"fifo", HeadRule::block, "count"}, grids);
        StringSink saved;
        write_saved_result(result, {}, saved);
        const Result loaded = parse_result(saved.text(), "result.json");
        RC_ASSERT(loaded.pools == result.pools);
        RC_ASSERT(loaded.cells == result.cells);
    }));
}

} // namespace bursar::test::grid_series_test
