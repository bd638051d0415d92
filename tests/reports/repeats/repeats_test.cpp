#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/outputs/registry.hpp"
#include "reports/repeats/mean_difference.hpp"
#include "reports/repeats/repeats.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/json_writer.hpp"
#include "reports/text/text_sink.hpp"

#include "tests/reports/support/sample_result.hpp"

namespace bursar::repeats_test {

TEST_CASE("mean, sd and t-interval of five runs agree with the textbook") {
    std::vector<std::vector<Scalar>> runs;
    for (const double value : {1.0, 2.0, 3.0, 4.0, 5.0})
        runs.push_back({{"x", value}});
    const Repeats repeats = repeats_over(runs);
    CHECK(repeats.n == 5);
    const RepeatedScalar& x = repeats.scalars.at(0);
    CHECK(x.mean == 3.0);
    CHECK(x.min == 1.0);
    CHECK(x.max == 5.0);
    CHECK(x.sd.value() == doctest::Approx(1.5811388301).epsilon(1e-10)); // sqrt(5 / 2)
    // Not skewed: t(0.975, 4) = 2.7764451052 (any table of Student's t) x sd / sqrt(5)
    CHECK(x.ci_high.value() - 3.0 == doctest::Approx(1.9632431614).epsilon(1e-9));
    CHECK(3.0 - x.ci_low.value() == doctest::Approx(1.9632431614).epsilon(1e-9));
}

TEST_CASE("a metric that no run has is null") {
    StringSink sink;
    JsonWriter json{sink};
    json.object([&] { write_statistics(RepeatedScalar{}, json); });
    const auto written = nlohmann::json::parse(sink.text());
    CHECK(written["n"] == 0);
    for (const char* name : {"mean", "sd", "min", "max", "ci95_low", "ci95_high"})
        CHECK(written[name].is_null());
}

TEST_CASE("the interval of skewed values is widened by their skewness") {
    const std::vector<double> values{0, 0, 0, 0, 10};
    // mean 2, s = sqrt(20), s / sqrt(5) = 2; g1 = (-8 x 4 + 512) / 5 / 16^1.5 = 1.5, and of a
    // sample G1 = 1.5 x sqrt(20) / 3 = 2.2360679775, G1^2 = 5.
    const MeanInterval plain = student_interval(values, 0);
    CHECK(plain.high - 2 == doctest::Approx(2 * 2.7764451052).epsilon(1e-9));
    CHECK(plain.p == doctest::Approx(0.3739009663).epsilon(1e-8)); // |t| = 1 with 4 degrees
    const MeanInterval wide = interval_of_mean(values);
    CHECK(wide.high - 2 == doctest::Approx(2 * (2.7764451052 + 4.2 * 5 / 5)).epsilon(1e-9));
    CHECK(wide.low + wide.high == doctest::Approx(4));
    CHECK(wide.p > plain.p);
    const std::vector<double> two{1, 3}; // too few for a skewness
    CHECK(interval_of_mean(two).high == student_interval(two, 0).high);
    const std::vector<double> same{3, 3, 3};
    CHECK(interval_of_mean(same).low == 3);
    CHECK(interval_of_mean(same).p == 0);
    CHECK(interval_of_mean(std::vector<double>{0, 0}).p == 1);
}

TEST_CASE("an interval leaves 0 out where its p is below 0.05") {
    for (const double shift : {0.0, 1.0, 2.0, 3.0, 5.0, 8.0}) {
        std::vector<double> values{-1, 0.5, 0, 2, -0.5, 4, 0, 1};
        for (double& value : values)
            value += shift;
        const MeanInterval interval = interval_of_mean(values);
        CAPTURE(shift);
        CHECK((interval.p < 0.05) == (interval.low > 0 || interval.high < 0));
    }
}

TEST_CASE("intervals of ten skewed values hold the mean more often than Student's") {
    std::mt19937_64 random{7};
    std::size_t wide = 0;
    std::size_t plain = 0;
    constexpr std::size_t draws = 2000;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        std::vector<double> values; // chi-square with one degree: mean 1, skewness 2.8
        for (int i = 0; i < 10; ++i) {
            const double u = (static_cast<double>(random() >> 11) + 0.5) / 9007199254740992.0;
            const double v = (static_cast<double>(random() >> 11) + 0.5) / 9007199254740992.0;
            const double z = std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
            values.push_back(z * z);
        }
        const auto holds = [](const MeanInterval& one) { return one.low <= 1 && 1 <= one.high; };
        wide += holds(interval_of_mean(values)) ? 1 : 0;
        plain += holds(student_interval(values, 0)) ? 1 : 0;
    }
    CHECK(plain < draws * 90 / 100);
    CHECK(wide > draws * 90 / 100);
    CHECK(wide < draws * 97 / 100);
}

