#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/run_files.hpp"

// bill_and_files_test.cpp checks the books of runs whose prices vary.
namespace bursar::test::prices_test {

TEST_CASE("a series with one constant price changes no byte of any file") {
    const std::vector<PolicyChoice> choices = every_choice_at_all();
    CHECK(check_property([&] {
        const PolicyChoice choice = drawn::element_of(choices);
        Plan plan = draw_plan({.with_speeds = drawn::boolean()});
        const auto files = [&] {
            StringSink sink;
            const Result result = result_of(plan, choice);
            for (const Output& output : outputs())
                output.write(result, {}, sink);
            return sink.text();
        };
        const std::string before = files();
        const std::int64_t rate = plan.pools[0].rate.count();
        const std::int64_t second_ms = drawn::in_range<std::int64_t>(0, 60'000);
        // A price before the begin of the run has no effect.
        plan.pools[0].price_series = static_cast<std::uint16_t>(
            plan.prices.add({{-7, -3, second_ms, second_ms + 5}, {rate + 9, rate, rate, rate}}));
        RC_ASSERT(files() == before);
    }));
}

TEST_CASE("a price that changes shows in every file") {
    // A GPU for 100 s of 150 at 36 USD, from 60 s on at 72: one cent a second, then two.
    Plan plan = plan_of({{0, 100}}, {pool_of(1, 2)});
    plan.until = 150 * second;
    plan.pools[0].price_series = static_cast<std::uint16_t>(
        plan.prices.add({{0, 60'000}, {36'000'000'000, 72'000'000'000}}));
    const Result result = result_of(plan, {"fifo", HeadRule::block, "count"});
    CHECK(File{result, "jobs"}.micro(0, "cost_usd") == 1'400'000);
    CHECK(File{result, "attempts"}.micro(0, "cost_usd") == 1'400'000);
    const File timeline{result, "timeline"};
    REQUIRE(timeline.size() == 3); // its start, its end, and the run's
    const std::int64_t burn[]{72'000'000, 144'000'000, 144'000'000};
    const std::int64_t cumulative[]{0, 2'800'000, 4'800'000};
    for (std::size_t row = 0; row < 3; ++row) {
        CHECK(timeline.micro(row, "burn_usd_per_hour") == burn[row]);
        CHECK(timeline.micro(row, "cumulative_cost_usd") == cumulative[row]);
    }
    StringSink hourly;
    OutputOptions options;
    options.bucket = 100 * second;
    find_output("timeline")->write(result, options, hourly);
    const auto rows = parse_csv(hourly.text());
    REQUIRE(rows.size() == 3);
    CHECK(rows[1][7] == "100.8"); // the mean of 60 s at 72 and of 40 s at 144
    CHECK(rows[2][7] == "144.0");
    CHECK(rows[1][8] == "2.8");
    StringSink json;
    find_output("json")->write(result, {}, json);
    CHECK(json.text().find(R"("usd_per_gpu_hour": 57.6)") != std::string::npos);
    CHECK(json.text().find(R"("usd_per_gpu_hour_min": 36)") != std::string::npos);
    CHECK(json.text().find(R"("usd_per_gpu_hour_max": 72)") != std::string::npos);
    CHECK(json.text().find(R"("rate_nano_usd_per_gpu_hour": null)") != std::string::npos);
}

} // namespace bursar::test::prices_test
