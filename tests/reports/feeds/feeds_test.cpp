// Files for other tools agree with every other file, for any result and names.

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/errors/report_error.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/decimal.hpp"

#include "tests/contains.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/random_result.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::test::feeds_test {
namespace {

std::string written(const Result& result, std::string_view output) {
    StringSink sink;
    find_output(output)->write(result, {}, sink);
    return sink.text();
}

std::vector<std::string> lines_in(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

/// A number of JSON in millionths; below 2^53 of them the double is exact enough.
std::int64_t micro(const nlohmann::json& number) {
    return std::llround(number.get<double>() * 1e6);
}

} // namespace

TEST_CASE("prometheus: every known scalar has a sample, each metric once") {
    static const std::regex sample{
        R"re(([a-z_][a-z0-9_]*)\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*)\} (-?[0-9.]+(?:e[+-]?[0-9]+)?))re"};
    CHECK(check_property([] {
        const Result result = random_result();
        std::vector<double> values;
        std::set<std::string> metrics;
        std::set<std::string> samples;
        std::string metric;
        for (const std::string& line : lines_in(written(result, "prometheus"))) {
            if (line.starts_with("# HELP ")) {
                metric = line.substr(7, line.find(' ', 7) - 7);
                RC_ASSERT(metrics.insert(metric).second);
                continue;
            }
            if (line.starts_with("# TYPE ")) {
                RC_ASSERT(line == "# TYPE " + metric + " gauge");
                continue;
            }
            std::smatch parts;
            RC_ASSERT(std::regex_match(line, parts, sample));
            RC_ASSERT(parts[1] == metric);
            RC_ASSERT(samples.insert(parts[1].str() + parts[2].str()).second);
            values.push_back(std::stod(parts[3]));
        }
        std::vector<double> expected{1}; // bursar_run_info
        const std::vector<std::optional<double>> scalars = scalar_values(result);
        for (std::size_t i = 0; i < scalars.size(); ++i)
            if (scalars[i]) // hours are seconds there
                expected.push_back(*scalars[i] *
                                   (contains(scalar_table()[i].name, "_hours") ? 3600 : 1));
        RC_ASSERT(values == expected);
    }));
}

TEST_CASE("prometheus: members of a family differ in a label, names follow its rules") {
    const std::string text = written(sample_result(), "prometheus");
    CHECK(contains(text, ",leaf=\"idle.gang\"} "));
    CHECK(contains(text, "bursar_cost_by_purchase{"));
    CHECK(contains(text, "bursar_metrics_wait_seconds{"));
    CHECK(contains(text, ",figure=\"p99\"} "));
    CHECK(contains(text, "# HELP bursar_gpu_seconds_paid "));
    CHECK(contains(text, " (GPU-seconds)\n"));
    CHECK(contains(text, "\nbursar_cost{"));
    for (const std::string& line : lines_in(text))
        if (line.starts_with("# TYPE "))
            CHECK_MESSAGE(!std::regex_search(line, std::regex{"(_total|_s|_hours|_hours_.*) "}),
                          line);
}

TEST_CASE("prometheus: several runs are one file, with every metric in one place") {
    const Result one = sample_result();
    Result two = sample_result();
    two.run.seed = 2;
    const std::vector<const Result*> runs{&one, &two};
    StringSink sink;
    write_prometheus_of(runs, sink);
    const std::string all = sink.text();
    std::vector<std::string> both = lines_in(written(one, "prometheus"));
    for (const std::string& line : lines_in(written(two, "prometheus")))
        if (!line.starts_with("#"))
            both.push_back(line);
    std::vector<std::string> lines = lines_in(all);
    std::map<std::string, std::size_t> ends; // of each metric
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool is_comment = lines[i].starts_with("#");
        const std::size_t begin = is_comment ? 7 : 0;
        const std::string metric =
            lines[i].substr(begin, lines[i].find_first_of(" {", begin) - begin);
        if (ends.contains(metric))
            CHECK(ends[metric] + 1 == i);
        ends[metric] = i;
    }
    std::ranges::sort(lines);
    std::ranges::sort(both);
    CHECK((lines == both));
    two.run.seed = one.run.seed;
    CHECK_THROWS_WITH_AS(write_prometheus_of(runs, sink),
                         "two results are of Two pools, worked out by hand with seed 1, which "
                         "Prometheus could not tell apart; give their scenarios other names",
                         BadResult);
}