TEST_CASE("differences of rare events have an interval though no seed shows one") {
    // t(0.975, 9) = 2.2621571628 x sqrt(2 / 9 / 10)
    const std::vector<double> none(10, 0);
    CHECK(interval_of_mean_events(none).high == doctest::Approx(0.33722248).epsilon(1e-7));
    CHECK(interval_of_mean_events(none).low == doctest::Approx(-0.33722248).epsilon(1e-7));
    CHECK(interval_of_mean_events(none).p == 1);
    // Beside the spread of many events two more squares are nothing.
    const std::vector<double> many{100, -80, 40, -30, 60, -120, 10, 90, -70, 20};
    CHECK(interval_of_mean_events(many).high ==
          doctest::Approx(interval_of_mean(many).high).epsilon(1e-4));

    using Values = std::vector<std::optional<double>>;
    const Values failures(10, 3.0);
    const auto difference = [](const Values& base, const Values& other) {
        return paired_difference(pairs_of(base, other), SeedValues::events);
    };
    CHECK(difference(failures, failures).ci_high.value() == doctest::Approx(0.33722248));
    const Values no_events(10, 0.0);
    CHECK(difference(no_events, no_events).ci_high == 0); // nothing fails in any run
}

TEST_CASE("intervals of rare events hold the mean where one seed in ten differs") {
    std::mt19937_64 random{11};
    constexpr std::size_t draws = 2000;
    std::size_t events = 0;
    std::size_t amounts = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        std::vector<double> values; // mean -0.1
        for (int i = 0; i < 10; ++i)
            values.push_back(random() % 10 == 0 ? -1 : 0);
        const auto holds = [](const MeanInterval& one) {
            return one.low <= -0.1 && -0.1 <= one.high;
        };
        events += holds(interval_of_mean_events(values)) ? 1 : 0;
        amounts += holds(interval_of_mean(values)) ? 1 : 0;
    }
    CHECK(events > draws * 97 / 100);
    CHECK(amounts < draws * 70 / 100);
}

TEST_CASE("few seeds decide where the others agree") {
    const auto deciding = [](std::vector<double> values) { return deciding_seeds(values); };
    CHECK(deciding({}) == 0);
    CHECK(deciding({0, 0, 0, 0}) == 0);
    CHECK(deciding({0, 0, -1, 0, 0, -3, 0, 0, 0, 0}) == 2);
    CHECK(deciding({5, 1, 2, 5, 5, 3, 5, 4, 5, 5}) == 4);
    CHECK(deciding({5, 1, 2, 5, 5, 3, 5, 4, 6, 5}) == 0); // five others
    CHECK(deciding({1, 1, 2, 2}) == 0);                   // no more than half agree
    CHECK(deciding({1, 2, 3, 4, 5}) == 0);
    CHECK(deciding_seeds_mark(0).empty());
    CHECK(deciding_seeds_mark(1) == " (1 seed)");
    CHECK(deciding_seeds_mark(4) == " (4 seeds)");
}

TEST_CASE("the interval of one further run is wider than that of the mean") {
    RepeatedScalar x = over_runs("x", std::vector<double>{1, 2, 3, 4, 5});
    // t(0.975, 4) x sd x sqrt(1 + 1 / 5) = 2.7764451052 x 1.5811388301 x 1.0954451150
    CHECK(prediction_interval(x)->high - 3 == doctest::Approx(4.8089445).epsilon(1e-7));
    CHECK(prediction_interval(x)->low == 0); // no value is below 0
    x = over_runs("x", std::vector<double>{std::exp(1), std::exp(2), std::exp(3)});
    for (const double power : {1.0, 2.0, 3.0})
        x.by_seed.emplace_back(std::exp(power));
    // Of logarithms: 2 +- t(0.975, 2) = 4.3026527297 x sqrt(4 / 3)
    CHECK(std::log(prediction_interval(x)->high) == doctest::Approx(2 + 4.9682753).epsilon(1e-7));
    CHECK(std::log(prediction_interval(x)->low) == doctest::Approx(2 - 4.9682753).epsilon(1e-7));
    CHECK_FALSE(prediction_interval(over_runs("x", std::vector<double>{1})));
}

