#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/places.hpp"
#include "tests/shared_data.hpp"
#include "tests/tools/program.hpp"
#include "tests/tools/simulate/small_scenario.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar::test::priced_run_test {
namespace {

/// The pool of two_jobs(), on demand at the prices of a file.
ScenarioSource two_priced_jobs(const std::string& price) {
    ScenarioSource source = two_jobs();
    source.overrides = {{"fleet.p.purchase", "spot"}, {"fleet.p.price", price}};
    return source;
}

Money cost_of(const Result& result) {
    Money cost{};
    for (const ResultCell& cell : result.cells)
        cost += cell.cost;
    return cost;
}

/// A whole node of 8 GPUs at `cents` per GPU-hour.
Money of_node(std::int64_t cents, Duration span) {
    return MoneyRate{cents * 10'000'000} * slot_time(std::int64_t{8} * slots_per_gpu, span);
}

bool says(const std::vector<std::string>& texts, std::string_view text) {
    return std::ranges::find(texts, text) != texts.end();
}

} // namespace

TEST_CASE("a bill along three steps of a price file, by hand") {
    // A node costs 8, 16 and 4 USD an hour; two jobs keep it for two hours.
    const TemporaryFolder folder;
    const std::string file = folder.write("p.csv", "time,price\n0,8\n3600,16\n5400,4\n6000,4\n");
    const Result result =
        run_scenario(load_scenario(two_priced_jobs("{file: " + file + ", per: node}")));
    CHECK(result.end == 2 * hour);
    CHECK(cost_of(result) ==
          of_node(100, hour) + of_node(200, 30 * minute) + of_node(50, 30 * minute));
    REQUIRE(result.run.price_basis.size() == 1);
    CHECK(result.run.price_basis[0].find("the price of p.csv (") == 0);
    CHECK(result.run.price_basis[0].ends_with("), hour 0 to hour 1.66667"));
    CHECK(says(result.run.assumed, "pool p: p.csv begins to count time with the run"));
    CHECK(says(result.run.assumed,
               "pool p: p.csv ends hour 1.66667, before the run does: from then on its last price "
               "is taken"));
    CHECK(says(result.run.unmodelled, "pool p: nodes are up and paid for the whole run"));
    CHECK_FALSE(says(result.run.unmodelled, "pool p: price changes of spot capacity"));
}

TEST_CASE("a price in a file costs as much as the same price as a rate") {
    const TemporaryFolder folder;
    const std::string file = folder.write("p.csv", "time,price\n0,0.95\n");
    const Result by_file =
        run_scenario(load_scenario(two_priced_jobs("{file: " + file + ", per: gpu}")));
    const Result by_rate = run_scenario(load_scenario(two_priced_jobs("0.95 USD/gpu-h")));
    CHECK(by_file.cells == by_rate.cells);
    CHECK(by_file.fingerprint == by_rate.fingerprint);
}

TEST_CASE("drawn prices are the same under any policy, and last as long as the run") {
    ScenarioSource source = two_priced_jobs(
        "{generate: {family: regime-switching, cheap: {floor: 1 USD/gpu-h, stay: 20 min}, dear: "
        "{floor: 2 USD/gpu-h, ceiling: 3 USD/gpu-h, stay: 10 min, every: 2 min}}}");
    const Result first = run_scenario(load_scenario(source));
    source.overrides.push_back({"policy.queue", "sjf"});
    const Result other = run_scenario(load_scenario(source));
    REQUIRE(first.pools[0].price.varies());
    CHECK(first.pools[0].price == other.pools[0].price);
    CHECK(cost_of(first) == first.pools[0].cost_between(Duration{}, first.end));
    CHECK(first.run.price_basis[0] == "drawn by the seed: regime-switching");
    CHECK(says(first.run.assumed,
               "pool p: prices are drawn by the seed, whatever happens in the run: "
               "regime-switching"));
    CHECK(run_scenario(load_scenario(source), {.seed = 2}).pools[0].price != first.pools[0].price);

    // A known end draws the same prices as an unknown one.
    source.overrides.push_back({"until", std::to_string(first.end.count()) + " ms"});
    CHECK(run_scenario(load_scenario(source)).pools[0].price == first.pools[0].price);
}

