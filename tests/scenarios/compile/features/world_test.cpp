#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "sim/engine/nodes/ideal_run.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/features.hpp"
#include "scenarios/compile/features/failures.hpp"
#include "scenarios/compile/features/supply.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"
#include "tests/scenarios/scenario/test_names.hpp"
#include "tests/scenarios/traces/temporary_file.hpp"

namespace bursar::world_test {
namespace {

Scenario read(const std::string& keys, const std::string& top = {}) {
    return read_scenario_text("bursar: 1\n"
                              "workload:\n"
                              "  jobs: [{name: a, gpus: 1, duration: 1 h}]\n"
                              "fleet:\n"
                              "  - {pool: a, purchase: spot, gpu: H100, nodes: 4,\n"
                              "     gpus_per_node: 8, price: 1 USD/gpu-h, " +
                                  keys + "}\n" + top,
                              "s.yaml",
                              {},
                              test::known_names(),
                              builtin_catalogue());
}

std::string mistake(const std::string& keys) {
    try {
        read(keys);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

std::size_t num_offline(const std::vector<WorldEvent>& events, StopCause cause) {
    return static_cast<std::size_t>(std::ranges::count_if(events, [&](const WorldEvent& event) {
        return event.is<NodeOffline>() && event.cause() == cause;
    }));
}

} // namespace

TEST_CASE("worlds that are too large are refused before they are drawn") {
    // Each would take gigabytes and minutes.
    for (const char* const keys :
         {"failures: {per_node_day: 24, repair: 1 min}",
          "failures: {racks: {nodes: 8, per_rack_day: 24, repair: 1 min}, repair: 1 min}",
          "maintenance: {every: 2 h, length: 1 h}",
          "availability: {generate: {up: 1 h, down: 1 min, correlation: 0}}",
          "availability: {generate: {up: 1 h, down: 1 h, correlation: 0.5}}"}) {
        CAPTURE(keys);
        Scenario scenario = read(keys);
        scenario.fleet[0].nodes = 500'000;
        try {
            (void)world_events({scenario, {}, 365 * day}, {});
            FAIL("not refused");
        } catch (const ScenarioError& error) {
            CHECK(std::string{error.what()} ==
                  "s.yaml: fleet: nodes come and go more than 20000000 times (as many as can be "
                  "held); give lower rates, or an earlier `until`");
        }
    }
}

TEST_CASE("worlds are as large as was expected") {
    for (const char* const keys :
         {"failures: {per_node_day: 2, repair: 1 h}",
          "maintenance: {every: 5 h, length: 1 h, nodes: 30}",
          "maintenance: {every: 5 h, length: 1 h, drain: 1 h}",
          "availability: {generate: {up: 3 h, down: 1 h, correlation: 0}}"}) {
        CAPTURE(keys);
        Scenario scenario = read(keys);
        scenario.fleet[0].nodes = 100;
        const DrawInput input{scenario, {}, 100 * day};
        double expected = 0;
        for (const Feature& feature : features())
            if (feature.expected_draws != nullptr && feature.has_events(scenario.fleet[0]))
                expected += feature.expected_draws(input, 0);
        const auto drawn = static_cast<double>(world_events(input, {}).size());
        CHECK(drawn == doctest::Approx(expected).epsilon(0.05));
    }
}

TEST_CASE("419 interruptions of nodes in the 54 days of Llama 3, from a scenario") {
    Scenario scenario = read("failures: {like: llama-3, repair: 1 h}");
    scenario.fleet[0].nodes = 2048;
    constexpr int num_seeds = 200;
    double mean = 0;
    for (int seed = 1; seed <= num_seeds; ++seed) {
        scenario.policy.seed = static_cast<std::uint64_t>(seed);
        const auto events = world_events({scenario, {}, 54 * day}, {});
        mean += static_cast<double>(num_offline(events, StopCause::node_failed)) / num_seeds;
    }
    CHECK(std::abs(mean - 419) <= 3);
}

TEST_CASE("a world drawn further begins like the one drawn before") {
    const Scenario scenario = read("failures: {per_node_day: 2, repair: {least: 1 h, mean: 5 h}, "
                                   "racks: {nodes: 2, per_rack_day: 1, repair: 3 h}}, "
                                   "maintenance: {every: 3 d, length: 4 h, nodes: 1}");
    const auto is_before = [](const WorldEvent& event) {
        return event.time_ms < (20 * day).count();
    };
    auto near = world_events({scenario, {}, 20 * day}, {});
    auto far = world_events({scenario, {}, 40 * day}, {});
    CHECK(far.size() > near.size() * 3 / 2);
    std::erase_if(near, [&](const WorldEvent& event) { return !is_before(event); });
    std::erase_if(far, [&](const WorldEvent& event) { return !is_before(event); });
    REQUIRE(near.size() == far.size());
    REQUIRE(near.size() > 100);
    bool same = true;
    for (std::size_t i = 0; i < near.size(); ++i)
        same = same && near[i].time_ms == far[i].time_ms && near[i].number() == far[i].number() &&
               near[i].kind() == far[i].kind() && near[i].cause() == far[i].cause();
    CHECK(same);
    CHECK(num_offline(far, StopCause::maintenance) == 6); // from 3 d on, before 20 d
}

TEST_CASE("a node goes once until it is repaired, even if its rack fails in between") {
    const Scenario scenario = read(
        "failures: {per_node_day: 3, repair: 8 h, racks: {nodes: 4, per_rack_day: 2, repair: 5 "
        "h}}");
    std::vector<bool> is_off(4, false);
    bool in_turn = true;
    for (const WorldEvent& event : world_events({scenario, {}, 100 * day}, {})) {
        const bool goes = event.is<NodeOffline>();
        const std::uint32_t node =
            goes ? event.as<NodeOffline>().node : event.as<NodeOnline>().node;
        in_turn = in_turn && is_off[node] != goes;
        is_off[node] = goes;
    }
    CHECK(in_turn);
}

TEST_CASE("hangs are a share of the failures, noticed after their own detection time") {
    const Scenario scenario = read("failures: {per_gpu_hour: 0.01, repair: 1 h, detect: 2 min, "
                                   "hangs: 0.25, hang_detect: 30 min}");
    const auto events = world_events({scenario, {}, 500 * day}, {});
    const auto hangs = static_cast<double>(num_offline(events, StopCause::hung));
    const auto stops = static_cast<double>(num_offline(events, StopCause::node_failed));
    CHECK(hangs / (hangs + stops) == doctest::Approx(0.25).epsilon(0.05));
    for (const WorldEvent& event : events)
        if (event.is<NodeOffline>())
            CHECK(event.as<NodeOffline>().hold_ms ==
                  (event.cause() == StopCause::hung ? 30 * minute : 2 * minute).count());
}

TEST_CASE("a plan has the world of its scenario, as far as its run may take") {
    const std::string failures = "failures: {per_node_day: 1, repair: 1 h}";
    const auto compiled = [](const Scenario& scenario) {
        return compile(scenario, builtin_catalogue(), test::trace_of({{0, 3600, 1}}));
    };
    CHECK(!compiled(read("region: x")).drawn_until);
    CHECK(compiled(read("region: x")).plan.world.empty());
    CHECK(compiled(read(failures, "until: 9 d\n")).drawn_until == 9 * day);
    const Compiled open = compiled(read(failures));
    CHECK(open.drawn_until >= 2 * hour);
    CHECK(!open.plan.world.empty());
}

TEST_CASE("supply is announced a notice early, and nodes that are not available at 0 are not up") {
    const Scenario scenario = read("availability: {notice: 30 s, reclaim: oldest, "
                                   "generate: {up: 5 h, down: 3 h, correlation: 0.5}}");
    const Plan plan = compile(scenario, builtin_catalogue(), test::trace_of({{0, 3600, 1}})).plan;
    REQUIRE(plan.provisioning.size() == 1);
    CHECK(!plan.provisioning[0].is_fixed);
    CHECK(!plan.provisioning[0].follows_queue);
    CHECK(plan.provisioning[0].min_nodes == 4);
    CHECK(plan.provisioning[0].reclaims == ReclaimOrder::oldest);
    const auto events = world_events({scenario, {}, 200 * day}, {});
    CHECK(plan.provisioning[0].first_nodes == events.front().as<SupplyChange>().num_nodes);
    const SupplySeries supply = supply_of(scenario, 0, {}, 200 * day);
    CHECK(static_cast<double>(supply.node_ms()) / (4 * 200 * 8.64e7) ==
          doctest::Approx(0.625).epsilon(0.15));
    std::uint32_t before = events.front().number();
    bool is_told = true;
    for (const WorldEvent& event : events) {
        const Duration time{event.time_ms};
        REQUIRE(event.is<SupplyChange>());
        const auto change = event.as<SupplyChange>();
        is_told = is_told && change.num_nodes <= 4;
        if (change.num_nodes < before)
            is_told = is_told && change.notice_ms == 30'000 &&
                      supply.at(time + 30 * second) == static_cast<std::int32_t>(change.num_nodes);
        before = change.num_nodes;
    }
    CHECK(is_told);
    CHECK(events.size() > 100);
}

TEST_CASE("a file is read from the date of the jobs, or from the stated time, on") {
    Scenario scenario = read("region: x");
    AvailabilitySpec spec;
    const auto file_of = [](std::vector<SupplyStep> steps, bool dated) {
        return std::make_shared<const AvailabilityFile>(AvailabilityFile{
            SupplySeries{std::move(steps), Duration{100'000}}, "f", "x", 0, dated, {}});
    };
    spec.file = file_of({{10'000, 3}, {50'000, 9}}, true);
    scenario.fleet[0].availability = spec;
    const auto starts = [&](std::optional<std::int64_t> zero) {
        const SupplySeries supply = supply_of(scenario, 0, zero, day);
        return std::vector<SupplyStep>{supply.steps().begin(), supply.steps().end()};
    };
    CHECK(starts(20'000) == std::vector<SupplyStep>{{0, 3}, {30'000, 4}}); // the pool has 4
    CHECK_THROWS_AS((void)starts({}), ScenarioError);
    scenario.fleet[0].availability->from = Duration{15'000};
    CHECK(starts({}) == std::vector<SupplyStep>{{0, 3}, {25'000, 4}});
    CHECK(!supply_warning(scenario, 0, {}, Duration{75'000}));
    CHECK(supply_warning(scenario, 0, {}, Duration{75'001}));
    scenario.fleet[0].availability->from.reset();
    const auto apart = supply_warning(scenario, 0, 3'600'000, hour);
    REQUIRE(apart);
    CHECK(apart->find("f and the run do not overlap") != std::string::npos);
    CHECK(supply_warning(scenario, 0, 0, Duration{20'000}) == std::nullopt); // half of it
    scenario.fleet[0].availability->from = Duration{15'000};
    scenario.fleet[0].availability->all_or_none = true;
    scenario.fleet[0].availability->file = file_of({{0, 1}, {50'000, 0}}, false);
    CHECK(starts({}) == std::vector<SupplyStep>{{0, 4}, {35'000, 0}});
}

TEST_CASE("the unit of a file's times, and the instances of a log, can be chosen") {
    const test::TemporaryFile counts{"0,1\n60000,2\n"};
    const auto file_of = [](const std::string& keys) {
        return read("availability: {" + keys + "}").fleet[0].availability->file;
    };
    CHECK(file_of("file: " + counts.path())->supply.length() == 60'000 * second);
    const auto in_ms = file_of("file: " + counts.path() + ", unit: 1 ms");
    CHECK(in_ms->supply.length() == minute);
    CHECK(in_ms->notes.empty());
    const test::TemporaryFile log{
        "[2020-03-15T10:00:00Z] Created instance a with 8 GPU(s) of type v100 in zone z\n"
        "[2020-03-15T10:00:00Z] Created instance b with 1 GPU(s) of type v100 in zone z\n"
        "[2020-03-15T11:00:00Z] Instance b running in zone z\n"};
    CHECK(file_of("file: " + log.path())->supply.max_nodes() == 2);
    CHECK(file_of("file: " + log.path() + ", gpus: 8")->supply.max_nodes() == 1);
    CHECK(mistake("availability: {generate: {up: 1 h, down: 1 h, unit: 1 ms}}")
              .find("unit: needs `like`") != std::string::npos);
}

TEST_CASE("incomplete availability is a mistake") {
    const std::pair<std::string, std::string> cases[] = {
        {"availability: {notice: 1 s}", "availability: missing: one of file, generate, bid"},
        {"availability: {generate: {up: 1 h}}",
         "availability.generate: has no law; give like, or up and down"},
        {"availability: {generate: {up: 1 h, down: 1 ms, correlation: 0}}",
         "availability.generate.down: is shorter than 1 s"},
        {"availability: {generate: {up: 1 h, down: 1 h, correlation: 0}, from: 1 h}",
         "availability.from: needs `file` (only a file has another begin than the run)"},
    };
    for (const auto& [keys, message] : cases) {
        CAPTURE(keys);
        const std::string told = mistake(keys);
        CHECK(told.substr(std::min(told.size(), told.find("fleet.a.") + 8)) == message);
    }
}

TEST_CASE("launches fail for stretches of time, a share of them, by pool and seed") {
    const std::string keys = "launch_failures: {share: 0.25, stretch: 30 min, retry: 10 s}";
    Scenario scenario =
        read("availability: {generate: {up: 1000 d, down: 1 s, correlation: 0}}, " + keys);
    const auto failing_ms = [&] {
        std::int64_t sum = 0;
        std::int64_t since = -1;
        for (const WorldEvent& event : world_events({scenario, {}, 200 * day}, {})) {
            if (!event.is<LaunchesChange>())
                continue;
            CHECK(event.time_ms % (30 * minute).count() == 0);
            CHECK(event.as<LaunchesChange>().succeed == (since >= 0)); // alternating
            sum += since < 0 ? 0 : event.time_ms - since;
            since = since < 0 ? event.time_ms : -1;
        }
        return sum;
    };
    const std::int64_t sum = failing_ms();
    CHECK(static_cast<double>(sum) / (200 * 8.64e7) == doctest::Approx(0.25).epsilon(0.1));
    CHECK(failing_ms() == sum);
    scenario.policy.seed = 2;
    CHECK(failing_ms() != sum);
    CHECK(is_random(scenario));
    const PlanProvisioning rule =
        compile(scenario, builtin_catalogue(), test::trace_of({{0, 3600, 1}})).plan.provisioning[0];
    CHECK(rule.retry_ms == 10'000);
    CHECK(rule.max_retry_ms == (15 * minute).count());
    CHECK(mistake(keys).find("launch_failures: no node of this pool is launched (they are there "
                             "all the time); write nodes as a range, such as 0..16") !=
          std::string::npos);
}

TEST_CASE("nodes are reclaimed while the price is above the bid") {
    Scenario scenario = read("availability: {bid: 1.5 USD/gpu-h, notice: 10 s}");
    const Trace trace = test::trace_of({{0, 3600, 1}});
    CHECK_THROWS_AS((void)compile(scenario, builtin_catalogue(), trace), ScenarioError);
    Plan plan;
    plan.pools.push_back({.num_nodes = 4, .gpus_per_node = 8, .purchase = Purchase::spot});
    const auto usd = [](double rate) { return static_cast<std::int64_t>(rate * 1e9); };
    plan.pools[0].price_series = static_cast<std::uint16_t>(
        plan.prices.add({{-5'000, 60'000, 70'000, 100'000}, {usd(1), usd(1.6), usd(1.5), usd(2)}}));
    std::vector<std::array<std::int64_t, 3>> steps;
    for (const WorldEvent& event : world_events({scenario, {}, day}, plan))
        steps.push_back({event.time_ms, event.number(), event.span_ms()});
    CHECK(steps == std::vector<std::array<std::int64_t, 3>>{
                       {0, 4, 0}, {50'000, 0, 10'000}, {70'000, 4, 0}, {90'000, 0, 10'000}});
    CHECK(!is_random(scenario));
}

TEST_CASE("nodes close before maintenance, and others are kept as spares") {
    const Scenario scenario = read("maintenance: {first: 1 h, every: 3 d, length: 4 h, nodes: 1, "
                                   "drain: 2 h}, spares: {nodes: 1, takeover: 3 min}");
    std::vector<std::int64_t> closes;
    for (const WorldEvent& event : world_events({scenario, {}, 3 * day}, {}))
        if (event.is<NodeCloses>())
            closes.push_back(event.time_ms / 60'000);
    CHECK(closes == std::vector<std::int64_t>{0, (72 - 1) * 60}); // of 1 h, and of 3 d 1 h
    const Plan plan = compile(scenario, builtin_catalogue(), test::trace_of({{0, 3600, 1}})).plan;
    REQUIRE(plan.provisioning.size() == 1);
    CHECK(plan.provisioning[0].is_fixed);
    CHECK(plan.provisioning[0].spare_nodes == 1);
    CHECK(plan.provisioning[0].takeover_ms == (3 * minute).count());
    CHECK(pools_that_hold(plan, {.gpus = 24}) == 1U); // three nodes of 8 work
    CHECK(pools_that_hold(plan, {.gpus = 25}) == 0U);
    CHECK(mistake("spares: {nodes: 4}").find("spares.nodes: leaves no node to work") !=
          std::string::npos);
    CHECK(mistake("spares: {nodes: 1}").find("spares: needs `failures` or `maintenance`") !=
          std::string::npos);
}

TEST_CASE("quotas limit several pools together, by name or region") {
    const auto quotas = [](const std::string& keys, const std::string& quota) {
        return compile(read(keys, "quotas: [" + quota + "]\n"),
                       builtin_catalogue(),
                       test::trace_of({{0, 3600, 1}}))
            .plan.quotas;
    };
    const std::string launched =
        "availability: {generate: {up: 1 d, down: 1 h, correlation: 0}}, region: x";
    for (const char* quota : {"{pools: a, nodes: 5}", "{region: x, nodes: 5}"}) {
        const auto plan_quotas = quotas(launched, quota);
        REQUIRE(plan_quotas.size() == 1);
        CHECK(plan_quotas[0].pools == 1);
        CHECK(plan_quotas[0].max_nodes == 5);
    }
    CHECK_THROWS_WITH_AS((void)quotas(launched, "{region: y, nodes: 5}"),
                         doctest::Contains("no pool of it launches nodes (in region y)"),
                         ScenarioError);
    CHECK_THROWS_WITH_AS((void)quotas("region: x", "{region: x, nodes: 5}"),
                         doctest::Contains("no pool of it launches nodes"),
                         ScenarioError);
    CHECK_THROWS_WITH_AS((void)quotas(launched, "{region: x, nodes: 3}"),
                         doctest::Contains("its pools have 4 nodes at the begin (at most 3)"),
                         ScenarioError);
    CHECK_THROWS_WITH_AS((void)quotas(launched, "{pools: [a, b], nodes: 3}"),
                         doctest::Contains("no pool is named \"b\""),
                         ScenarioError);
}

TEST_CASE("modelled failures are not listed as not modelled") {
    CHECK(read("region: x").unmodelled.front() == "failures, reclaim, autoscaling");
    CHECK(read("failures: {per_node_day: 1, repair: 1 h}").unmodelled.front() ==
          "reclaim, autoscaling");
    CHECK(read("availability: {generate: {up: 1 h, down: 1 h, correlation: 0}}").unmodelled ==
          std::vector<std::string>{"failures, autoscaling",
                                   "pool a: price changes of spot capacity"});
}

TEST_CASE("without a correlation nodes have the fitted one, which a note says") {
    const auto assumed = [](const std::string& keys) {
        const Scenario scenario = read(keys);
        return supply_notes({scenario, builtin_catalogue()}, {}).assumed;
    };
    const std::vector<std::string> notes =
        assumed("availability: {generate: {up: 5 h, down: 1 h}}");
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].starts_with("pool a: the up-times of two nodes have a correlation of 0.267"));
    CHECK(assumed("availability: {generate: {up: 5 h, down: 1 h, correlation: 0}}").empty());
    CHECK(assumed("availability: {generate: {up: 5 h, down: 1 h, correlation: 0.267}}").empty());
}

TEST_CASE("failures without a rate have the first of the catalogue, and a note says so") {
    const Scenario scenario = read("failures: {repair: 1 h}");
    const std::vector<std::string> assumed =
        failure_notes({scenario, builtin_catalogue()}, {}).assumed;
    CHECK(std::ranges::any_of(assumed, [](const std::string& note) {
        return note.find("failures at the default rates, rsc-1: 6.5 failures per 1000 node-days") !=
               std::string::npos;
    }));
}

TEST_CASE("heavy-tailed repairs and bad nodes of a scenario") {
    const FailureModel model = failure_model(
        *read("failures: {per_node_day: 1, repair: {law: weibull, median: 1 h, mean: 9 h}, detect: "
              "1 h, bad_nodes: {spread: 0.8}}")
             .fleet[0]
             .failures);
    CHECK(model.node_spread == 0.8);
    REQUIRE(model.components.size() == 1);
    CHECK(model.components[0].repair.least == hour);
    CHECK(model.components[0].repair.median == 2 * hour);
    CHECK(model.components[0].repair.mean == 10 * hour);
    CHECK(model.components[0].repair.law == RepairLaw::weibull);
}

TEST_CASE("incomplete failures are mistakes") {
    const std::pair<std::string, std::string> cases[] = {
        {"failures: {like: llama-3, per_node_day: 1, repair: 1 h}",
         "failures.like: cannot be combined with a rate of your own"},
        {"failures: {per_node_day: 1}",
         "failures.repair: missing (from the notice of a failure until the node takes work again)"},
        {"failures: {per_node_day: 1, repair: {least: 2 h, mean: 1 h}}",
         "failures.repair.mean: is below the least"},
        {"failures: {repair: {law: weibull, mean: 1 h}}",
         "failures.repair: has no median; half of the repairs take longer than it"},
        {"failures: {repair: {median: 1 h, mean: 2 h}}",
         "failures.repair: has a median and no heavy-tailed law; add law: lognormal or law: "
         "weibull"},
        {"failures: {repair: {law: lognormal, median: 3 h, mean: 2 h}}",
         "failures.repair.median: is not between the least and the mean (the mean of a heavy tail "
         "is above its median, by at most 1e6 times, and at least 1 s)"},
        {"failures: {repair: {law: weibull, least: 1 h, median: 5 h, mean: 1 h}}",
         "failures.repair.mean: is the least (a heavy tail has times above the least)"},
        {"failures: {per_node_day: 1, repair: 1 h, hang_detect: 1 h}",
         "failures.hang_detect: needs `hangs` (else no failure is a hang)"},
        {"maintenance: {every: 1 h, length: 2 h}", "maintenance.length: is longer than `every`"},
        {"maintenance: {every: 9 h, length: 2 h, drain: 8 h}",
         "maintenance.drain: is longer than from one window to the next (nodes under maintenance "
         "cannot drain)"},
    };
    for (const auto& [keys, message] : cases) {
        CAPTURE(keys);
        const std::string told = mistake(keys);
        CHECK(told.substr(std::min(told.size(), told.find("fleet.a.") + 8)) == message);
    }
}

TEST_CASE("a boot as long as the run is a warning, as is a prediction after its end") {
    const auto warnings = [](const std::string& pool, const std::string& top) {
        Scenario scenario = read_scenario_text("bursar: 1\n"
                                               "workload:\n"
                                               "  trace: {file: jobs.csv}\n"
                                               "fleet:\n"
                                               "  - {pool: a, purchase: spot, gpu: H100,\n"
                                               "     gpus_per_node: 8, price: 1 USD/gpu-h, " +
                                                   pool + "}\n" + top,
                                               "s.yaml",
                                               {},
                                               test::known_names(),
                                               builtin_catalogue());
        const Trace trace = test::trace_of({{0, 3600, 8}, {18'000, 3600, 8}});
        return compile(scenario, builtin_catalogue(), trace).notes.warnings;
    };
    const std::vector<std::string> told{
        "s.yaml:6:63: fleet.a.boot: a boot takes 20 h, so no node that is launched takes work (the "
        "run ends after 5 h)"};
    CHECK(warnings("nodes: 0..4, boot: 20 h", "until: last-submit\n") == told);
    CHECK(warnings("nodes: 0..4, boot: 20 h", "until: 5 h\n") == told);
    CHECK(warnings("nodes: 0..4, boot: 20 h", "until: 20 h\n").size() == 1);
    CHECK(warnings("nodes: 0..4, boot: 20 h", "until: 21 h\n").empty());
    CHECK(warnings("nodes: 0..4, boot: 20 h", "").empty());
    CHECK(
        warnings(
            "nodes: 4, boot: 20 h, availability: {generate: {up: 1 d, down: 1 h, correlation: 0}}",
            "until: 20 h\n")
            .size() == 1);
    CHECK(warnings("nodes: 0..4, provisioning: {predictive: 1}", "until: last-submit\n") ==
          std::vector<std::string>{"s.yaml:5:5: fleet.a.provisioning.predictive: predictions begin "
                                   "after 7 d (the run ends after 5 h)"});
}

} // namespace bursar::world_test