TEST_CASE("one run has no spread, and a run without a value does not count") {
    const std::vector<std::vector<Scalar>> runs{{{"x", 2.0}, {"y", std::nullopt}},
                                                {{"x", std::nullopt}, {"y", std::nullopt}}};
    const Repeats repeats = repeats_over(runs);
    CHECK(repeats.scalars.at(0).n == 1);
    CHECK(repeats.scalars.at(0).mean == 2.0);
    CHECK_FALSE(repeats.scalars.at(0).sd);
    CHECK_FALSE(repeats.scalars.at(0).ci_low);
    CHECK(repeats.scalars.at(1).n == 0);
}

TEST_CASE("each run's value is kept in the order of the seeds") {
    const Repeats repeats = repeats_over(
        std::vector<std::vector<Scalar>>{{{"x", 2.0}}, {{"x", std::nullopt}}, {{"x", 5.0}}});
    CHECK(repeats.scalars[0].by_seed == std::vector<std::optional<double>>{2.0, std::nullopt, 5.0});
}

TEST_CASE("paired runs differ by the interval of their paired differences") {
    using Values = std::vector<std::optional<double>>;
    const MeanDifference same = paired_difference(
        pairs_of(Values{10, 200, 3000}, Values{11, 201, 3001}), SeedValues::amounts);
    CHECK(same.runs == 3);
    CHECK(same.mean == 1);
    CHECK(same.ci_low == 1); // the effect of a seed on both cancels out
    CHECK(same.ci_high == 1);

    const MeanDifference five = paired_difference(
        pairs_of(Values{1, 1, 1, 1, 1, {}, 9}, Values{2, 3, 4, 5, 6, 7, {}}), SeedValues::amounts);
    CHECK(five.runs == 5);
    CHECK(five.base == 1);
    CHECK(five.mean == 3);
    CHECK(five.ci_high.value() - 3 == doctest::Approx(1.9632431614).epsilon(1e-9)); // as above
    CHECK(five.p < 0.05);
    CHECK(paired_difference(pairs_of(Values{1, {}}, Values{{}, 2}), SeedValues::amounts).runs == 0);
    CHECK_FALSE(paired_difference(pairs_of(Values{1}, Values{2}), SeedValues::amounts).ci_low);
}

TEST_CASE("draws out of one sample have the interval between their quantiles") {
    std::vector<double> values;
    for (int i = 79; i >= 1; --i)
        values.push_back(i);
    const std::optional<MeanInterval> interval = interval_of_draws(values);
    REQUIRE(interval);
    CHECK(interval->low == 2); // of 1 to 79, at 0.025 x 80
    CHECK(interval->high == 78);
    CHECK(interval->p == doctest::Approx(2.0 / 80));
    for (double& value : values)
        value -= 10; // ten of them are at most 0
    CHECK(interval_of_draws(values)->p == doctest::Approx(22.0 / 80));
    CHECK(interval_of_draws(std::vector<double>(40, 0.0))->p == 1);
    CHECK_FALSE(interval_of_draws(std::vector<double>(39, 1.0)));
}

TEST_CASE("unpaired runs differ by Welch's interval") {
    const std::vector<double> first{1, 2, 3, 4, 5};
    const std::vector<double> second{3, 4, 5, 6, 7};
    const std::vector<double> equal{4, 4, 4};
    const auto difference = [](const std::vector<double>& base, const std::vector<double>& other) {
        return unpaired_difference(over_runs("x", base), over_runs("x", other));
    };
    // Equal spread: 2 (n - 1) = 8 degrees, t(0.975, 8) = 2.3060041350 x sqrt(2 s^2 / n) = 1.
    const MeanDifference two = difference(first, second);
    CHECK(two.base == 3);
    CHECK(two.mean == 2);
    CHECK(two.ci_high.value() - 2 == doctest::Approx(2.3060041350).epsilon(1e-9));
    CHECK(2 - two.ci_low.value() == doctest::Approx(2.3060041350).epsilon(1e-9));
    // One without spread: the interval is that of the other only.
    CHECK(difference(first, equal).ci_high.value() - 1 ==
          doctest::Approx(1.9632431614).epsilon(1e-9));
    CHECK(difference(equal, equal).ci_low == 0);
    CHECK_FALSE(difference(first, {4}).ci_low);
    CHECK(difference(first, {}).runs == 0);
}

