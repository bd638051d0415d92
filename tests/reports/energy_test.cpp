#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/ledger/leaf_power.hpp"

#include "reports/bill/energy.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/job_holding.hpp"
#include "reports/result/saved_result.hpp"
#include "reports/scalars/scalars.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/run_files.hpp"

namespace bursar::test::energy_test {
namespace {

/// A GPU for 100 s, another for none, of 150 s: 360 W busy, 36 W idle.
Plan plan_by_hand() {
    Plan plan = plan_of({{0, 100}}, {pool_of(1, 2)});
    plan.until = 150 * second;
    PlanEnergy energy;
    energy.busy = DrawnPower{360'000};
    energy.idle = DrawnPower{36'000};
    energy.pue_milli = 1200;
    energy.grid = GridIntensity{500'000};
    energy.grid_name = "nowhere-1";
    energy.embodied = EmbodiedRate{36'000'000'000}; // 36 g an hour
    plan.energy = {energy};
    return plan;
}

/// Some energy for every pool of a plan.
void draw_energy(Plan& plan) {
    const bool with_grid = drawn::boolean();
    plan.energy.clear();
    for (std::size_t p = 0; p < plan.pools.size(); ++p) {
        PlanEnergy energy;
        energy.idle = DrawnPower{drawn::in_range<std::int64_t>(0, 300'000)};
        energy.busy = energy.idle + DrawnPower{drawn::in_range<std::int64_t>(0, 900'000)};
        energy.pue_milli = drawn::in_range<std::int64_t>(1000, 2000);
        if (with_grid) {
            energy.grid = GridIntensity{drawn::in_range<std::int64_t>(0, 900'000)};
            energy.embodied = EmbodiedRate{drawn::in_range<std::int64_t>(0, 9'000'000'000)};
        }
        plan.energy.push_back(energy);
    }
}

EnergyUse sum_of_cells(const Result& result) {
    EnergyUse sum;
    for (const ResultCell& cell : result.cells)
        sum += energy_of(result, cell);
    return sum;
}

/// Energy of meters that follow the timeline of a result.
EnergyUse metered(const Result& result) {
    EnergyUse sum;
    const TimelineColumns& rows = result.timeline;
    for (std::size_t p = 0; p < result.pools.size(); ++p) {
        EnergyMeter meter{result, result.pools[p]};
        for (std::size_t row = 0; row < rows.size(); ++row)
            if (rows.pool[row] == p)
                meter.note(Duration{rows.time_ms[row]},
                           rows.allocated_slots[row],
                           rows.off_slots.empty() ? 0 : rows.off_slots[row]);
        meter.advance_to(result.end);
        sum += meter.in_window();
    }
    return sum;
}

/// Energy of cells, without the embodied carbon of time that is billed past the end of nodes.
EnergyUse sum_of_what_is_there(const Result& result) {
    EnergyUse sum = sum_of_cells(result);
    for (const ResultCell& cell : result.cells)
        if (cell.leaf == Leaf::unavail_reserved_unlaunched)
            sum.embodied -= energy_of(result, cell).embodied;
    return sum;
}

std::string written(const Result& result, std::string_view output) {
    StringSink sink;
    find_output(output)->write(result, {}, sink);
    return sink.text();
}

} // namespace

TEST_CASE("energy and carbon of a run by hand show in every file") {
    // 100 s x 360 W + 200 s x 36 W = 43.2 kJ = 0.012 kWh, 6 g at 500 g/kWh; making it 300 s of
    // 36 g an hour: 3 g.
    const Result result = result_of(plan_by_hand(), {"fifo", HeadRule::block, "count"});
    const File cells{result, "csv"};
    REQUIRE(cells.size() == 2);
    CHECK(cells.text(0, "leaf") == "prod.useful");
    CHECK(cells.micro(0, "energy_kwh") == 10'000);
    CHECK(cells.micro(0, "carbon_kg") == 6'000); // 5 g, and 1 of making it
    CHECK(cells.text(1, "leaf") == "idle.no_demand");
    CHECK(cells.micro(1, "energy_kwh") == 2'000);
    CHECK(cells.micro(1, "carbon_kg") == 3'000); // 1 g, and 2
    CHECK(File{result, "jobs"}.micro(0, "energy_kwh") == 10'000);
    const File timeline{result, "timeline"};
    REQUIRE(timeline.size() == 3); // its start, its end, and the run's
    CHECK(timeline.micro(0, "power_kw") == 396'000);
    CHECK(timeline.micro(1, "power_kw") == 72'000);
    CHECK(timeline.micro(1, "cumulative_energy_kwh") == 11'000);
    CHECK(timeline.micro(2, "cumulative_energy_kwh") == 12'000);
    CHECK(timeline.micro(2, "cumulative_carbon_kg") == 9'000);
    const std::string json = written(result, "json");
    CHECK(json.find(R"("kwh": 0.012)") != std::string::npos);
    CHECK(json.find(R"("kg": 0.009)") != std::string::npos);
    CHECK(json.find(R"("embodied_kg": 0.003)") != std::string::npos);
    CHECK(json.find(R"("pue": 1.2)") != std::string::npos);
    CHECK(json.find(R"("grid_g_per_kwh": 500)") != std::string::npos);
    for (const char* output : {"table", "markdown"}) {
        const std::string text = written(result, output);
        CHECK(text.find("nowhere-1") != std::string::npos);
        CHECK(text.find("energy: 0.0 kWh: productive 0.0, idle 0.0") != std::string::npos);
    }
}

TEST_CASE("the sentence on energy adds up, by group and with the carbon") {
    Plan plan = plan_by_hand();
    plan.work_ms[0] *= 1000; // a thousand times as much of everything
    plan.until = 150'000 * second;
    const Result result = result_of(plan, {"fifo", HeadRule::block, "count"});
    CHECK(energy_sentences(result)[0] ==
          "12.0 kWh: productive 10.0, idle 2.0; 9.0 kg CO2e, 3.0 of them from making the hardware");
}

TEST_CASE("average power of buckets adds up to the run's energy") {
    StringSink sink;
    OutputOptions options;
    options.bucket = 100 * second;
    find_output("timeline")
        ->write(result_of(plan_by_hand(), {"fifo", HeadRule::block, "count"}), options, sink);
    const auto rows = parse_csv(sink.text());
    REQUIRE(rows.size() == 3);
    CHECK(rows[1][9] == "0.396"); // 100 s of a GPU at work and one idle
    CHECK(rows[2][9] == "0.072");
    CHECK(rows[1][10] == "0.011");
    CHECK(rows[2][10] == "0.012");
}

TEST_CASE("without `energy` in the scenario no file has a figure") {
    Plan plan = plan_by_hand();
    plan.energy.clear();
    const Result result = result_of(plan, {"fifo", HeadRule::block, "count"});
    CHECK_FALSE(has_energy(result));
    CHECK(energy_sentences(result).empty());
    CHECK(File{result, "csv"}.text(0, "energy_kwh").empty());
    CHECK(File{result, "jobs"}.text(0, "energy_kwh").empty());
    CHECK(File{result, "timeline"}.text(0, "power_kw").empty());
    CHECK(written(result, "json").find(R"("kwh": null)") != std::string::npos);
}

TEST_CASE("energy, carbon and dollars are of the same GPU-hours, in every file") {
    const std::vector<PolicyChoice> choices = every_choice_at_all();
    CHECK(check_property([&] {
        Plan plan = draw_plan({.with_speeds = drawn::boolean()});
        draw_energy(plan);
        const Result result = result_of(plan, drawn::element_of(choices));
        // By leaf: dollars at the rate of the pool, energy at its power, for the same time.
        for (const ResultCell& cell : result.cells) {
            const PlanEnergy& energy = plan.energy[cell.pool];
            const EnergyUse use = energy_of(result, cell);
            RC_ASSERT(cell.cost == plan.pools[cell.pool].rate * cell.held);
            const bool by_job = cell.tenant.has_value();
            const bool off = cell.leaf == Leaf::unavail_reserved_unlaunched;
            const DrawnPower power = by_job ? energy.busy : off ? DrawnPower{} : energy.idle;
            RC_ASSERT(use.drawn == power * cell.held);
            RC_ASSERT(use.embodied == energy.embodied * cell.held);
            if (energy.grid)
                RC_ASSERT(use.emitted.count() == use.drawn.count() * energy.grid->count());
        }
        RC_ASSERT(metered(result) == sum_of_what_is_there(result)); // over time
        // And by job, over the whole run.
        DrawnEnergy of_jobs;
        DrawnEnergy held;
        const auto stopped = stopped_sums(result);
        for (std::size_t job = 0; job < result.jobs.size(); ++job)
            of_jobs += energy_of(result, job, stopped.empty() ? StoppedSum{} : stopped[job]);
        for (const ResultCell& cell : result.cells)
            if (power_state(cell.leaf) == PowerState::busy)
                held += energy_of(result, cell).drawn;
        RC_ASSERT(plan.measure_to || plan.measure_from > Duration{} || of_jobs == held);
    }));
}

TEST_CASE("energy over time equals that of the leaves when nodes come and go") {
    const std::vector<PolicyChoice> choices = every_choice_at_all();
    CHECK(check_property([&] {
        Plan plan = draw_plan({.max_pools = 3, .max_jobs = 15});
        plan.world = draw_world(plan);
        draw_fleet(plan);
        plan.until = drawn::in_range(1, 120) * second;
        draw_energy(plan);
        const Result result = result_of(plan, drawn::element_of(choices));
        RC_ASSERT(metered(result) == sum_of_what_is_there(result));
    }));
}

TEST_CASE("energy is saved with the result") {
    CHECK(check_property([] {
        Plan plan = draw_plan();
        draw_energy(plan);
        const Result result = result_of(plan, {"fifo", HeadRule::block, "count"});
        StringSink saved;
        write_saved_result(result, {}, saved);
        const Result loaded = parse_result(saved.text(), "result.json");
        RC_ASSERT(loaded.pools == result.pools);
        RC_ASSERT(written(loaded, "csv") == written(result, "csv"));
    }));
}

TEST_CASE("energy is compared as a scalar") {
    const Result result = result_of(plan_by_hand(), {"fifo", HeadRule::block, "count"});
    bool found = false;
    for (const Scalar& scalar : scalars(result))
        if (scalar.name == "energy.kwh") {
            found = true;
            CHECK(scalar.value == doctest::Approx(0.012));
        }
    CHECK(found);
}

} // namespace bursar::test::energy_test
