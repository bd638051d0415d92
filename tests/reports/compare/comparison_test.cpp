#include <doctest/doctest.h>

#include "reports/compare/compare_columns.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/result/result.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar::comparison_test {
namespace {

std::vector<std::vector<Scalar>> runs_of(const std::string& name,
                                         const std::vector<std::optional<double>>& values) {
    std::vector<std::vector<Scalar>> runs;
    for (const std::optional<double>& value : values)
        runs.push_back({{name, value}});
    return runs;
}

/// Two variants of one scalar, computed.
Comparison compared(const std::string& scalar,
                    const std::vector<std::optional<double>>& base,
                    const std::vector<std::optional<double>>& other,
                    bool random = true) {
    Comparison comparison;
    comparison.random = random;
    comparison.variants.resize(2);
    comparison.variants[0].label = "base";
    comparison.variants[0].runs = runs_of(scalar, base);
    comparison.variants[1].label = "other";
    comparison.variants[1].runs = runs_of(scalar, other);
    work_out(comparison);
    return comparison;
}

Difference difference(const std::string& scalar,
                      const std::vector<std::optional<double>>& base,
                      const std::vector<std::optional<double>>& other,
                      bool random = true) {
    return compared(scalar, base, other, random).variants[1].differences.at(0);
}

Better better_side(std::string_view name) {
    return find_scalar(name)->better;
}

const std::string jct = "metrics.jct_s.mean";

} // namespace

// By hand: differences -2, -4, -3, -3, -3; mean -3, squares 1 + 1 = 2, sd = sqrt(2 / 4) = 0.70711,
// t(0.975, 4) = 2.77645, half width 2.77645 x 0.70711 / sqrt(5) = 0.87799. The values themselves
// spread ten times as far: only the pairs show the difference.
TEST_CASE("the interval is that of the paired differences") {
    const Comparison comparison =
        compared(jct, {10.0, 20.0, 30.0, 40.0, 50.0}, {8.0, 16.0, 27.0, 37.0, 47.0});
    CHECK(comparison.num_runs() == 5);
    CHECK(comparison.variants[0].differences.empty());
    CHECK(comparison.variants[1].values.scalars[0].mean == 27.0);
    const Difference& d = comparison.variants[1].differences.at(0);
    CHECK(d.pairs == 5);
    CHECK(d.mean == -3.0);
    CHECK(d.relative.value() == doctest::Approx(-0.1)); // of 30
    CHECK(d.ci_low.value() == doctest::Approx(-3.8779891).epsilon(1e-7));
    CHECK(d.ci_high.value() == doctest::Approx(-2.1220109).epsilon(1e-7));
    CHECK(d.verdict == Verdict::better);
}

TEST_CASE(
    "a difference is clear if its interval excludes 0, and good by the scalar's better side") {
    CHECK(difference(jct, {1.0, 1.0, 1.0}, {2.0, 2.1, 1.9}).verdict == Verdict::worse);
    CHECK(difference(jct, {1.0, 1.0, 1.0}, {2.0, 0.1, 1.2}).verdict ==
          Verdict::no_clear_difference);
    CHECK(difference("ratios.goodput", {0.5, 0.5}, {0.6, 0.6}).verdict == Verdict::better);
    CHECK(difference("ratios.goodput", {0.6, 0.6}, {0.5, 0.5}).verdict == Verdict::worse);
    CHECK(difference("metrics.preemptions", {0.0, 0.0}, {5.0, 5.0}).verdict == Verdict::higher);
    CHECK(difference("metrics.preemptions", {5.0, 5.0}, {0.0, 0.0}).verdict == Verdict::lower);
    CHECK(difference("metrics.jobs_finished", {9.0, 9.0}, {8.0, 8.0}).verdict == Verdict::worse);
    CHECK(difference("cost.total", {9.0, 9.0}, {8.0, 8.0}).verdict == Verdict::better);
    CHECK(difference(jct, {1.0, 2.0}, {1.0, 2.0}).verdict == Verdict::equal);
}

