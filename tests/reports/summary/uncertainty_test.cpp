#include <cmath>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/outputs/registry.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/uncertainty.hpp"
#include "reports/text/text_sink.hpp"

#include "tests/reports/support/sample_result.hpp"

namespace bursar::uncertainty_test {
namespace {

/// 95 % of its errors are within 1.5294 x 0.240926 = 0.368466.
constexpr ErrorRange longer_by_a_fourth{0.9, 1.240926};

/// The sample with the jobs `train` and `hostile`, 16 GPU-hours of 0.95 USD, timed by a model. Its
/// scenario says when it ends.
Result timed(std::optional<ErrorRange> range) {
    Result result = test::sample_result();
    result.modelled = {{"gpt", "own", 4, 0, Duration{3'352'320'000}, {}, {}}};
    if (range) {
        result.modelled[0].range_low = range->low;
        result.modelled[0].range_high = range->high;
    }
    result.jobs.modelled.assign(result.jobs.size(), 0);
    result.jobs.modelled[0] = 1;
    for (std::size_t job = 0; job < result.jobs.size(); ++job)
        if (result.jobs.name(job) == test::hostile_name)
            result.jobs.modelled[job] = 1;
    return result;
}

/// The same, on nodes that are launched for jobs.
Result timed_on_launched_nodes(std::optional<ErrorRange> range) {
    Result result = timed(range);
    result.pools[0].nodes = ResultNodes{.is_range = true, .least = 0, .most = 1};
    return result;
}

std::string rendered(const Result& result, const char* format) {
    StringSink sink;
    find_output(format)->write(result, {}, sink);
    return sink.text();
}

} // namespace

TEST_CASE("a range is printed in whole per cent, and in tenths below ten") {
    CHECK(range_text(ErrorRange{0.947, 1.1512}) == "-5.3 to +15 % in 80 % of cases");
    CHECK(range_text(ErrorRange{0.9004, 2.2}) == "-10 to +120 % in 80 % of cases");
    CHECK(range_text({}) == "range not known");
}

TEST_CASE("a modelled run time is reported with its error, its GPU-hours and its dollars") {
    const Result result = timed(ErrorRange{0.9, 1.15});
    const std::vector<ModelledSum> sums = modelled_sums(result);
    REQUIRE(sums.size() == 1);
    CHECK(sums[0].jobs == 2);
    CHECK(sums[0].held.count() == slot_ms_per_gpu_hour * 16);
    CHECK(uncertainty_sentences(result) ==
          std::vector<std::string>{"gpt on 4 GPUs of pool owned: 38.8 d, -10 to +15 % in 80 % of "
                                   "cases (stack own); 2 jobs, 16.0 GPU-hours, 15.20 USD, 13.68 to "
                                   "17.48"});
    CHECK(uncertainty_sentences(timed({})) ==
          std::vector<std::string>{"gpt on 4 GPUs of pool owned: 38.8 d, range not known (stack "
                                   "own); 2 jobs, 16.0 GPU-hours, 15.20 USD"});
    CHECK(uncertainty_sentences(test::sample_result()).empty());
}

TEST_CASE("the cost of jobs is off by the error's share where nodes are launched for them") {
    // 3.66 USD in 80 % of cases: 95 % of a normal error are within 1.5294 times as much.
    CHECK(modelled_error_usd(timed_on_launched_nodes(longer_by_a_fourth)).value() ==
          doctest::Approx(5.6005).epsilon(1e-4));
    CHECK_FALSE(modelled_error_usd(timed_on_launched_nodes({})));
    CHECK_FALSE(modelled_error_usd(test::sample_result()));
}

TEST_CASE(
    "fixed nodes are off by the error of what ends the run, and exact where `until` ends it") {
    Result result = timed(longer_by_a_fourth);
    CHECK(modelled_errors(result)->empty());
    CHECK(modelled_error_usd(result) == 0.0);
    CHECK(modelled_errors(timed({}))->empty());
    result.ends_by_scenario = false;
    CHECK(modelled_errors(result)->at(0).of == "gpt on 4 V100-SXM2-32GB, 3352320000 ms, stack own");
    // `hostile` finishes at 3 h of 4, and may at 3 x 1.3685 = 4.1054 h. 32 x 0.95 + 8 x 0.35 =
    // 33.20 USD are paid in both pools.
    const double longer = 0.75 * 1.368466 - 1;
    CHECK(modelled_error_usd(result).value() == doctest::Approx(33.2 * longer).epsilon(1e-4));
    CHECK(rendered(result, "table").find("TOTAL +- 0.87 USD in 95 % of cases") !=
          std::string::npos);
    result.modelled[0].range_high.reset();
    CHECK_FALSE(modelled_error_usd(result));
    result.modelled[0].range_high = longer_by_a_fourth.high;
    result.window_end = result.end - Duration{1}; // the bill ends before the run
    CHECK(modelled_errors(result)->empty());
    result.window_end = result.end;
    // 100 USD of a term are left over: no more than the run would use up if it were longer.
    result.pools[0].purchase = Purchase::reserved;
    result.cells.push_back({0,
                            {},
                            Leaf::unavail_reserved_unlaunched,
                            SlotTime{1},
                            Money{int128{100} * money_per_usd},
                            {}});
    CHECK(modelled_error_usd(result).value() == doctest::Approx(2.8 * longer).epsilon(1e-4));
    result.window_begin = Duration{1};
    CHECK_FALSE(modelled_errors(result));
    result.window_begin = {};
    result.ends_by_scenario.reset(); // an older result
    CHECK_FALSE(modelled_errors(result));
}

TEST_CASE("nodes that a range keeps are paid for as fixed ones") {
    Result result = timed_on_launched_nodes(longer_by_a_fourth);
    result.pools[0].num_nodes = 2; // of 4 GPUs
    result.pools[0].gpus_per_node = 4;
    result.pools[0].nodes->min = 1; // 16 of 32 GPU-hours, which `until` ends
    CHECK(modelled_error_usd(result).value() == doctest::Approx(5.6005 / 2).epsilon(1e-4));
}

TEST_CASE("spread over seeds and the model's error are one interval of the total cost") {
    Result result = timed(longer_by_a_fourth);
    result.ends_by_scenario = false;
    result.repeats = Repeats{2, {over_runs("cost.total", std::vector<double>{99, 101})}};
    // 100 +- sqrt((12.7062 x sqrt(2) x sqrt(1.5))^2 + 0.8748^2) = 22.0252
    CHECK(rendered(result, "table")
              .find("100.00 USD, mean of 2 seeds; one run in 95 % of cases 77.97 .. 122.03") !=
          std::string::npos);
    const auto repeat = nlohmann::json::parse(rendered(result, "json"))["repeat"]["cost.total"];
    CHECK(repeat["one_run_low"].get<double>() == doctest::Approx(77.9748).epsilon(1e-5));
    CHECK(repeat["one_run_high"].get<double>() == doctest::Approx(122.0252).epsilon(1e-5));
    CHECK(rendered(result, "markdown")
              .find("of the total cost, the model's error included; of JCT and makespan without "
                    "the model's error") != std::string::npos);
    result.ends_by_scenario = true;
    CHECK(rendered(result, "markdown")
              .find("of the total cost, not affected by the model's error; of JCT") !=
          std::string::npos);
}

TEST_CASE("errors of one stack on one GPU cancel out, others add up by their squares") {
    const std::vector<ModelledError> base{{"own on V100", 50}, {"own on H100", 30}};
    const std::vector<ModelledError> other{{"own on V100", 60}, {"other on H100", 40}};
    CHECK(error_of_difference(base, other) == doctest::Approx(std::sqrt(100 + 900 + 1600)));
    CHECK(error_of_difference(base, base) == 0);
    CHECK(error_of_difference({}, other) == doctest::Approx(std::sqrt(3600 + 1600)));
}

TEST_CASE("intervals of goodput are within 0 and 100 %") {
    const auto line_of = [](const std::vector<double>& values) {
        std::vector<std::vector<Scalar>> runs;
        for (const double value : values)
            runs.push_back({{"ratios.goodput", value}});
        Result result;
        result.repeats = repeats_over(runs);
        return repeat_lines(result).at(0);
    };
    const RepeatLine high = line_of({0.80, 0.99, 0.85, 0.97, 0.90});
    CHECK(high.mean == "90.2 %");
    CHECK(high.one_run.ends_with(" .. 100.0 %"));
    CHECK(high.interval.ends_with(" .. 100.0 %"));
    const RepeatLine low = line_of({0.0, 0.3, 0.02, 0.01, 0.0});
    CHECK(low.one_run.starts_with("0.0 % .. "));
    CHECK(low.interval.starts_with("0.0 % .. "));
}

TEST_CASE("every format of a bill has it") {
    const Result result = timed(longer_by_a_fourth);
    for (const char* format : {"table", "markdown"}) {
        CAPTURE(format);
        CHECK(rendered(result, format).find("uncertain: gpt on 4 GPUs of pool owned: 38.8 d") !=
              std::string::npos);
    }
    CHECK(rendered(result, "json").find("\"range_high\": 1.240926,") != std::string::npos);
    CHECK(rendered(result, "jobs").find(",0.24092") != std::string::npos);
}

TEST_CASE("of many modelled run times the most expensive are listed, and the cost of the others") {
    Result result = timed(ErrorRange{0.9, 1.1});
    result.modelled.assign(result.jobs.size() + 1, result.modelled.front());
    result.modelled.back().model = "unused";
    for (std::size_t job = 0; job < result.jobs.size(); ++job)
        result.jobs.modelled[job] = static_cast<std::uint16_t>(job + 1);
    const std::vector<std::string> sentences = uncertainty_sentences(result);
    REQUIRE(sentences.size() == 5);     // of six jobs that have started
    for (std::size_t i = 0; i < 2; ++i) // train, hostile and wide held 8 GPU-hours each
        CHECK(sentences[i].ends_with("1 job, 8.0 GPU-hours, 7.60 USD, 6.84 to 8.36"));
    // wide is still running: its cost does not depend on its remaining time
    CHECK(sentences[2].ends_with("1 job (1 cut off by the end of the run), 8.0 GPU-hours, "
                                 "7.60 USD"));
    CHECK(sentences[3].ends_with("1 job, 4.0 GPU-hours, 3.80 USD, 3.42 to 4.18")); // crash
    CHECK(sentences[4] == "2 more modelled run times of 2 jobs, 1.06 USD");        // long and quit
}

} // namespace bursar::uncertainty_test
