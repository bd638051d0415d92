#include <random>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "reports/errors/report_error.hpp"
#include "reports/registry.hpp"
#include "reports/result/saved_result.hpp"

#include "tests/plan_builder.hpp"
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

/// What parse_result says about the document, had its program known no hash.
std::string error_of(nlohmann::json document) {
    document.erase("content_hash");
    return test::report_error_of([&] { (void)parse_result(document.dump(), "r.json"); });
}

nlohmann::json saved_sample() {
    return nlohmann::json::parse(saved(test::sample_result()));
}

/// What parse_result says about the saved sample with the value at `pointer` replaced.
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

/// How many of `num_flips` flips of one bit in `text`, drawn from `seed`, change what its outputs
/// show, and how many are refused.
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
    CHECK(rc::check("load(save(r)) == r", [] {
        const Result result = test::random_result();
        RC_ASSERT(parse_result(saved(result), "random") == result);
    }));
}

TEST_CASE("names that are no UTF-8 are mended once and read back") {
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

TEST_CASE("what is no saved result is refused with a reason") {
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

TEST_CASE("a saved result with one wrong field is refused by its path") {
    CHECK(error_after("/schema_version", 2) ==
          "r.json: schema_version is 2 (this program reads 1); run the scenario again");
    CHECK(error_after("/run/seed", -1) == "r.json: run.seed: not a whole number >= 0");
    CHECK(error_after("/run/scenario_hash", "12") ==
          "r.json: run.scenario_hash: not 16 hexadecimal digits");
    CHECK(error_after("/outcome/end_ms", 1.5).starts_with("r.json: outcome.end_ms: not a whole"));
    CHECK(error_after("/pools/0/purchase", "stolen") == "r.json: pools[0].purchase: unknown name");
    CHECK(error_after("/pools/0/gpus_per_node", 1 << 24).find("not a whole") != std::string::npos);
    CHECK(error_after("/cells/1/tenant", 3).starts_with("r.json: cells[1].tenant: not a whole"));
    CHECK(error_after("/cells/0/slot_ms", "-4").starts_with("r.json: cells[0].slot_ms: not a"));
    CHECK(error_after("/cells/0/slot_ms", std::string(60, '9')).find("slot_ms") !=
          std::string::npos);
    CHECK(error_after("/cells/0/leaf", "prod.useful") ==
          "r.json: cells[1]: not in the order of pool, tenant and leaf");
    CHECK(error_after("/jobs/gpus", {1, 2}) == "r.json: jobs: its columns differ in length");
    CHECK(error_after("/jobs/gpus", {1, 2, 3, 4, 5, 6, "7"})
              .starts_with("r.json: jobs.gpus: element 6"));
    CHECK(error_after("/jobs/state/0", 9).starts_with("r.json: jobs.state: element 0"));
    CHECK(error_after("/jobs/pool/0", 2) == "r.json: jobs: job 0 has no such pool");
    CHECK(error_after("/jobs/name_end/0", 12) == "r.json: jobs.name_end: not the ends of names");
    CHECK(error_after("/timeline/pool/3", 2) == "r.json: timeline: row 3 has no such pool");
    CHECK(error_after("/timeline/time_ms/8", 0) == "r.json: timeline: row 8 goes back in time");
    CHECK(error_after("/timeline/allocated_slots/0", 9000).find("more GPUs") != std::string::npos);
    nlohmann::json document = saved_sample();
    document["metrics"].erase("wait_ms");
    CHECK(error_of(document) == "r.json: metrics: has no \"wait_ms\"");
}

TEST_CASE("no flip of a bit in a saved result changes what is reported") {
    const Flips flips = flip_bits(saved(test::sample_result()), 1000, 1);
    CHECK(flips.unnoticed == 0);
    CHECK(flips.refused > 990); // all but those in the name of the hash
    std::string text = saved(test::sample_result());
    text.replace(text.find("1234"), 4, "1235");
    CHECK(test::report_error_of([&] { (void)parse_result(text, "r.json"); }) ==
          "r.json: content_hash does not fit: the file was changed after it was saved; "
          "run the scenario again");
    CHECK(rc::check("in any result", [] {
        const auto seed = *rc::gen::inRange<unsigned>(0, 1'000'000);
        RC_ASSERT(flip_bits(saved(test::random_result()), 10, seed).unnoticed == 0);
    }));
}

TEST_CASE("a result whose books do not balance is refused") {
    const auto books_after = [](const char* pointer, const nlohmann::json& value) {
        const std::string error = error_after(pointer, value);
        const std::string start = "r.json: its books do not balance: ";
        CAPTURE(error);
        CHECK(error.starts_with(start));
        return error.substr(std::min(start.size(), error.size()));
    };
    CHECK(books_after("/cells/0/cost", "1") ==
          "the cost of cell 0 is not its time x the rate of its pool");
    CHECK(books_after("/pools/1/rate_nano_usd_per_gpu_hour", 350'000'001)
              .ends_with("is not its time x the rate of its pool"));
    CHECK(books_after("/pools/0/num_nodes", 3) ==
          "the cells of pool owned do not add up to its GPUs over the window");
    CHECK(books_after("/outcome/window_begin_ms", 1) ==
          "the cells of pool owned do not add up to its GPUs over the window");
    CHECK(books_after("/jobs/tenant/0", 1) ==
          "the cells of tenants do not hold what their jobs held");
    CHECK(books_after("/jobs/finish_ms/0", 7'199'999) ==
          "the cells of tenants do not hold what their jobs held");
    CHECK(books_after("/outcome/num_finished", 5) ==
          "there are not as many jobs finished as is said");
    CHECK(books_after("/outcome/num_started", 5) ==
          "there are not as many attempts as are said to have started");
    CHECK(books_after("/cells/0/slot_ms", "1000000000000000000000000") ==
          "cell 0 holds more than its pool has");
    nlohmann::json document = saved_sample();
    for (nlohmann::json& cell : document["cells"])
        if (cell["leaf"] == "idle.gang")
            cell["leaf"] = "prod.useful";
    CHECK(error_of(document) ==
          "r.json: its books do not balance: allocated time belongs to no tenant");
}

TEST_CASE("parts of cells that do not add up to them are refused") {
    const Result result = test::result_of(test::plan_of({{0, 100}}, {test::pool_of(1, 2)}),
                                          {"fifo", HeadRule::block, "count", ""});
    REQUIRE(result.periods.size() > 20);
    CHECK(parse_result(saved(result), "r.json").periods == result.periods);
    const auto error_after = [&](const char* pointer, const nlohmann::json& value) {
        nlohmann::json document = nlohmann::json::parse(saved(result));
        document.erase("content_hash");
        document[nlohmann::json::json_pointer{pointer}] = value;
        return error_of(document);
    };
    CHECK(error_after("/periods/width_ms", 7'000) == "");
    CHECK(error_after("/periods/slot_ms/3", 1) ==
          "r.json: its books do not balance: the parts of cell 1 do not add up to it");
    CHECK(error_after("/periods/cell/0", 9) == "r.json: periods: part 0 is of no cell");
    CHECK(error_after("/periods/bucket/0", 2) ==
          "r.json: periods: part 1 is not in the order of time and cell");
    CHECK(error_after("/periods/width_ms", 0).starts_with("r.json: periods.width_ms: "));
    const nlohmann::json zeros = std::vector<int>(result.periods.size());
    CHECK(error_after("/periods/cost_high", zeros).ends_with("and only there"));
}

TEST_CASE("a result whose prices are not in order, or do not fit its costs, is refused") {
    const auto error_of_prices = [](const nlohmann::json& from_ms, const nlohmann::json& rates) {
        nlohmann::json document = saved_sample();
        nlohmann::json& pool = document["pools"][0];
        pool.erase("rate_nano_usd_per_gpu_hour");
        pool["price_from_ms"] = from_ms;
        pool["price_nano_usd_per_gpu_hour"] = rates;
        return error_of(document);
    };
    const std::string order = "r.json: pools[0]: its prices are not in order";
    CHECK(error_of_prices({0, 5, 5}, {1, 2, 3}) == order);
    CHECK(error_of_prices({1, 5}, {1, 2}) == order);
    CHECK(error_of_prices({0}, {1}) == order);
    CHECK(error_of_prices({0, 5}, {2, 2}) == order);
    CHECK(error_of_prices({0, 5}, {1}) == "r.json: pools[0]: its columns differ in length");
    CHECK(error_of_prices({0, 5}, {1, -1}).starts_with("r.json: pools[0].price_nano_usd"));
    CHECK(error_of_prices({0, 5}, {1, 2}) ==
          "r.json: its books do not balance: the cost of cell 0 is not its time x prices of its "
          "pool");
    CHECK(error_of_prices({0, 5}, {0, 950'000'000}) ==
          "r.json: its books do not balance: the cells of pool owned do not add up to its GPUs "
          "over the window");
    nlohmann::json document = saved_sample();
    document["pools"][0].erase("rate_nano_usd_per_gpu_hour");
    CHECK(error_of(document) == "r.json: pools[0]: has no \"rate_nano_usd_per_gpu_hour\"");
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

TEST_CASE("stalled slots may be left out, but not wrong") {
    CHECK_FALSE(nlohmann::json::parse(saved(test::sample_result()))["jobs"].contains(
        "stalled_slots")); // as results were saved before any job had them
    CHECK(error_after("/jobs/stalled_slots", {0, 0}) ==
          "r.json: jobs: its columns differ in length");
    CHECK(error_after("/jobs/stalled_slots", {4001, 0, 0, 0, 0, 0, 0}) ==
          "r.json: jobs: job 0 has more slots stalled than it holds");
    CHECK(error_after("/jobs/stalled_slots", {-1, 0, 0, 0, 0, 0, 0})
              .starts_with("r.json: jobs.stalled_slots: element 0"));
}

TEST_CASE("what is wrong with the input can be told from what is wrong with writing") {
    CHECK_THROWS_AS((void)parse_result("{", "r.json"), BadResult);
    CHECK_THROWS_AS((void)parse_result("{}", "r.json"), BadResult);
    CHECK_THROWS_AS((void)load_result("/nowhere/result.json"), BadResult);
    CHECK(test::report_error_of([] { (void)parse_result("{\n\"kind\": x", "r.json"); }) ==
          "r.json: not a saved result, or truncated: invalid JSON in line 2");
    CHECK(test::report_error_of([] { (void)parse_result("[1e999]", "r.json"); }) ==
          "r.json: not a saved result: a number is too large");
    CHECK(test::report_error_of([] { (void)load_result("/"); }) ==
          "/: cannot be read: Is a directory");
}

TEST_CASE("a file that cannot be read is named") {
    CHECK(test::report_error_of([] { (void)load_result("/nowhere/result.json"); }) ==
          "/nowhere/result.json: cannot be read: No such file or directory");
}

} // namespace bursar::saved_result_test