TEST_CASE("the interval over draws of one trace does not shrink with their number") {
    const auto over = [](std::size_t copies) {
        std::vector<std::optional<double>> base;
        std::vector<std::optional<double>> other;
        for (std::size_t copy = 0; copy < copies; ++copy)
            for (const double d : {-2.0, -4.0, -3.0, -3.0, -9.0}) {
                base.emplace_back(10.0);
                other.emplace_back(10.0 + d);
            }
        Comparison comparison;
        comparison.random = true;
        comparison.resampled = true;
        comparison.variants.resize(2);
        comparison.variants[0].runs = runs_of(jct, base);
        comparison.variants[1].runs = runs_of(jct, other);
        work_out(comparison);
        return comparison.variants[1].differences.at(0);
    };
    const Difference few = over(7);
    CHECK_FALSE(few.ci_low);
    CHECK(few.verdict == Verdict::unknown);
    for (const std::size_t copies : {8U, 200U}) {
        const Difference d = over(copies);
        CHECK(d.mean == doctest::Approx(-4.2));
        CHECK(d.ci_low == -9);
        CHECK(d.ci_high == -2);
        CHECK(d.p == doctest::Approx(2.0 / (5.0 * static_cast<double>(copies) + 1)));
        CHECK(d.verdict == Verdict::better);
    }
}

TEST_CASE("the difference of two costs includes the error of modelled run times") {
    using Errors = std::vector<ModelledError>;
    const auto compared = [](bool random,
                             const std::vector<std::optional<double>>& base,
                             const std::vector<std::optional<double>>& other,
                             const Errors& of_base,
                             const Errors& of_other) {
        Comparison comparison;
        comparison.random = random;
        comparison.variants.resize(2);
        comparison.variants[0].runs = runs_of("cost.total", base);
        comparison.variants[0].model_errors = of_base;
        comparison.variants[1].runs = runs_of("cost.total", other);
        comparison.variants[1].model_errors = of_other;
        work_out(comparison);
        return comparison;
    };
    const auto cost = [&](const auto&... of) {
        return compared(of...).variants[1].differences.at(0);
    };
    using Values = std::vector<std::optional<double>>;
    const Values thousand{1000.0};
    // One stack on one GPU: 50 of 1,000 USD in one, 60 in the other, off together.
    const Difference alike = cost(
        false, thousand, Values{1200.0}, Errors{{"own on V100", 50}}, Errors{{"own on V100", 60}});
    CHECK(alike.ci_low == doctest::Approx(190));
    CHECK(alike.ci_high == doctest::Approx(210));
    CHECK(alike.verdict == Verdict::worse);
    // Another GPU: sqrt(50^2 + 120^2) = 130; with 10 % of 1,200 one cannot say which costs more.
    const Difference apart = cost(
        false, thousand, Values{1100.0}, Errors{{"own on V100", 50}}, Errors{{"own on H100", 120}});
    CHECK(apart.ci_low == doctest::Approx(-30));
    CHECK(apart.ci_high == doctest::Approx(230));
    CHECK(apart.p == doctest::Approx(0.1316).epsilon(1e-3)); // |z| = 1.5077
    CHECK(apart.verdict == Verdict::no_clear_difference);
    const Difference exact = cost(false, thousand, Values{1100.0}, Errors{}, Errors{});
    CHECK(exact.verdict == Verdict::worse);
    CHECK_FALSE(exact.ci_low);
    // Two seeds with t s / sqrt(2) = 12.7062, and an error of 5: sqrt(12.7062^2 + 5^2) = 13.6546.
    const Values base{100.0, 100.0};
    const Values other{109.0, 111.0};
    const Difference both = cost(true, base, other, Errors{}, Errors{{"own on V100", 5}});
    CHECK(both.ci_high.value() - both.mean == doctest::Approx(13.6546).epsilon(1e-5));
    // Student's t over 2 seeds has more in its tails than a normal error: p does not fall.
    const Values apart_by_20{119.0, 121.0};
    const double p_of_seeds = cost(true, base, apart_by_20, Errors{}, Errors{}).p;
    CHECK(cost(true, base, apart_by_20, Errors{}, Errors{{"own on V100", 1}}).p == p_of_seeds);
    CHECK(p_of_seeds == doctest::Approx(0.0318).epsilon(0.01)); // a normal one: 0.002
    // One seed of a random scenario has no interval with the model's error alone.
    CHECK_FALSE(
        cost(true, Values{100.0}, Values{109.0}, Errors{}, Errors{{"own on V100", 5}}).ci_low);
}

