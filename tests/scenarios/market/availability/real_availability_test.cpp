#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "models/market/supply_statistics.hpp"

#include "tests/scenarios/market/availability/read_availability.hpp"
#include "tests/shared_data.hpp"

// The published traces, if the shared data folder is present.
namespace bursar::real_availability_test {

AvailabilityFile read(const std::string& path, AvailabilityOptions options = {}) {
    options.file = path;
    return read_availability(options);
}

/// Node-milliseconds of a list of node starts and ends, added line by line.
std::int64_t sum_of_events(const std::string& path) {
    std::ifstream in{path};
    std::set<std::string> up;
    std::int64_t sum = 0;
    std::int64_t before = 0;
    for (std::string line; std::getline(in, line);) {
        std::istringstream fields{line};
        std::string time;
        std::string word;
        std::string name;
        std::getline(fields, time, ',');
        std::getline(fields, word, ',');
        std::getline(fields, name);
        const std::int64_t now = std::atoll(time.c_str());
        sum += (now - before) * static_cast<std::int64_t>(up.size());
        before = now;
        if (word == "add")
            up.insert(name);
        else
            up.erase(name);
    }
    return sum;
}

TEST_CASE("node-hours of Bamboo's and Parcae's lists equal the sums of the files") {
    for (const char* name : {"data/spot-bamboo/traces/p3-trace.csv",
                             "data/spot-bamboo/traces/g4dn-trace.csv",
                             "data/spot-parcae/p3trace.csv"}) {
        CAPTURE(name);
        const auto path = test::shared_data(name);
        if (!path)
            return;
        const AvailabilityFile file = read(path->string());
        CHECK(file.notes.empty());
        CHECK(file.supply.node_ms() == int128{sum_of_events(path->string())});
        CHECK(file.supply.node_ms() > 0);
    }
}

TEST_CASE("Bamboo's p3 trace: adds, removes and mean nodes agree with its page") {
    const auto path = test::shared_data("data/spot-bamboo/traces/p3-trace.csv");
    if (!path)
        return;
    const AvailabilityFile file = read(path->string());
    const SupplyStatistics facts = statistics_of(file.supply);
    CHECK(facts.mean_nodes == doctest::Approx(24.0).epsilon(0.002));
    CHECK(static_cast<double>(file.supply.length().count()) / 3.6e6 ==
          doctest::Approx(11.37).epsilon(0.001));
    // Parcae's counts of the same market.
    const auto counts = test::shared_data("data/spot-parcae/p3.csv");
    REQUIRE(counts);
    AvailabilityOptions options;
    options.unit = millisecond;
    CHECK(read(counts->string(), options).supply.node_ms() == file.supply.node_ms());
}

TEST_CASE("Parcae's hours have sixty minutes") {
    for (const char* name : {"hh_55_65", "hl_15_25", "lh_80_90", "ll_10_11"}) {
        CAPTURE(name);
        const auto path =
            test::shared_data("data/spot-parcae/bert/trace_" + std::string{name} + ".txt.gz");
        if (!path)
            return;
        CHECK(read(path->string()).supply.end() == hour);
    }
}

TEST_CASE("SkyPilot's traces: ticks, and shares equal a count of the entries") {
    struct Case {
        const char* name;
        double share;
        double length_s;
    };
    for (const Case& c : {Case{"us-east-1a", 0.167, 20158 * 195.0},
                          Case{"us-east-1f", 0.591, 20158 * 195.0},
                          Case{"us-west-2b", 0.905, 20158 * 195.0}}) {
        CAPTURE(c.name);
        const auto path = test::shared_data(
            std::string{"data/spot-skypilot/availability/1-node/aws-02-15-2023/"} + c.name +
            "_v100_1.json.gz");
        if (!path)
            return;
        const AvailabilityFile file = read(path->string());
        CHECK(file.notes.empty());
        CHECK(statistics_of(file.supply).availability == doctest::Approx(c.share).epsilon(0.003));
        CHECK(file.supply.length() == Duration{static_cast<std::int64_t>(c.length_s * 1000)});
    }
}

TEST_CASE("a SkyPilot trace of preemptions has the same polarity; inverted it is warned of") {
    const auto path = test::shared_data(
        "data/spot-skypilot/preemption/1-node/gcp-04-30-2023/us-central1-a_c3-88.json.gz");
    if (!path)
        return;
    CHECK(statistics_of(read(path->string()).supply).availability > 0.99);
    CHECK(read(path->string()).notes.empty());
    AvailabilityOptions options;
    options.inverted = true;
    REQUIRE(read(path->string(), options).notes.size() == 1);
    CHECK(read(path->string(), options).notes[0].path == "polarity");
}

TEST_CASE("Bamboo's files of counts: drawn steps, hours and seconds, dates out of order") {
    const auto folder = test::shared_data("data/spot-bamboo");
    if (!folder)
        return;
    const std::string name =
        "doc_data/aws-spot-instances-g4dn-xlarge-us-east-1d-2020-11-23-1730-to-"
        "2020-11-24-1530";
    AvailabilityOptions in_hours;
    in_hours.unit = hour;
    const auto seconds = statistics_of(read((*folder / (name + ".csv")).string()).supply);
    const auto scaled =
        statistics_of(read((*folder / (name + "_scaled.csv")).string(), in_hours).supply);
    CHECK(seconds.node_hours == doctest::Approx(scaled.node_hours).epsilon(0.001));
    const AvailabilityFile gcp = read((*folder / "traces/gcloud/v100x1-east1c.txt").string());
    CHECK(gcp.dated);
    CHECK(gcp.supply.max_nodes() == 80);
    REQUIRE(gcp.notes.size() == 4);
    CHECK(gcp.notes[0].problem == "times without a zone are taken as UTC");
    CHECK(gcp.notes[1].problem == "times go back at lines 4, 7, 10 and 12 more");
    CHECK(gcp.notes[2].problem == "a third count for one time at line 7");
    CHECK(gcp.notes[3].problem == "no row for 0.3 h before it");
    const AvailabilityFile a100 = read((*folder / "traces/gcloud/a100x1-east1b.txt").string());
    REQUIRE(a100.notes.size() == 2);
    CHECK(a100.notes[1].problem == "no row for 5.0 h before it");
    CHECK_THROWS_AS(
        read((*folder / "doc_data/aws-spot-instances-p2-xlarge-us-east-1a-2020-11-20-1730-to-"
                        "2020-11-21-1104.csv")
                 .string()),
        ScenarioError);
}

TEST_CASE("the logs of 2020: launches agree with their page") {
    const auto aws =
        test::shared_data("data/spot-availability-2020/aws_persistent_2020-03-15.out.gz");
    if (!aws)
        return;
    const SupplyStatistics facts = statistics_of(read(aws->string()).supply);
    CHECK(facts.num_launches == 39);
    CHECK(facts.num_reclaims == 32);
    AvailabilityOptions v100;
    v100.gpu = "v100";
    CHECK(statistics_of(read(aws->string(), v100).supply).num_launches == 4);
    const auto gcp =
        test::shared_data("data/spot-availability-2020/gcp_persistent_2020-03-01.out.gz");
    REQUIRE(gcp);
    const SupplyStatistics google = statistics_of(read(gcp->string()).supply);
    CHECK(google.num_launches == 423);
    CHECK(google.num_reclaims == 417);
}

TEST_CASE("published price files are not read as availability") {
    const auto folder = test::shared_data("data");
    if (!folder)
        return;
    int num_files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{*folder}) {
        const std::string path = entry.path().string();
        if (!entry.is_regular_file() || path.find("prices-") == std::string::npos ||
            path.ends_with(".md") || path.ends_with(".xz"))
            continue;
        CAPTURE(path);
        CHECK_FALSE(holds_availability(path));
        ++num_files;
    }
    CHECK(num_files > 20);
}

} // namespace bursar::real_availability_test
