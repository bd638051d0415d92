#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "reports/goal/goal.hpp"
#include "reports/scalars/scalar_text.hpp"
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
    std::vector<GoalCandidate> out;
    for (const auto& [nodes, wait_s, usd] : {std::tuple{"60", 10800.0, 100.0},
                                             {"70", 7200.0, 110.0},
                                             {"80", 1800.0, 120.0},
                                             {"90", 0.0, 130.0}})
        out.push_back({nodes, {}, {wait_s}, usd, {0, 100}, {{"nodes", nodes}}});
    return out;
}

/// The same, over seeds 1 to 10, in the first `long_waits` of which jobs wait two hours.
std::vector<GoalCandidate> over_ten_seeds(const std::vector<std::size_t>& long_waits) {
    std::vector<GoalCandidate> out = candidates();
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i].by_seed.assign(10, 60.0);
        std::fill_n(out[i].by_seed.begin(), long_waits[i], 7200.0);
        for (std::uint64_t seed = 1; seed <= 10; ++seed)
            out[i].seeds.push_back(seed);
    }
    return out;
}

Facts goal_section(const Goal& goal, const ScalarRow& by, std::span<const GoalCandidate> ranked) {
    return goal_answer(goal, by, ranked).section;
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
        one.jobs.unfinished = 1;
    const auto note = [&](const std::string& goal) {
        return goal_section(goal_of(goal), cost, unfinished).values[1].note;
    };
    CHECK(note("wait.p99 < 1 h") ==
          "of the jobs that finished; wait_at_least.p99 counts the others, too");
    CHECK(note("wait_at_least.p99 < 1 h").empty());
    CHECK(goal_section(goal_of("wait.p99 < 1 h"), cost, candidates()).values[1].note.empty());
}

TEST_CASE("a goal may say in which share of the seeds it must hold") {
    CHECK(goal_of("wait.p99 < 1 h").share == 0.9);
    CHECK_FALSE(goal_of("wait.p99 < 1 h").gives_share);
    const Goal strict = goal_of("wait.p99 < 1 h in 0.95");
    CHECK(strict.share == 0.95);
    CHECK(strict.gives_share);
    CHECK(strict.limit == 3600);
    CHECK(strict.text == "wait.p99 < 1 h in 0.95");
    CHECK(goal_of("goodput > 50 % in 75 %").share == 0.75);
    CHECK(goal_of("cost < 5 in 1").share == 1);
    ConditionMistake mistake;
    for (const char* share : {"0", "1.5", "-0.5", "x", "", "0.9 seeds", "nan"}) {
        CAPTURE(share);
        CHECK_FALSE(parse_goal(std::string{"cost < 5 in "} + share, mistake));
        CHECK(mistake.why.ends_with("is not a share of the seeds above 0 and at most 1, such as in "
                                    "0.9"));
    }
}

TEST_CASE("a goal is judged seed by seed, and says which seeds break it") {
    const ScalarRow& cost = *find_metric("cost.total");
    // All means are below an hour: what counts is how many seeds are.
    const Facts usual = goal_section(goal_of("wait.p99 < 1 h"), cost, over_ten_seeds({4, 2, 1, 0}));
    CHECK(usual.title == "goal: wait.p99 < 1 h in 0.9 of the seeds");
    CHECK(text_of(usual, "met") == "80");
    CHECK(text_of(usual, "met_seeds") == "9 of 10");
    CHECK(usual.values[1].note == "not in seed 1");
    CHECK(text_of(usual, "missed") == "70");
    CHECK(text_of(usual, "missed_seeds") == "8 of 10");
    CHECK(text_of(usual, "neighbours") == "nodes 70 (kept in 8 of 10 seeds)");
    CHECK(text_of(usual, "axis_end") == "not told");
    const GoalAnswer all =
        goal_answer(goal_of("wait.p99 < 1 h in 1"), cost, over_ten_seeds({9, 2, 1, 0}));
    CHECK(all.is_met);
    CHECK(text_of(all.section, "met") == "90");
    CHECK(text_of(all.section, "axis_end") == "nodes 90 is the largest value");
    CHECK(all.sentence == "90 meets wait.p99 < 1 h in 1 in 10 of 10 seeds: cost.total 130.00");
    const GoalAnswer none =
        goal_answer(goal_of("wait.p99 < 1 h"), cost, over_ten_seeds({10, 9, 8, 8}));
    CHECK_FALSE(none.is_met);
    CHECK(text_of(none.section, "met") == "none");
    CHECK(none.section.values[2].note == "not in seeds 1, 2, 3, 4, 5, 6 and 2 more");
    CHECK(none.sentence == "no option meets wait.p99 < 1 h in 0.9 of the seeds");
    const Facts least = goal_section(goal_of("wait.p99 < 1 h"), cost, over_ten_seeds({0, 0, 0, 0}));
    CHECK(text_of(least, "axis_end") == "nodes 60 is the least value");
}