TEST_CASE(
    "verdicts that a model's error decides are corrected for their number, exact ones are not") {
    Comparison comparison;
    comparison.variants.resize(22);
    for (ComparedVariant& variant : comparison.variants) {
        variant.label = "v";
        variant.runs = runs_of("cost.total", {1000.0});
    }
    // z = 2.2: p = 0.028, clear by itself, and one of 20 alike is expected to be by chance.
    for (std::size_t i = 1; i < 21; ++i) {
        comparison.variants[i].runs = runs_of("cost.total", {1220.0});
        comparison.variants[i].model_errors = {{"own on V100", 100 * 1.959964}};
    }
    comparison.variants[21].runs = runs_of("cost.total", {1001.0});
    work_out(comparison);
    const CompareColumns columns = columns_of(comparison, {});
    CHECK(columns.verdicts == 20);
    CHECK(comparison.variants[1].differences[0].verdict == Verdict::worse);
    CHECK(shown_verdict(comparison, comparison.variants[1], columns.shown.at(0)) ==
          Verdict::no_clear_difference);
    CHECK(shown_verdict(comparison, comparison.variants[21], columns.shown.at(0)) ==
          Verdict::worse);
}

TEST_CASE("one seed has no interval and no verdict, unless nothing is random") {
    const Difference one = difference(jct, {10.0}, {9.0});
    CHECK(one.mean == -1.0);
    CHECK_FALSE(one.ci_low);
    CHECK(one.verdict == Verdict::unknown);
    CHECK(difference(jct, {10.0}, {10.0}).verdict == Verdict::unknown);
    CHECK(difference(jct, {10.0}, {9.0}, false).verdict == Verdict::better);
    CHECK(difference(jct, {10.0}, {10.0}, false).verdict == Verdict::equal);
}

TEST_CASE("a difference below the resolution of a scalar is none") {
    CHECK(difference(jct, {10.0}, {10.0009}, false).verdict == Verdict::equal); // the clock's 1 ms
    CHECK(difference(jct, {10.0}, {10.002}, false).verdict == Verdict::worse);
    const std::string rate = "cost.per_productive_gpu_hour";
    CHECK(difference(rate, {2.0551234}, {2.0551230}, false).verdict == Verdict::equal);
    CHECK(difference(rate, {2.0551234}, {2.0551134}, false).verdict == Verdict::better);
    CHECK(difference("ratios.goodput", {0.7}, {0.700001}, false).verdict == Verdict::equal);
    CHECK(difference("ratios.goodput", {0.7}, {0.700003}, false).verdict == Verdict::better);
    CHECK(difference(jct, {10.0, 20.0}, {10.0005, 20.0005}).verdict == Verdict::equal);
    CHECK(difference(jct, {10.0, 20.0}, {10.5, 20.5}).verdict == Verdict::worse);
}

TEST_CASE("costs and gains of placement have a better side, groups of GPU time have none") {
    CHECK(better_side("metrics.placement.wait_gpu_hours") == Better::lower);
    CHECK(better_side("metrics.placement.gained_gpu_hours") == Better::higher);
    CHECK(better_side("metrics.preempted_without_progress") == Better::lower);
    CHECK(better_side("metrics.queue_jobs.mean") == Better::lower);
    CHECK(better_side("metrics.wait_s.count") == Better::neither);
    CHECK(better_side("gpu_hours.by_leaf.prod.useful") == Better::neither);
    CHECK(better_side("cost.by_leaf.prod.useful") == Better::neither);
}