TEST_CASE("intervals of unpaired runs are widened by skewness, and have their p") {
    const auto over = [](const std::vector<double>& values) {
        RepeatedScalar out = over_runs("x", values);
        out.by_seed.assign(values.begin(), values.end());
        return out;
    };
    const std::vector<double> skewed{0, 0, 0, 0, 10};
    const RepeatedScalar equal = over({1, 1, 1});
    // With a base without spread, the interval is that of the other runs, 1 lower.
    const MeanInterval alone = interval_of_mean(skewed);
    const MeanDifference lower = unpaired_difference(equal, over(skewed));
    CHECK(lower.ci_low.value() == doctest::Approx(alone.low - 1));
    CHECK(lower.ci_high.value() == doctest::Approx(alone.high - 1));
    // Runs that are skewed alike: their difference is not.
    const MeanDifference alike = unpaired_difference(over(skewed), over(skewed));
    CHECK(alike.ci_high.value() == doctest::Approx(2.3060041350 * std::sqrt(8.0))); // 8 degrees
    CHECK(alike.p == 1);
    CHECK(unpaired_difference(equal, over({2, 2})).p == 0);
    CHECK(unpaired_difference(equal, over({1, 1})).p == 1);
    for (const double shift : {0.0, 1.0, 2.0, 3.0, 5.0, 8.0}) {
        CAPTURE(shift);
        std::vector<double> values{-1, 0.5, 0, 2, -0.5, 4, 0, 1};
        for (double& value : values)
            value += shift;
        const MeanDifference moved = unpaired_difference(over({0, 1, -1, 0.2}), over(values));
        CHECK((moved.p < 0.05) == (moved.ci_low.value() > 0 || moved.ci_high.value() < 0));
    }
}

TEST_CASE("the scalars of a result are those of its summary") {
    for (const Scalar& scalar : scalars(test::sample_result())) {
        if (scalar.name == "cost.total")
            CHECK(scalar.value == 34.45);
        if (scalar.name == "metrics.jct_s.mean")
            CHECK(scalar.value == 4972.5);
    }
    CHECK_FALSE(scalars(Result{}).back().value);
}

TEST_CASE("the scalars of a result are all numbers of its summary, and absent where that is null") {
    Result result = test::sample_result();
    result.metrics.place_wait = PlaceWait{5'400'000, 9 * slot_ms_per_gpu_hour};
    for (const bool known : {true, false}) {
        if (known)
            result.metrics.level_effect =
                LevelEffect{7 * slot_ms_per_gpu_hour, slot_ms_per_gpu_hour};
        else
            result.metrics.level_effect = std::nullopt;
        StringSink sink;
        write_summary_json(result, OutputOptions{}, sink);
        const auto summary = nlohmann::json::parse(sink.text());
        std::map<std::string, std::optional<double>> said;
        for (const std::string block :
             {"cost", "gpu_hours", "energy", "carbon", "events", "ratios", "metrics"}) {
            const auto flat = summary[block].flatten();
            for (const auto& [path, value] : flat.items()) {
                const bool of_the_scenario =
                    path.starts_with("/basis") || path.starts_with("/other_lines");
                if (of_the_scenario || value.is_string() || value.is_structured())
                    continue;
                std::string name = block + path;
                std::ranges::replace(name, '/', '.');
                said[name] = value.is_null() ? std::nullopt : std::optional{value.get<double>()};
            }
        }
        CHECK(said.at("metrics.placement.gained_gpu_hours").has_value() == known);
        CHECK(said.at("metrics.placement.wait_job_hours") == 1.5);
        for (const Scalar& scalar : scalars(result)) {
            CAPTURE(scalar.name);
            if (scalar.name.starts_with("cost.per_"))
                continue; // follows from two of the others
            REQUIRE(said.contains(scalar.name));
            CHECK(said[scalar.name] == scalar.value);
            said.erase(scalar.name);
        }
        for (const auto& [name, value] : said) {
            CAPTURE(name);
            CHECK_MESSAGE(false, "in summary.json only");
        }
    }
}

} // namespace bursar::repeats_test