TEST_CASE("prices are drawn further if a run takes longer than expected") {
    // Both jobs take 8 GPUs of the only node: 60 jobs one after another outlast the first draw.
    const TemporaryFolder folder;
    std::string jobs = "submit,duration,gpus\n";
    for (int i = 0; i < 60; ++i)
        jobs += "0,7200,8\n";
    folder.write("jobs.csv", jobs);
    const std::string file =
        folder.write("s.yaml",
                     "bursar: 1\n"
                     "workload: {trace: {file: jobs.csv, format: csv}}\n"
                     "fleet:\n"
                     "  - pool: spot\n"
                     "    purchase: spot\n"
                     "    gpu: V100-SXM2-16GB\n"
                     "    nodes: 1\n"
                     "    gpus_per_node: 8\n"
                     "    price: {generate: {family: mean-reverting, mean: 1 USD/gpu-h, floor: 0.5 "
                     "USD/gpu-h, ceiling: 2 USD/gpu-h, every: 1 h, swing: 0.2, memory: 1 d}}\n");
    const Result result = run_scenario(load_scenario({.file = file}));
    CHECK(result.end == 120 * hour);
    CHECK(result.pools[0].price.series().start_ms.back() > (110 * hour).count());
    CHECK(cost_of(result) == result.pools[0].cost_between(Duration{}, result.end));
}

TEST_CASE("prices reclaim nodes for as long as a run lasts") {
    // One node that is up while the price is at most its mean. Prices of a run with a known end are
    // drawn at once, those of another one further and further.
    const TemporaryFolder folder;
    std::string jobs = "submit,duration,gpus\n";
    for (int i = 0; i < 60; ++i)
        jobs += "0,7200,8\n";
    folder.write("jobs.csv", jobs);
    ScenarioSource source{
        .file = folder.write("s.yaml",
                             "bursar: 1\n"
                             "workload: {trace: {file: jobs.csv, format: csv}}\n"
                             "fleet:\n"
                             "  - pool: spot\n"
                             "    purchase: spot\n"
                             "    gpu: V100-SXM2-16GB\n"
                             "    nodes: 1\n"
                             "    gpus_per_node: 8\n"
                             "    availability: {bid: 1 USD/gpu-h}\n"
                             "    price: {generate: {family: mean-reverting, mean: 1 USD/gpu-h, "
                             "floor: 0.5 USD/gpu-h, ceiling: 2 USD/gpu-h, every: 1 h, swing: 0.2, "
                             "memory: 1 d}}\n")};
    const Result further = run_scenario(load_scenario(source));
    source.overrides = {{"until", "2000 h"}};
    const Result at_once = run_scenario(load_scenario(source));
    CHECK(further.num_finished == 60);
    CHECK(further.jobs.finish_ms == at_once.jobs.finish_ms);
}

TEST_CASE("an upfront payment is in the bill as a whole, or as the run's share") {
    ScenarioSource source = two_jobs(); // one node for two hours
    source.overrides = {{"fleet.p.purchase", "reserved"},
                        {"fleet.p.price", "0.5 USD/gpu-h"},
                        {"fleet.p.upfront", "40 USD/node"}};
    source.overrides.push_back({"fleet.p.term", "10 h"}); // 0.5 USD per GPU-hour of it
    const Result whole = run_scenario(load_scenario(source));
    CHECK(cost_of(whole) == of_node(100, 10 * hour));
    CHECK(std::ranges::any_of(whole.run.warnings, [](const std::string& text) {
        return text.find("64.00 USD") != std::string::npos; // 8 h of the term beyond the run
    }));
    source.overrides.back() = {"fleet.p.term", "{length: 10 h, paid: amortised}"};
    CHECK(cost_of(run_scenario(load_scenario(source))) == of_node(100, 2 * hour));
}

TEST_CASE("a commitment costs the amount that its pools stay below it") {
    ScenarioSource source = two_jobs(); // 16 USD in two hours
    source.overrides = {{"fleet.p.purchase", "on_demand"},
                        {"commitments", "[{name: c, spend: 10 USD/h, pools: p}]"}};
    const Result short_of = run_scenario(load_scenario(source));
    REQUIRE(short_of.run.other_costs.size() == 1);
    CHECK(short_of.run.other_costs[0] == OtherCost{"unused commitment c", of_node(25, 2 * hour)});
    CHECK(cost_of(short_of) == of_node(100, 2 * hour));
    source.overrides.back() = {"commitments", "[{name: c, spend: 8 USD/h, pools: p}]"};
    CHECK(run_scenario(load_scenario(source)).run.other_costs[0].cost == Money{});
}

TEST_CASE("a discount counts the time for which nodes were paid") {
    ScenarioSource source = two_jobs(); // 8 GPUs for two hours
    source.overrides = {{"fleet.p.purchase", "on_demand"},
                        {"fleet.p.discount", "{volume: [{from: 4 gpu-h, share: 0.5}]}"}};
    const Result by_volume = run_scenario(load_scenario(source));
    CHECK(cost_of(by_volume) == of_node(100, 30 * minute) + of_node(50, 90 * minute));
    source.overrides = {{"fleet.p.purchase", "on_demand"},
                        {"workload.jobs.b.submit", "800 h"},
                        {"fleet.p.discount", "{sustained_use: [1, 0.8, 0.6, 0.4]}"}};
    const Result sustained = run_scenario(load_scenario(source));
    CHECK(sustained.end == 801 * hour);
    CHECK(cost_of(sustained) == of_node(70, 730 * hour) + of_node(100, 71 * hour));
}