TEST_CASE("the end of an axis and neighbours on it heed units") {
    const ScalarRow& cost = *find_metric("cost.total");
    const auto with_values = [](const std::array<const char*, 4>& values) {
        std::vector<GoalCandidate> out = candidates();
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i].settings = {{"rounds", values[i]}};
        return out;
    };
    const auto answer = [&](const std::array<const char*, 4>& values) {
        return goal_section(goal_of("wait.p99 < 1 h"), cost, with_values(values));
    };
    // The third option is the best that meets the goal.
    const Facts times = answer({"5 min", "90 s", "1 h", "45 min"});
    CHECK(text_of(times, "axis_end") == "rounds 1 h is the largest value");
    CHECK(text_of(times, "neighbours") == "not told"); // 45 min meets it, too
    CHECK(text_of(answer({"90 s", "2 h", "1 h", "3 h"}), "neighbours") ==
          "rounds 90 s; rounds 2 h");
    CHECK(text_of(answer({"2 h", "3 h", "1 h", "4 h"}), "axis_end") ==
          "rounds 1 h is the least value");
    using Values = std::array<const char*, 4>;
    for (const Values& values : {Values{"500 GB", "600 GB", "1 TB", "900 GB"},
                                 Values{"5", "10", "1 h", "20"},
                                 Values{"nano", "inf", "infinite", "nan"},
                                 Values{"1", "inf", "-inf", "2"}}) {
        CAPTURE(values[0]);
        CHECK(text_of(answer(values), "axis_end") == "not told");
        CHECK(text_of(answer(values), "neighbours") == "not told");
    }
}

TEST_CASE("the best has the most of a metric where more is better") {
    const ScalarRow& goodput = *find_metric("ratios.goodput");
    std::vector<GoalCandidate> ranked = candidates();
    for (std::size_t i = 0; i < ranked.size(); ++i)
        ranked[i].rank = 0.9 - 0.1 * static_cast<double>(i);
    const GoalAnswer best = goal_answer(goal_of("wait.p99 < 1 d"), goodput, ranked);
    CHECK(best.sentence == "60 meets wait.p99 < 1 d: ratios.goodput 90.0 %, the most of all");
    const auto label = [&](const ScalarRow& by, const std::string& key) {
        for (const Fact& value : goal_section(goal_of("wait.p99 < 1 h"), by, ranked).values)
            if (value.key == key)
                return value.label;
        return std::string{"not told"};
    };
    CHECK(label(goodput, "missed") == "the next better option, which misses it");
    CHECK(label(*find_metric("cost.total"), "missed") ==
          "the next cheaper option, which misses it");
    ranked[2].jobs = {902, 2999};
    CHECK(label(goodput, "left_undone") == "better, but leaves work undone");
    CHECK(label(*find_metric("cost.total"), "left_undone") == "cheaper, but leaves work undone");
}

TEST_CASE("an option that leaves work undone is not the best one that meets a goal") {
    const ScalarRow& cost = *find_metric("cost.total");
    std::vector<GoalCandidate> undone = candidates();
    undone[2].jobs = {902, 2999};
    undone[3].jobs = {12, 2999}; // fewer than a hundredth
    const GoalAnswer answer = goal_answer(goal_of("wait.p99 < 1 h"), cost, undone);
    CHECK(text_of(answer.section, "met") == "90");
    CHECK(text_of(answer.section, "left_undone") == "80");
    undone[3].jobs.unfinished = 500;
    const GoalAnswer marked = goal_answer(goal_of("wait.p99 < 1 h"), cost, undone);
    CHECK(marked.is_met); // nothing that does all work meets it
    CHECK(text_of(marked.section, "met") == "80");
    CHECK(marked.section.values[0].note == "902 of 2,999 jobs unfinished");
}

TEST_CASE("few jobs decide a p99") {
    CHECK(p99_note(267) == "p99 of 267 jobs: the longest 3 decide it");
    CHECK(p99_note(1) == "p99 of 1 job: the longest decides it");
    CHECK(p99_note(999) == "p99 of 999 jobs: the longest 10 decide it");
    CHECK(p99_note(1000).empty());
    CHECK(p99_note(0).empty());
}

} // namespace bursar::goal_test
