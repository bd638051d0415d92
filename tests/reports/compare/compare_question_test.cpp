// Options of a comparison: its metrics, a line per variant, a goal.

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/compare/compare_formats.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/display_width.hpp"

namespace bursar::compare_question_test {
namespace {

struct Row {
    std::string label;
    double cost;
    double wait_s;
    double unfinished{};
};

/// Without randomness.
Comparison comparison_of(const std::vector<Row>& rows) {
    Comparison comparison;
    comparison.scenario_name = "Nodes";
    comparison.end = 30 * day;
    for (const Row& row : rows) {
        ComparedVariant& variant = comparison.variants.emplace_back();
        variant.label = row.label;
        variant.caveats.assumed = {"no startup time declared"};
        variant.caveats.warnings = {"3 rows left out"};
        variant.runs = {{{"cost.total", row.cost},
                         {"cost.paid", row.cost},
                         {"gpu_hours.paid", 100 * row.cost},
                         {"ratios.goodput", 0.5},
                         {"metrics.jobs_censored", row.unfinished},
                         {"metrics.wait_s.mean", row.wait_s / 2},
                         {"metrics.wait_s.p90", row.wait_s * 0.9},
                         {"metrics.wait_s.p99", row.wait_s},
                         {"metrics.wait_at_least_s.mean", row.wait_s},
                         {"metrics.wait_at_least_s.p99", row.wait_s * 3}}};
    }
    work_out(comparison);
    return comparison;
}

Comparison nodes() {
    return comparison_of(
        {{"90", 900, 60}, {"60", 600, 36000}, {"80", 800, 1800}, {"70", 700, 7200}});
}

std::string
shown(const Comparison& comparison, const CompareQuestion& question, std::size_t width = 100) {
    StringSink sink;
    write_compare_table(comparison, question, width, sink);
    return sink.text();
}

std::string
rendered(const Comparison& comparison, const CompareQuestion& question, std::string_view format) {
    for (const CompareOutput& output : compare_outputs()) {
        if (output.name != format)
            continue;
        StringSink sink;
        output.write(comparison, question, 100, sink);
        return sink.text();
    }
    return {};
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Goal goal_of(std::string_view text) {
    ConditionMistake mistake;
    const auto goal = parse_goal(text, mistake);
    REQUIRE(goal);
    return *goal;
}

} // namespace

TEST_CASE("a comparison shows the requested metrics, in their order, in every format") {
    const Comparison comparison = nodes();
    const CompareQuestion asked{.metrics = {find_metric("wait.p90"),
                                            find_metric("cost.paid"),
                                            find_metric("ratios.goodput")}};
    const std::string table = shown(comparison, asked);
    CHECK(has(table, "wait.p90"));
    CHECK(has(table, "cost.paid, USD"));
    CHECK(has(table, "goodput")); // equal for all, but requested
    CHECK(!has(table, "equal for all"));
    CHECK(!has(table, "mean wait"));
    CHECK(table.find("p90") < table.find("paid, USD"));
    const auto json = nlohmann::json::parse(rendered(comparison, asked, "json"));
    CHECK(json["variants"][1]["metrics"].size() == 3);
    CHECK(json["variants"][1]["metrics"]["metrics.wait_s.p90"]["mean"] == 32400);
    std::istringstream csv{rendered(comparison, asked, "csv")};
    std::vector<std::string> lines;
    for (std::string line; std::getline(csv, line);)
        lines.push_back(line);
    REQUIRE(lines.size() == 1 + 4 * 3);
    CHECK(lines[1].starts_with("90,metrics.wait_s.p90,s,1,54,"));
    CHECK(lines[2].starts_with("90,cost.paid,USD,1,900,"));
    CHECK(has(rendered(comparison, asked, "markdown"), "| wait.p90 | cost.paid, USD | goodput |"));
}

TEST_CASE("in brief a comparison has a line per variant, with the differences to the base") {
    const std::string table = shown(nodes(), {.detail = CompareDetail::brief});
    CHECK(has(table, "  90       900.00               30 s               60 s\n"));
    CHECK(has(table, "  60       600.00  -300.00 +     5 h     +5 h -    10 h     +10 h -\n"));
    CHECK(has(table, "base: 90"));
    CHECK(has(table, "warning: 3 rows left out"));
    CHECK(!has(table, "no startup time"));
    CHECK(!has(table, "(base: 90)")); // no variant has a separate table
    const std::string of_metrics =
        shown(nodes(), {.metrics = {find_metric("wait.p90")}, .detail = CompareDetail::brief});
    CHECK(has(of_metrics, "  80        27 min   +26 min -\n"));
    CHECK(has(rendered(nodes(), {.detail = CompareDetail::brief}, "markdown"),
              "| 80 | 800.00 | -100.00 + |"));
    const auto json =
        nlohmann::json::parse(rendered(nodes(), {.detail = CompareDetail::brief}, "json"));
    CHECK(json["variants"][0]["metrics"].contains("metrics.wait_s.p90"));
}

TEST_CASE("in brief, waits count unfinished jobs if there are any, and equal metrics are listed") {
    const std::string table = shown(comparison_of({{"a", 900, 60, 1}, {"b", 900, 120, 0}}),
                                    {.detail = CompareDetail::brief});
    CHECK(has(table, "at least"));
    CHECK(has(table, "3 min"));
    CHECK(has(table, "equal for all: total cost, USD: 900.00"));
    CHECK(has(shown(comparison_of({{"a", 900, 60, 0}, {"b", 900, 60, 0}}),
                    {.detail = CompareDetail::brief}),
              "equal for all: total cost, USD: 900.00; mean wait: 30 s; p99 wait: 60 s"));
}

TEST_CASE("in brief, withheld verdicts have a reason, and figures stay beside their difference") {
    Comparison comparison = nodes();
    for (ComparedVariant& variant : comparison.variants)
        variant.finished = {{.finished = 1, .unfinished = 0, .hash = 5}};
    comparison.variants[1].finished[0].hash = 6;
    comparison.variants[1].label = "a label of twenty chars";
    work_out(comparison);
    const std::string table = shown(comparison, {.detail = CompareDetail::brief});
    CHECK(has(table, "? withheld; base: 90"));
    CHECK(has(table, "are withheld (?) for a label of twenty chars"));
    CHECK(!has(shown(nodes(), {.detail = CompareDetail::brief}), "withheld"));
    std::istringstream narrow{shown(comparison, {.detail = CompareDetail::brief}, 60)};
    std::size_t parts = 0;
    for (std::string line; std::getline(narrow, line);) {
        CAPTURE(line);
        CHECK(display_width(line) <= 60);
        const bool is_header = has(line, "vs base");
        parts += is_header ? 1 : 0;
        CHECK((!is_header || line.find_first_not_of(' ') < line.find("vs base")));
    }
    CHECK(parts == 2);
}

TEST_CASE("a goal names the cheapest variant that meets it, for any order of the variants") {
    const CompareQuestion question{.goal = goal_of("wait.p99 < 1 h")};
    const std::string table = shown(nodes(), question);
    CHECK(has(table, "goal: wait.p99 < 1 h\n  the best option that meets it             80\n"));
    CHECK(has(table, "  the next cheaper option, which misses it  70\n"));
    const auto json = nlohmann::json::parse(rendered(nodes(), question, "json"));
    CHECK(json["goal"]["text"] == "wait.p99 < 1 h");
    CHECK(json["goal"]["met"] == "80");
    CHECK(json["goal"]["met_value"] == 1800);
    CHECK(json["goal"]["met_cost.total"] == 800);
    CHECK(json["goal"]["missed"] == "70");
    CHECK(has(rendered(nodes(), question, "markdown"), "- the best option that meets it: 80\n"));
    const CompareQuestion too_much{.goal = goal_of("wait.p99 < 1 s")};
    CHECK(has(shown(nodes(), too_much), "the best option that meets it     none\n"));
    CHECK(!nlohmann::json::parse(rendered(nodes(), {}, "json")).contains("goal"));
}

} // namespace bursar::compare_question_test
