#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/goal/goal.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar::goal_test {
namespace {

Goal goal_of(const std::string& text) {
    ConditionMistake mistake;
    auto goal = parse_goal(text, mistake);
    REQUIRE(goal);
    return *goal;
}

std::string text_of(const Facts& section, const std::string& key) {
    for (const Fact& value : section.values)
        if (value.key == key)
            return std::get<std::string>(value.value);
    return "not told";
}

/// Waits of 3 h, 2 h, half an hour and none, at rising cost.
std::vector<GoalCandidate> candidates() {
    return {
        {"60", 10800.0, 100.0}, {"70", 7200.0, 110.0}, {"80", 1800.0, 120.0}, {"90", 0.0, 130.0}};
}

} // namespace

TEST_CASE("metrics by full and by short names") {
    REQUIRE(find_metric("wait.p90"));
    CHECK(find_metric("wait.p90")->name == "metrics.wait_s.p90");
    CHECK(find_metric("metrics.wait_s.p90") == find_metric("wait.p90"));
    CHECK(find_metric("cost.total")->name == "cost.total");
    CHECK(find_metric("makespan")->name == "metrics.makespan_s");
    CHECK(find_metric("nothing") == nullptr);
}

TEST_CASE("goals have a metric, a side and a number in a unit") {
    ConditionMistake mistake;
    const auto below = parse_goal("wait.p99 < 1 h", mistake);
    REQUIRE(below);
    CHECK(below->limit == 3600);
    CHECK(below->holds(3599));
    CHECK(!below->holds(3600));
    const auto at_least = parse_goal("ratios.goodput>=60 %", mistake);
    REQUIRE(at_least);
    CHECK(at_least->limit == doctest::Approx(0.6));
    CHECK(at_least->holds(0.7));
    CHECK(!at_least->holds(0.5));
    CHECK(parse_goal("cost.total <= 100000 USD", mistake)->holds(100'000));
    CHECK(parse_goal("cost <= 0.5", mistake)->metric == find_metric("cost.total"));
    CHECK(parse_goal("goodput > -1 %", mistake)->limit == doctest::Approx(-0.01));
    for (const char* number : {"0x10", "1e5", "nan", "inf", "", "+-1", "USD"}) {
        CAPTURE(number);
        CHECK_FALSE(parse_goal(std::string{"cost < "} + number, mistake));
        CHECK(mistake.why ==
              std::string{"\""} + number + "\" is not a number of the metric's unit");
    }
    CHECK(!parse_goal("wait.p99 < 1", mistake));
    CHECK(mistake.why == "\"1\" is not a number with a unit of time, such as 1 h");
    CHECK(!parse_goal("wait.p98 < 1 h", mistake));
    CHECK(mistake.unknown == "wait.p98");
    CHECK(!parse_goal("wait.p99", mistake));
}

TEST_CASE("the best option that meets a goal, and the next cheaper one, which misses it") {
    const ScalarRow& cost = *find_metric("cost.total");
    const Facts both = goal_section(goal_of("wait.p99 < 1 h"), cost, candidates());
    CHECK(both.title == "goal: wait.p99 < 1 h");
    CHECK(text_of(both, "met") == "80");
    CHECK(text_of(both, "missed") == "70");
    const Facts none = goal_section(goal_of("wait.p99 < 0 s"), cost, candidates());
    CHECK(text_of(none, "met") == "none");
    CHECK(text_of(none, "missed") == "90");
    const Facts all = goal_section(goal_of("wait.p99 < 1 d"), cost, candidates());
    CHECK(text_of(all, "met") == "60");
    CHECK(text_of(all, "missed") == "not told");
}

TEST_CASE("a goal over finished jobs is marked if others did not finish") {
    const ScalarRow& cost = *find_metric("cost.total");
    std::vector<GoalCandidate> unfinished = candidates();
    for (GoalCandidate& one : unfinished)
        one.has_unfinished = true;
    const auto note = [&](const std::string& goal) {
        return goal_section(goal_of(goal), cost, unfinished).values[1].note;
    };
    CHECK(note("wait.p99 < 1 h") ==
          "of the jobs that finished; wait_at_least.p99 counts the others, too");
    CHECK(note("wait_at_least.p99 < 1 h").empty());
    CHECK(goal_section(goal_of("wait.p99 < 1 h"), cost, candidates()).values[1].note.empty());
}

} // namespace bursar::goal_test
