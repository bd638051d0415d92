#include <random>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/errors/report_error.hpp"
#include "reports/metrics/metric_table.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/check_books.hpp"
#include "reports/result/saved_result.hpp"

#include "tests/contains.hpp"
#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/content_hash.hpp"
#include "tests/reports/support/expect_error.hpp"
#include "tests/reports/support/random_result.hpp"
#include "tests/reports/support/run_files.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::saved_result_test {
namespace {

std::string saved(const Result& result) {
    StringSink sink;
    write_saved_result(result, {}, sink);
    return sink.text();
}

/// The error of parse_result for the document with a matching hash.
std::string error_of(nlohmann::json document) {
    document.erase("content_hash");
    const std::string text = test::with_content_hash(document.dump());
    return test::report_error_of([&] { (void)parse_result(text, "r.json"); });
}

nlohmann::json saved_sample() {
    return nlohmann::json::parse(saved(test::sample_result()));
}

/// The error of parse_result for the saved sample with the value at `pointer` replaced.
std::string error_after(const char* pointer, const nlohmann::json& value) {
    nlohmann::json document = saved_sample();
    document[nlohmann::json::json_pointer{pointer}] = value;
    return error_of(document);
}

/// Every output of a result, one after the other.
std::string all_outputs_of(const Result& result) {
    StringSink sink;
    for (const Output& output : outputs())
        output.write(result, {}, sink);
    return sink.text();
}

/// Of `num_flips` flips of one bit in `text`, drawn from `seed`: the number that change the
/// outputs, and the number that are refused.
struct Flips {
    int unnoticed{}, refused{};
};
Flips flip_bits(const std::string& text, int num_flips, unsigned seed) {
    const std::string outputs_before = all_outputs_of(parse_result(text, "whole"));
    std::mt19937 random{seed};
    Flips out;
    for (int i = 0; i < num_flips; ++i) {
        std::string flipped = text;
        const std::size_t byte = random() % text.size();
        flipped[byte] = static_cast<char>(flipped[byte] ^ (1 << random() % 8));
        try {
            out.unnoticed += all_outputs_of(parse_result(flipped, "flipped")) != outputs_before;
        } catch (const BadResult&) {
            ++out.refused;
        }
    }
    return out;
}

} // namespace

TEST_CASE("a saved result reads back as the same result") {
    CHECK(parse_result(saved(test::sample_result()), "sample") == test::sample_result());
    CHECK(check_property("load(save(r)) == r", [] {
        const Result result = test::random_result();
        RC_ASSERT(parse_result(saved(result), "random") == result);
    }));
}

TEST_CASE("names that are not UTF-8 are repaired once and read back") {
    test::SampleRun run = test::sample_run();
    run.labels.tenants[0] = "caf\xE9";
    run.labels.job_names[0] = '\xFF'; // "train"
    const Result result =
        make_result(run.plan, run.labels, run.outcome, run.rows, run.timeline, run.facts);
    CHECK(result.tenants[0] == "caf\uFFFD");
    CHECK(result.jobs.name(0) == "\uFFFDrain");
    CHECK(result.jobs.name(1) == "quit");
    CHECK(parse_result(saved(result), "mended") == result);
}

