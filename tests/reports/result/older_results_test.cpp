#include <set>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/errors/report_error.hpp"
#include "reports/metrics/metric_table.hpp"
#include "reports/result/saved_result.hpp"
#include "reports/scalars/scalars.hpp"

#include "tests/places.hpp"
#include "tests/reports/support/expect_error.hpp"
#include "tests/reports/support/sample_result.hpp"

// The rule of OUTPUTS.md, "result": a new figure is optional on load, else the version rises.
namespace bursar::older_results_test {
namespace {

/// What the first program of schema version 1 saved of every metric. No row may be added here
/// without a new version.
const std::set<std::string_view> required_in_version_1{"jobs_measured",
                                                       "jobs_finished",
                                                       "jobs_censored",
                                                       "jobs_not_submitted",
                                                       "censored_slot_ms",
                                                       "jct_ms",
                                                       "wait_ms",
                                                       "queued_total_ms",
                                                       "slowdown_millionths",
                                                       "bounded_slowdown_millionths",
                                                       "makespan_ms",
                                                       "preemptions",
                                                       "restarts"};

/// Without its hash: the first programs of the version saved none.
nlohmann::json saved_sample() {
    Result result = test::sample_result();
    result.metrics.deadlines = Deadlines{4, 1, 1, 0};
    result.metrics.place_wait = PlaceWait{5'400'000, 9 * slot_ms_per_gpu_hour};
    result.metrics.level_effect = LevelEffect{slot_ms_per_gpu_hour, slot_ms_per_gpu_hour};
    StringSink sink;
    write_saved_result(result, {}, sink);
    nlohmann::json document = nlohmann::json::parse(sink.text());
    document.erase("content_hash");
    return document;
}

std::optional<double> scalar(const Result& result, std::string_view name) {
    for (const Scalar& one : scalars(result))
        if (one.name == name)
            return one.value;
    FAIL("no scalar ", name);
    return std::nullopt;
}

/// A metric or, of one in a block, the block: blocks came and apply as a whole.
std::string key_of(std::string_view saved_as) {
    return std::string{saved_as.substr(0, saved_as.find('.'))};
}

} // namespace

TEST_CASE("a result saved before there was preemption is read") {
    const Result result = load_result(source_file("tests/reports/result/before_preemption.json"));
    CHECK(scalar(result, "cost.total") == 34.45);
    CHECK(scalar(result, "metrics.jct_s.mean") == 4972.5);
    CHECK(scalar(result, "metrics.preempted_without_progress") == 0);
    CHECK_FALSE(scalar(result, "metrics.queue_jobs.mean"));
    CHECK_FALSE(scalar(result, "metrics.attempts.mean"));
    CHECK(result.run.policy.queue == "fifo");
    CHECK(result.run.policy.backfill.empty());
}

TEST_CASE("a metric is optional on load, unless the first program of this version saved it") {
    REQUIRE(schema_version == 1);
    for (const MetricEntry& entry : metric_table()) {
        const std::string key =
            std::visit([](const auto& row) { return key_of(row.saved_as); }, entry);
        CAPTURE(key);
        nlohmann::json document = saved_sample();
        REQUIRE(document["metrics"].erase(key) == 1);
        const std::string error =
            test::report_error_of([&] { (void)parse_result(document.dump(), "r.json"); });
        if (required_in_version_1.contains(key))
            CHECK(error == "r.json: metrics: has no \"" + key + "\"");
        else
            CHECK(error.empty());
    }
}

TEST_CASE("a policy is optional on load, unless the first program of this version saved it") {
    const std::set<std::string_view> required{"queue", "head", "capacity", "placement", "broker"};
    for (const PolicyLabel& label : policy_labels) {
        CAPTURE(label.name);
        nlohmann::json document = saved_sample();
        REQUIRE(document["run"].erase(std::string{label.name}) == 1);
        const std::string error =
            test::report_error_of([&] { (void)parse_result(document.dump(), "r.json"); });
        if (required.contains(label.name))
            CHECK(error == "r.json: run: has no \"" + std::string{label.name} + "\"");
        else
            CHECK(error.empty());
    }
}

TEST_CASE("where nothing finished there is no makespan, but its key") {
    nlohmann::json document = saved_sample();
    document["metrics"]["makespan_ms"] = nullptr;
    CHECK_FALSE(parse_result(document.dump(), "r.json").metrics.makespan);
    document["metrics"]["preemptions"] = nullptr;
    CHECK_FALSE(
        test::report_error_of([&] { (void)parse_result(document.dump(), "r.json"); }).empty());
}

TEST_CASE("a percentile that an older result lacks is not known") {
    for (const Percentile& percentile : percentiles) {
        nlohmann::json document = saved_sample();
        REQUIRE(document["metrics"]["jct_ms"].erase(std::string{percentile.name} + "_hundredths") ==
                1);
        const Result result = parse_result(document.dump(), "r.json");
        const std::string block = "metrics.jct_s.";
        CHECK_FALSE(scalar(result, block + std::string{percentile.name}));
        CHECK(scalar(result, block + "mean") == 4972.5);

        StringSink again;
        write_saved_result(result, {}, again);
        CHECK_FALSE(
            scalar(parse_result(again.text(), "again.json"), block + std::string{percentile.name}));
    }
}

} // namespace bursar::older_results_test