TEST_CASE("a run on a published day costs the sum of that day's prices") {
    // p3.2xlarge in us-east-1b on 2019-12-23: five prices.
    const auto path = shared_data("data/spot-prices-aws-2020/us-east-1/p3.2xlarge.json.gz");
    if (!path)
        return;
    const TemporaryFolder folder;
    folder.write("jobs.csv", "submit,duration,gpus\n0,86400,1\n");
    const std::string scenario =
        folder.write("s.yaml",
                     "bursar: 1\n"
                     "workload:\n"
                     "  trace: {file: jobs.csv, format: csv, start: 2019-12-23}\n"
                     "fleet:\n"
                     "  - pool: spot\n"
                     "    purchase: spot\n"
                     "    gpu: V100-SXM2-16GB\n"
                     "    nodes: 1\n"
                     "    gpus_per_node: 1\n"
                     "    price: {file: p3.json.gz, zone: us-east-1b}\n");
    std::filesystem::copy_file(*path, folder.file("p3.json.gz"));
    const Result result = run_scenario(load_scenario({.file = scenario}));
    const auto at = [](std::int64_t hours, std::int64_t minutes, std::int64_t seconds) {
        return hours * hour + minutes * minute + seconds * second;
    };
    const auto gpu = [](std::int64_t micro_usd, Duration begin, Duration end) {
        return MoneyRate{micro_usd * 1000} * slot_time(slots_per_gpu, end - begin);
    };
    CHECK(cost_of(result) == gpu(940'000, at(0, 0, 0), at(3, 8, 21)) +
                                 gpu(935'500, at(3, 8, 21), at(9, 34, 32)) +
                                 gpu(936'700, at(9, 34, 32), at(16, 7, 42)) +
                                 gpu(935'600, at(16, 7, 42), at(23, 6, 18)) +
                                 gpu(935'100, at(23, 6, 18), at(24, 0, 0)));
    CHECK(result.run.price_basis[0].ends_with("2019-12-22 21:33:11Z to 2020-02-20 22:06:16Z"));
}

TEST_CASE("spot capacity at half the price costs half if it is not reclaimed") {
    const auto cost_at = [](const std::string& purchase, const std::string& price) {
        ScenarioSource source = synthetic();
        source.overrides = {{"fleet.p.purchase", purchase},
                            {"fleet.p.price", price},
                            {"fleet.p.nodes", "0..8"},
                            {"fleet.p.boot", "4 min"}};
        return cost_of(run_scenario(load_scenario(source)));
    };
    const Money half = cost_at("spot", "0.618033989 USD/gpu-h");
    CHECK(half + half == cost_at("on_demand", "1.236067978 USD/gpu-h"));
}

TEST_CASE("the examples of spot capacity run at prices like those of p3.2xlarge in us-east-1b") {
    const auto path = shared_data("data/spot-prices-aws-2020/us-east-1/p3.2xlarge.json.gz");
    if (!path)
        return;
    const std::string price = "{generate: {like: " + path->string() + ", zone: us-east-1b}}";
    for (const auto& [file, pool] :
         {std::pair{"spot.yaml", "cloud"}, std::pair{"reserved-mix.yaml", "spot"}}) {
        CAPTURE(file);
        const std::string keys = std::string{"fleet."} + pool;
        const Result result = run_scenario(
            load_scenario({.file = source_file(std::string{"scenarios/examples/"} + file),
                           .overrides = {{"workload.synthetic.jobs", "200"},
                                         {keys + ".gpus_per_node", "1"},
                                         {keys + ".nodes", "0..128"},
                                         {keys + ".price", price}}}));
        const std::size_t p = result.pools.size() - 1;
        CHECK(result.run.price_basis[p].find("like p3.2xlarge us-east-1b") != std::string::npos);
        REQUIRE(result.pools[p].price.varies());
        const PriceRange range = result.pools[p].price.range({}, result.end);
        CHECK(range.min >= MoneyRate{900'000'000}); // the file's lowest is 0.918
        CHECK(range.max <= MoneyRate{3'060'000'000});
        CHECK(std::ranges::any_of(result.run.assumed, [](const std::string& text) {
            return text.find("it meets within") != std::string::npos;
        }));
    }
}

} // namespace bursar::test::priced_run_test