TEST_CASE("a file that is no saved result is refused with a reason") {
    const auto error_of = [](std::string_view text) {
        return test::report_error_of([&] { (void)parse_result(text, "r.json"); });
    };
    CHECK(error_of("").starts_with("r.json: not a saved result, or truncated: "));
    CHECK(error_of("[1, 2]").starts_with("r.json: not a saved result"));
    CHECK(error_of("{\"kind\": 3}").starts_with("r.json: not a saved result"));
    const std::string text = saved(test::sample_result());
    CHECK(error_of(text.substr(0, text.size() / 2)).find("truncated") != std::string::npos);
    CHECK(error_of(std::string(100'000, '[')).find("truncated") != std::string::npos);
}

TEST_CASE("a saved result with one wrong field is refused with its path") {
    const std::string version = saved_sample()["schema_version"].dump();
    CHECK(error_after("/schema_version", 1) == "r.json: schema_version is 1 (this program reads " +
                                                   version + "); run the scenario again");
    // Version 4 lacks metrics and policies that were added since.
    CHECK(error_after("/schema_version", 4) == "r.json: schema_version is 4 (this program reads " +
                                                   version + "); run the scenario again");
    CHECK(error_after("/run/seed", -1) ==
          "r.json: run.seed: not a whole number in 0..18446744073709551615");
    CHECK(error_after("/run/scenario_hash", "12") ==
          "r.json: run.scenario_hash: not 16 hexadecimal digits");
    CHECK(error_after("/outcome/end_ms", 1.5).starts_with("r.json: outcome.end_ms: not a whole"));
    CHECK(error_after("/pools/0/purchase", "stolen") == "r.json: pools[0].purchase: unknown name");
    CHECK(error_after("/pools/0/gpus_per_node", std::uint64_t{1} << 32).find("not a whole") !=
          std::string::npos);
    CHECK(error_after("/cells/0/slot_ms", "four") ==
          "r.json: cells[0].slot_ms: not a whole number, as a string");
    CHECK(error_after("/cells/0/slot_ms", std::string(60, '9')).find("slot_ms") !=
          std::string::npos);
    CHECK(error_after("/jobs/gpus", {1, 2}) == "r.json: jobs: its columns differ in length");
    CHECK(error_after("/jobs/gpus", {1, 2, 3, 4, 5, 6, "7"})
              .starts_with("r.json: jobs.gpus: element 6"));
    CHECK(error_after("/jobs/state/0", 12).starts_with("r.json: jobs.state: element 0"));
    CHECK(error_after("/jobs/stalled_slots", {0, 0}) ==
          "r.json: jobs: its columns differ in length");
    CHECK(error_after("/jobs/stalled_slots", {-1, 0, 0, 0, 0, 0, 0})
              .starts_with("r.json: jobs.stalled_slots: element 0"));
    nlohmann::json document = saved_sample();
    document["pools"][0].erase("rate_nano_usd_per_gpu_hour");
    CHECK(error_of(document) == "r.json: pools[0]: has no \"rate_nano_usd_per_gpu_hour\"");
}

TEST_CASE("an index out of range is refused") {
    const auto refused = [](const char* pointer, const nlohmann::json& value) {
        const std::string error = error_after(pointer, value);
        CAPTURE(pointer);
        CAPTURE(error);
        CHECK(error.ends_with(": an index out of range"));
    };
    refused("/cells/1/tenant", 3);
    refused("/cells/1/pool", 2);
    refused("/jobs/tenant/0", 3);
    refused("/jobs/pool/0", 2);
    refused("/jobs/modelled", {1, 0, 0, 0, 0, 0, 0});
    refused("/jobs/name_end/0", 12);
    refused("/jobs/name_end/6", 1000);
    refused("/jobs/name_end", nlohmann::json::array({1, 2}));
    refused("/timeline/pool/3", 2);
    refused("/phases/kind", {1, 1, 1, 1, 1, 1, 1});
    refused("/phases/kind", {0, 0});
    refused("/run/budgets",
            nlohmann::json::array({{{"name", ""},
                                    {"limit", "1"},
                                    {"pool", 7},
                                    {"tenant", nullptr},
                                    {"monthly", 0},
                                    {"fails", 0},
                                    {"seeds_exceeded", 0}}}));
    nlohmann::json document = saved_sample();
    document["pools"][0]["grid_from_ms"] = {0, 5};
    document["pools"][0]["grid_mg_per_kwh_from"] = {1, 2};
    CHECK(error_of(document) == "r.json: pools: an index out of range"); // it has no energy
}

TEST_CASE("a time so far off that its months never end is refused") {
    const auto refused = [](const nlohmann::json& document, const std::string& where) {
        CHECK(error_of(document) == "r.json: " + where + ": a time out of range");
    };
    constexpr std::int64_t far = std::int64_t{1} << 60;
    for (const char* key : {"zero_utc_ms", "end_ms", "window_begin_ms", "window_end_ms"}) {
        nlohmann::json document = saved_sample();
        document["outcome"][key] = far;
        refused(document, std::string{"outcome."} + key);
        document["outcome"][key] = -far;
        refused(document, std::string{"outcome."} + key);
    }
    const auto with_months = [](const std::vector<std::pair<std::int64_t, std::int64_t>>& months) {
        nlohmann::json document = saved_sample();
        for (const auto& [begin, end] : months)
            document["run"]["months"].push_back(
                {{"name", "m"}, {"begin_ms", begin}, {"end_ms", end}});
        return document;
    };
    CHECK(error_of(with_months({{-7, 100}, {100, 200}})).empty());
    refused(with_months({{-7, far}}), "run.months");
    refused(with_months({{-far, 100}}), "run.months");
    refused(with_months({{0, 0}}), "run.months");
    refused(with_months({{0, 100}, {99, 200}}), "run.months");
    // What is charged past the end of the run: a term lasts for at most 100 years.
    nlohmann::json document = saved_sample();
    const Result sample = test::sample_result();
    const ResultPool& pool = sample.pools[sample.cells[0].pool];
    const std::int64_t longest = pool.num_gpus() * slots_per_gpu * (100 * year).count();
    document["cells"][0]["leaf"] = "unavail.reserved_unlaunched";
    document["cells"][0]["slot_ms"] = std::to_string(longest);
    CHECK(error_of(document).empty());
    document["cells"][0]["slot_ms"] = std::to_string(longest + 1);
    refused(document, "cells");
}

TEST_CASE("a missing metric or policy is refused") {
    Result result = test::sample_result();
    result.metrics.deadlines = Deadlines{4, 1, 1, 0, 2, 0};
    result.metrics.staging = StagingUse{3, 1, slot_ms_per_gpu_hour, 0, 5};
    result.metrics.place_wait = PlaceWait{5'400'000, 9 * slot_ms_per_gpu_hour};
    result.metrics.level_effect = LevelEffect{slot_ms_per_gpu_hour, slot_ms_per_gpu_hour};
    const nlohmann::json whole = nlohmann::json::parse(saved(result));
    for (const MetricEntry& entry : metric_table()) {
        const std::string key{
            std::visit([](const auto& row) -> std::string_view { return row.saved_as; }, entry)};
        CAPTURE(key);
        if (key.empty())
            continue; // another row stores it
        const std::size_t dot = key.find('.');
        nlohmann::json document = whole;
        nlohmann::json& metrics = document["metrics"];
        nlohmann::json& block = dot == std::string::npos ? metrics : metrics[key.substr(0, dot)];
        REQUIRE(block.erase(key.substr(dot + 1)) == 1);
        CHECK(test::contains(error_of(document), ": has no \"" + key.substr(dot + 1) + "\""));
    }
    for (const Percentile& percentile : percentiles) {
        nlohmann::json document = whole;
        REQUIRE(document["metrics"]["jct_ms"].erase(std::string{percentile.name} + "_hundredths"));
        CHECK(test::contains(error_of(document), "r.json: metrics.jct_ms: has no"));
    }
    for (const PolicyLabel& label : policy_labels) {
        nlohmann::json document = whole;
        REQUIRE(document["run"].erase(std::string{label.name}) == 1);
        CHECK(error_of(document) == "r.json: run: has no \"" + std::string{label.name} + "\"");
    }
}

TEST_CASE("if nothing finished there is no makespan, but its key is present") {
    nlohmann::json document = saved_sample();
    document["metrics"]["makespan_ms"] = nullptr;
    document.erase("content_hash");
    CHECK_FALSE(parse_result(test::with_content_hash(document.dump()), "r.json").metrics.makespan);
    document["metrics"]["preemptions"] = nullptr;
    CHECK_FALSE(error_of(document).empty());
}

TEST_CASE("a file without a hash, or with a wrong one, is refused") {
    nlohmann::json document = saved_sample();
    document.erase("content_hash");
    const std::string error = "r.json: content_hash is missing or does not fit: the file was "
                              "changed after it was saved; run the scenario again";
    CHECK(test::report_error_of([&] { (void)parse_result(document.dump(), "r.json"); }) == error);
    std::string text = saved(test::sample_result());
    text.replace(text.find("1234"), 4, "1235");
    CHECK(test::report_error_of([&] { (void)parse_result(text, "r.json"); }) == error);
}

TEST_CASE("no flip of a bit in a saved result changes what is reported") {
    const Flips flips = flip_bits(saved(test::sample_result()), 1000, 1);
    CHECK(flips.unnoticed == 0);
    CHECK(flips.refused == 1000);
    CHECK(check_property("in any result", [] {
        const auto seed = drawn::in_range<unsigned>(0, 1'000'000);
        RC_ASSERT(flip_bits(saved(test::random_result()), 10, seed).unnoticed == 0);
    }));
}

TEST_CASE("a run whose books do not balance is refused") {
    const auto mistake_after = [](const auto& change) {
        Result result = test::sample_result();
        REQUIRE(mistake_in_books(result).empty());
        change(result);
        return mistake_in_books(result);
    };
    CHECK(mistake_after([](Result& r) { r.cells[0].cost = Money{1}; }) ==
          "the cost of cell 0 is not its time x the rate of its pool");
    CHECK(mistake_after([](Result& r) {
              r.pools[1].price = PoolPrice{MoneyRate{350'000'001}};
          }).ends_with("is not its time x the rate of its pool"));
    CHECK(mistake_after([](Result& r) { r.pools[0].num_nodes = 3; }) ==
          "the cells of pool owned do not add up to its GPUs over the window");
    CHECK(mistake_after([](Result& r) { r.window_begin = Duration{1}; }) ==
          "the cells of pool owned do not add up to its GPUs over the window");
    CHECK(mistake_after([](Result& r) { r.jobs.tenant[0] = 1; }) ==
          "the cells of tenants do not hold what their jobs held");
    CHECK(mistake_after([](Result& r) { r.jobs.finish_ms[0] = 7'199'999; }) ==
          "the cells of tenants do not hold what their jobs held");
    CHECK(mistake_after([](Result& r) { r.num_finished = 5; }) ==
          "there are not as many jobs finished as is said");
    CHECK(mistake_after([](Result& r) { r.num_started = 5; }) ==
          "there are not as many attempts as are said to have started");
    CHECK(mistake_after([](Result& r) {
              for (ResultCell& cell : r.cells)
                  if (cell.leaf == Leaf::idle_gang)
                      cell.leaf = Leaf::prod_useful;
          }) == "allocated time belongs to no tenant");
}

TEST_CASE("parts of cells that do not add up to them are refused") {
    const Result result = test::result_of(test::plan_of({{0, 100}}, {test::pool_of(1, 2)}),
                                          {"fifo", HeadRule::block, "count", ""});
    REQUIRE(result.periods.size() > 20);
    CHECK(parse_result(saved(result), "r.json").periods == result.periods);
    Result other = result;
    other.periods.slot_ms[3] = 1;
    CHECK(mistake_in_books(other) == "the parts of cell 1 do not add up to it");
    other = result;
    other.periods.cost_high.assign(result.periods.size(), 0);
    other.periods.cost_low = other.periods.cost_high;
    CHECK(mistake_in_books(other).ends_with("and only there"));
    const auto error_after = [&](const char* pointer, const nlohmann::json& value) {
        nlohmann::json document = nlohmann::json::parse(saved(result));
        document[nlohmann::json::json_pointer{pointer}] = value;
        return error_of(document);
    };
    CHECK(error_after("/periods/width_ms", 7'000) == "");
    CHECK(error_after("/periods/width_ms", 0) == "r.json: periods.width_ms: not > 0");
    CHECK(error_after("/periods/width_ms", std::int64_t{1} << 44) ==
          "r.json: periods.width_ms: an index out of range");
    CHECK(error_after("/periods/origin_ms", 1) ==
          "r.json: periods.origin_ms: an index out of range");
    CHECK(error_after("/periods/cell/0", 9) == "r.json: periods.cell: an index out of range");
    CHECK(error_after("/periods/bucket/0", 4096) ==
          "r.json: periods.bucket: an index out of range");
    CHECK(error_after("/periods/bucket/0", 4095) ==
          "r.json: periods.bucket: a time out of range"); // it would begin after the end
    const nlohmann::json zeros = std::vector<int>(result.periods.size());
    CHECK(error_after("/periods/cost_high", zeros) ==
          "r.json: periods.cost_high: an index out of range");
}

TEST_CASE("parts of more than 2^63 slot-milliseconds add up") {
    // The largest pool of a scenario, for 34 years: buckets become 27 days wide.
    Plan plan = test::plan_of({{0, 100}}, {test::pool_of(16'384, 1'023)});
    plan.until = 34 * year;
    const Result result = test::result_of(plan, {"fifo", HeadRule::block, "count", ""});
    REQUIRE(result.periods.slot_ms_high.size() == result.periods.size());
    SlotTime held;
    for (std::size_t i = 0; i < result.periods.size(); ++i)
        held += result.periods.held(i);
    CHECK(held == slot_time(std::int64_t{16'384} * 1'023 * slots_per_gpu, 34 * year));
    CHECK(parse_result(saved(result), "r.json").periods == result.periods);
    nlohmann::json document = nlohmann::json::parse(saved(result));
    document["periods"]["slot_ms_high"][0] = PeriodColumns::max_held_high;
    CHECK(error_of(document) == "r.json: periods.slot_ms_high: an index out of range");
}

TEST_CASE("a result with unordered prices is refused, and so are costs that do not match") {
    const auto error_of_prices = [](const nlohmann::json& from_ms, const nlohmann::json& rates) {
        nlohmann::json document = saved_sample();
        nlohmann::json& pool = document["pools"][0];
        pool.erase("rate_nano_usd_per_gpu_hour");
        pool["price_from_ms"] = from_ms;
        pool["price_nano_usd_per_gpu_hour"] = rates;
        return error_of(document);
    };
    const std::string order = "r.json: pools[0].price_from_ms: not the starts of steps";
    CHECK(error_of_prices({0, 5, 5}, {1, 2, 3}) == order);
    CHECK(error_of_prices({1, 5}, {1, 2}) == order);
    CHECK(error_of_prices({0}, {1}) == order);
    CHECK(error_of_prices({0, 5}, {2, 2}) == order);
    CHECK(error_of_prices({0, 5}, {1}) == order);
    CHECK(error_of_prices({0, 5}, {1, -1}).starts_with("r.json: pools[0].price_nano_usd"));
    const auto mistake_with = [](std::vector<std::int64_t> rates) {
        Result result = test::sample_result();
        result.pools[0].price = PoolPrice{PriceSeries{{0, 5}, std::move(rates)}};
        return mistake_in_books(result);
    };
    CHECK(mistake_with({1, 2}) == "the cost of cell 0 is not its time x prices of its pool");
    CHECK(mistake_with({0, 950'000'000}) ==
          "the cells of pool owned do not add up to its GPUs over the window");
}

TEST_CASE("a pool whose price and grid change at different times is read again") {
    Result result = test::sample_result();
    result.pools[0].price = PoolPrice{PriceSeries{{0, 5}, {1, 2}}};
    result.pools[0].energy = PlanEnergy{};
    result.pools[0].energy->grid = GridIntensity{400'000};
    result.pools[0].grid = PoolPrice{PriceSeries{{0, 5, 9}, {1, 2, 3}}};
    CHECK(parse_result(saved(result), "r.json") == result);
}

TEST_CASE("the books of a run are checked before anything is shown") {
    test::SampleRun run = test::sample_run();
    run.rows.finish_ms[0] -= 1;
    CHECK(test::report_error_of([&] {
              (void)make_result(
                  run.plan, run.labels, run.outcome, run.rows, run.timeline, run.facts);
          }) == "a defect of bursar: the books of the run do not balance: the cells of tenants do "
                "not hold what their jobs held");
}

TEST_CASE("errors of the input differ from errors of writing") {
    CHECK_THROWS_AS((void)parse_result("{", "r.json"), BadResult);
    CHECK_THROWS_AS((void)parse_result("{}", "r.json"), BadResult);
    CHECK_THROWS_AS((void)load_result("/nowhere/result.json"), BadResult);
    CHECK(test::report_error_of([] { (void)parse_result("{\n\"kind\": x", "r.json"); }) ==
          "r.json: not a saved result, or truncated: invalid JSON in line 2");
    CHECK(test::report_error_of([] { (void)parse_result("[1e999]", "r.json"); }) ==
          "r.json: not a saved result, or truncated: invalid JSON in line 1");
    CHECK(test::report_error_of([] { (void)load_result("/"); }) ==
          "/: cannot be read: Is a directory");
}

TEST_CASE("a file that cannot be read is named") {
    CHECK(test::report_error_of([] { (void)load_result("/nowhere/result.json"); }) ==
          "/nowhere/result.json: cannot be read: No such file or directory");
}

} // namespace bursar::saved_result_test