TEST_CASE("sreport: every GPU-hour is in one column of one row") {
    CHECK(check_property([] {
        const Result result = random_result();
        const std::vector<std::string> lines = lines_in(written(result, "sreport"));
        RC_ASSERT(lines.size() == result.pools.size() + 5);
        RC_ASSERT(lines[4] == "Cluster|TRES Name|Allocated|Down|PLND Down|Idle|Planned|Reported");
        std::int64_t reported = 0;
        for (std::size_t i = 5; i < lines.size(); ++i) {
            std::vector<std::int64_t> numbers;
            std::istringstream in{lines[i]};
            std::string field;
            std::getline(in, field, '|');
            std::getline(in, field, '|');
            while (std::getline(in, field, '|'))
                numbers.push_back(std::llround(std::stod(field) * 1e6));
            RC_ASSERT(numbers.size() == 6U);
            RC_ASSERT(numbers[5] == numbers[0] + numbers[1] + numbers[2] + numbers[3] + numbers[4]);
            reported += numbers[5];
        }
        RC_ASSERT(reported == static_cast<std::int64_t>(print_bill(result).paid_hours));
    }));
}

TEST_CASE("opencost: workloads, cluster idle and overhead add up to the total") {
    CHECK(check_property([] {
        Result result = random_result();
        for (std::size_t i = 0; i < result.tenants.size(); ++i)
            result.tenants[i] += std::to_string(i); // names of a run are unique
        const PrintedBill bill = print_bill(result);
        const auto json = nlohmann::json::parse(written(result, "opencost"));
        std::int64_t total = 0;
        std::int64_t hours = 0;
        std::int64_t stalled = 0;
        for (const auto& [name, allocation] : json["data"][0].items()) {
            RC_ASSERT(allocation["name"] == name);
            RC_ASSERT(allocation["properties"]["namespace"] == name);
            RC_ASSERT(micro(allocation["totalCost"]) ==
                      micro(allocation["gpuCost"]) + micro(allocation["externalCost"]));
            RC_ASSERT(allocation["start"].get<std::string>().ends_with('Z'));
            RC_ASSERT(std::abs(allocation["gpuCount"].get<double>() *
                                   allocation["minutes"].get<double>() / 60 -
                               allocation["gpuHours"].get<double>()) < 1);
            RC_ASSERT(name != no_tenant_name);
            total += micro(allocation["totalCost"]);
            hours += micro(allocation["gpuHours"]);
            stalled += micro(allocation["gpuCostIdle"]);
        }
        int128 stalled_usd = 0;
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
            if (group_of(static_cast<Leaf>(leaf)) == LeafGroup::stalled)
                stalled_usd += bill.leaf_usd[leaf];
        RC_ASSERT(total == static_cast<std::int64_t>(bill.total_usd));
        RC_ASSERT(hours == static_cast<std::int64_t>(bill.paid_hours));
        RC_ASSERT(stalled == static_cast<std::int64_t>(stalled_usd));
        const auto& idle = json["data"][0][std::string{idle_row_name}];
        RC_ASSERT(micro(idle["gpuHours"]) ==
                  static_cast<std::int64_t>(bill.hours_in(LeafGroup::idle)));
    }));
}

TEST_CASE("goodput: productive time and badput add up to the time held by jobs") {
    CHECK(check_property([] {
        const Result result = random_result();
        const PrintedBill bill = print_bill(result);
        const auto json = nlohmann::json::parse(written(result, "goodput"));
        std::int64_t hours = micro(json["productive"]["gpu_hours"]);
        std::int64_t cost = micro(json["productive"]["cost"]);
        std::int64_t percent = json["goodput"].is_null() ? 100'000'000 : micro(json["goodput"]);
        for (const auto& [type, badput] : json["badput"].items()) {
            hours += micro(badput["gpu_hours"]);
            cost += micro(badput["cost"]);
            percent += badput["percent"].is_null() ? 0 : micro(badput["percent"]);
        }
        RC_ASSERT(hours == micro(json["total"]["gpu_hours"]));
        RC_ASSERT(cost == micro(json["total"]["cost"]));
        RC_ASSERT(percent == 100'000'000);
        const int128 held = bill.paid_hours - bill.hours_in(LeafGroup::idle) -
                            bill.hours_in(LeafGroup::unavailable);
        RC_ASSERT(micro(json["total"]["gpu_hours"]) == static_cast<std::int64_t>(held));
    }));
}

TEST_CASE("feeds are written only if requested") {
    const std::vector<const Output*> usual = usual_outputs();
    for (const char* name : {"focus", "prometheus", "sreport", "opencost", "goodput"}) {
        const Output* output = find_output(name);
        REQUIRE(output != nullptr);
        CHECK(output->is_extra);
        CHECK(std::ranges::find(usual, output) == usual.end());
    }
    const auto num_extra = std::ranges::count_if(outputs(), &Output::is_extra);
    CHECK(usual.size() + static_cast<std::size_t>(num_extra) == outputs().size());
}

} // namespace bursar::test::feeds_test