TEST_CASE("a caveat is listed once, with the labels of its variants unless all have it") {
    Comparison comparison;
    comparison.variants.resize(3);
    for (const char* label : {"a", "b", "c"})
        comparison.variants[static_cast<std::size_t>(*label - 'a')].label = label;
    comparison.variants[0].caveats.assumed = {"both", "first"};
    comparison.variants[2].caveats.assumed = {"last", "both"};
    for (ComparedVariant& variant : comparison.variants)
        variant.caveats.unmodelled = {"energy"};
    CHECK((caveats_of(comparison, &Caveats::assumed) ==
           std::vector<std::string>{"a, c: both", "a: first", "c: last"}));
    CHECK((caveats_of(comparison, &Caveats::unmodelled) == std::vector<std::string>{"energy"}));
    CHECK(caveats_of(comparison, &Caveats::warnings).empty());
}

TEST_CASE("no verdict on waits and JCT if other jobs finished") {
    Comparison comparison;
    comparison.random = false;
    comparison.variants.resize(2);
    for (ComparedVariant& variant : comparison.variants) {
        const bool is_base = &variant == &comparison.variants[0];
        variant.runs = {{{jct, is_base ? 10.0 : 5.0},
                         {"metrics.makespan_s", is_base ? 10.0 : 5.0},
                         {"metrics.jct_at_least_s.mean", is_base ? 10.0 : 50.0},
                         {"metrics.jobs_finished", is_base ? 3.0 : 2.0}}};
        variant.finished = {{.finished = is_base ? 3U : 2U,
                             .unfinished = is_base ? 0U : 1U,
                             .hash = is_base ? 7U : 8U}};
    }
    const auto verdict = [&](std::size_t scalar) {
        return comparison.variants[1].differences.at(scalar).verdict;
    };
    work_out(comparison);
    CHECK(!comparison.variants[1].same_finished);
    CHECK(verdict(0) == Verdict::withheld);
    CHECK(verdict(1) == Verdict::withheld);
    CHECK(verdict(2) == Verdict::higher); // a bound has no better side
    CHECK(verdict(3) == Verdict::worse);

    // A workload with other settings withholds nothing, unless some of it is unfinished.
    comparison.variants[1].settings = {{"workload.synthetic.load", "1.2"}};
    work_out(comparison);
    CHECK(!comparison.variants[1].same_finished);
    comparison.variants[1].finished[0].unfinished = 0;
    work_out(comparison);
    CHECK(comparison.variants[1].same_finished);
    CHECK(verdict(0) == Verdict::better);
    comparison.variants[1].settings = {{"workloads", "1"}};
    work_out(comparison);
    CHECK(!comparison.variants[1].same_finished);
    comparison.variants[1].finished = comparison.variants[0].finished;
    work_out(comparison);
    CHECK(comparison.variants[1].same_finished);
}

TEST_CASE("the jobs that finished in the window are identified by their properties") {
    Result result;
    result.window_end = 10 * second;
    result.jobs.submit_ms = {1000, 2000, 20'000};
    result.jobs.gpus = {1, 2, 1};
    result.jobs.state = {JobState::completed, JobState::running, JobState::completed};
    const FinishedJobs one = finished_jobs(result);
    CHECK(one.finished == 1);
    CHECK(one.unfinished == 1);
    result.jobs.state = {JobState::running, JobState::failed, JobState::completed};
    const FinishedJobs other = finished_jobs(result);
    CHECK(other.finished == 1);
    CHECK(other.hash != one.hash);
    result.window_begin = 1500 * millisecond;
    CHECK(finished_jobs(result).unfinished == 0);
    CHECK(finished_jobs(result).hash == other.hash);
}

TEST_CASE("a run without a value removes its pair") {
    const Difference d = difference(jct, {10.0, std::nullopt, 30.0}, {9.0, 5.0, std::nullopt});
    CHECK(d.pairs == 1);
    CHECK(d.mean == -1.0);
    CHECK(d.relative.value() == doctest::Approx(-0.1));
    const Difference none = difference(jct, {std::nullopt}, {1.0}, false);
    CHECK(none.pairs == 0);
    CHECK(none.verdict == Verdict::unknown);
    CHECK_FALSE(none.relative);
}

} // namespace bursar::comparison_test
