#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/compile/features.hpp"
#include "scenarios/compile/features/failures.hpp"
#include "scenarios/faults/fault_log.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"
#include "tests/scenarios/traces/temporary_file.hpp"
#include "tests/shared_data.hpp"

namespace bursar::fault_log_test {
namespace {

constexpr std::string_view three_rows = "kind,node,start,end\n"
                                        "GPU,b,7200,10800\n"
                                        "NIC,a,100,200\n"
                                        "fan,b,9000,14400\n"
                                        "GPU,a,5000,\n"
                                        "GPU,c,20000,20000\n";

std::string mistake(const std::string& text) {
    try {
        (void)read_fault_log_text(text, "faults.csv");
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return "accepted";
}

Scenario read(const std::string& failures, int nodes) {
    return read_scenario_text("bursar: 1\n"
                              "workload:\n"
                              "  jobs: [{name: a, gpus: 1, duration: 1 h}]\n"
                              "fleet:\n"
                              "  - {pool: a, purchase: owned, gpu: H100, gpus_per_node: 8,\n"
                              "     price: 1 USD/gpu-h, nodes: " +
                                  std::to_string(nodes) + ", failures: {" + failures + "}}\n",
                              "s.yaml",
                              {},
                              test::known_names(),
                              builtin_catalogue());
}

} // namespace

TEST_CASE("a table of faults: any order of rows, overlapping ones merged, open ones to the end") {
    const FaultLog log = read_fault_log_text(three_rows, "faults.csv");
    CHECK(log.nodes == std::vector<std::string>{"a", "b", "c"});
    CHECK(log.kinds == std::vector<std::string>{"NIC", "GPU", "fan"});
    CHECK(log.num_merged == 1);
    CHECK(log.num_open == 1);
    CHECK(log.length_ms == 20'000'000);
    CHECK(!log.begin_utc_ms);
    CHECK(log.faults == std::vector<LoggedFault>{{0, 0, 100'000, 200'000},
                                                 {0, 1, 5'000'000, 20'000'000},
                                                 {1, 1, 7'200'000, 14'400'000},
                                                 {2, 1, 20'000'000, 20'000'000}});
    const FaultLog dated = read_fault_log_text(
        "node,start,end\nn1,2024-03-30T08:00Z,2024-03-30T09:00Z\nn2,2024-03-31,2024-04-01\n", "d");
    CHECK(dated.begin_utc_ms);
    CHECK(dated.faults.front().begin_ms == 0);
    CHECK(dated.faults.back().begin_ms == 16 * 3'600'000);
    CHECK(dated.notes.size() == 1); // a time without a zone
}

TEST_CASE("events of InfiniteHBD pair by node and type") {
    const auto event = [](const char* node, const char* time, const char* type, const char* what) {
        return std::string{"{\"node_id\": \""} + node + "\", \"event_time\": " + time +
               ", \"event_type\": \"" + type +
               "\", \"fault_type\": {\"Level\": \"Hardware Failure\", \"Class\": \"" + what +
               "\", \"Desc\": \"x\"}}";
    };
    const FaultLog log = read_fault_log_text("[" + event("n", "1.5", "fault_start", "GPU") + "," +
                                                 event("n", "1.75", "fault_start", "NIC") + "," +
                                                 event("n", "2", "fault_end", "NIC") + "," +
                                                 event("n", "3", "fault_end", "GPU") + "]",
                                             "t.json");
    CHECK(log.faults == std::vector<LoggedFault>{{0, 0, 129'600'000, 259'200'000}});
    CHECK(log.kinds.front() == "Hardware Failure, GPU");
    CHECK(log.num_merged == 1);
    CHECK(mistake("[" + event("n", "1", "fault_end", "GPU") + "]")
              .find("a fault ends that did not start") != std::string::npos);
}

TEST_CASE("bad logs are refused by line") {
    CHECK(mistake("node,start,end\na,5,4\n") ==
          "faults.csv:2:3: end: a fault ends before it starts");
    CHECK(mistake("node,start,end\na,x,4\n").find("\"x\" is not a time") != std::string::npos);
    CHECK(mistake("node,start,end\n,1,4\n").find("the fault has no node") != std::string::npos);
    CHECK(mistake("node,start,end\na,1,2024-01-01\n").find("dates and seconds") !=
          std::string::npos);
    CHECK(mistake("node,start,end\n").find("has no fault") != std::string::npos);
    CHECK(mistake("node,begin,end\na,1,2\n").find("start") != std::string::npos);
}

TEST_CASE("the InfiniteHBD trace as its page counts it") {
    const auto path = test::shared_data("data/failures-infinitehbd/fault_trace.json.gz");
    if (!path)
        return;
    const FaultLog log = read_fault_log(path->string());
    CHECK(log.nodes.size() == 231);
    CHECK(log.faults.size() == 582); // 584, of which two overlap another one
    CHECK(log.num_merged == 2);
    CHECK(log.num_open == 0);
    double days = 0;
    for (const LoggedFault& fault : log.faults)
        days += static_cast<double>(fault.end_ms - fault.begin_ms) / 86'400'000;
    CHECK(days == doctest::Approx(3231.3).epsilon(1e-4));
}

TEST_CASE("a replayed log: every node of the pool has the faults of one node of the log") {
    const test::TemporaryFile file{std::string{three_rows}};
    const std::string keys = "file: " + file.path() + ", detect: 1 min";
    const Scenario scenario = read(keys + ", nodes: 6", 6);
    CHECK(drawn_by_seed(scenario).empty());
    const std::vector<WorldEvent> events = world_events({scenario, {}, 2 * day}, {});
    REQUIRE(events.size() == 8);
    CHECK(events[0].time_ms == 100'000);
    CHECK(events[0].is<NodeOffline>());
    CHECK(events[1].time_ms == 200'000);
    CHECK(events[0].number() == events[1].number());
    CHECK(events.back().time_ms == 20'000'001); // a fault lasts at least 1 ms
    CHECK(!fault_log_warning(scenario.fleet[0], Duration{20'000'000}));
    CHECK(fault_log_warning(scenario.fleet[0], day)->find("ends after 0.2315 of 1 d") !=
          std::string::npos);
    // A run that begins within a fault begins with that node down.
    const Scenario later = read(keys + ", from: 1.5 h", 3);
    const std::vector<WorldEvent> rest = world_events({later, {}, 2 * day}, {});
    REQUIRE(rest.size() == 6);
    CHECK(rest[0].time_ms == 0);
    CHECK_THROWS_WITH_AS((void)read(keys + ", nodes: 6", 7),
                         doctest::Contains("the log covers 6 nodes, the pool has 7"),
                         ScenarioError);
    CHECK_THROWS_WITH_AS((void)read(keys + ", nodes: 2", 2),
                         doctest::Contains("the log names 3 nodes"),
                         ScenarioError);
    CHECK_THROWS_WITH_AS((void)read(keys + ", repair: 1 h", 2),
                         doctest::Contains("cannot be combined with `file`"),
                         ScenarioError);
    CHECK_THROWS_WITH_AS((void)read("per_node_day: 1, repair: 1 h, nodes: 3", 2),
                         doctest::Contains("needs `file`"),
                         ScenarioError);
}

} // namespace bursar::fault_log_test
