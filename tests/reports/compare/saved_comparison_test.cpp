// A saved comparison renders to the same formats as before.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/compare/compare_formats.hpp"
#include "reports/compare/saved_comparison.hpp"
#include "reports/errors/report_error.hpp"

#include "tests/contains.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/content_hash.hpp"

namespace bursar::saved_comparison_test {
namespace {

using namespace bursar::test;

std::string
text_of(const CompareOutput& output, const Comparison& comparison, const CompareQuestion& asked) {
    StringSink sink;
    output.write(comparison, asked, 90, sink);
    return sink.text();
}

std::string saved(const Comparison& comparison, const CompareQuestion& asked = {}) {
    StringSink sink;
    write_saved_comparison(comparison, asked, 90, sink);
    return sink.text();
}

std::string any_name() {
    return drawn::one_of<std::string>(
        "fifo", "a|b\n\x1b[1m,\"c", "<script>", "=1+1", "../up", "\u202e right", "");
}

std::vector<std::string> any_sentences() {
    std::vector<std::string> out;
    for (int i = drawn::in_range(0, 3); i > 0; --i)
        out.push_back(any_name() + std::to_string(i));
    return out;
}

std::vector<Scalar> any_run() {
    std::vector<Scalar> run;
    for (const ScalarRow& scalar : scalar_table()) {
        std::optional<double> value;
        if (drawn::in_range(0, 8) > 0)
            value = drawn::in_range(-1'000'000, 1'000'000) / 7.0;
        run.push_back({scalar.name, value});
    }
    return run;
}

RunEnding any_ending() {
    RunEnding ending{
        Duration{drawn::in_range<std::int64_t>(0, 1'000'000'000)}, drawn::boolean(), {}, {}};
    if (drawn::boolean())
        ending.measured_to = Duration{drawn::in_range<std::int64_t>(0, 1'000'000'000)};
    for (int i = drawn::in_range(0, 2); i > 0; --i) {
        KeptCapacity& pool = ending.kept.emplace_back();
        pool.purchase = drawn::boolean() ? Purchase::owned : Purchase::reserved;
        pool.gpus = drawn::in_range<std::int64_t>(0, 1'000);
        if (drawn::boolean())
            pool.rate = MoneyRate{drawn::in_range<std::int64_t>(0, 10'000'000'000)};
        pool.step = Duration{drawn::in_range<std::int64_t>(1, 10'000'000)};
    }
    return ending;
}

ComparedVariant any_variant(int number, std::size_t num_runs) {
    ComparedVariant variant;
    variant.label = any_name() + std::to_string(number);
    variant.settings = {{"policy.queue", any_name()}, {any_name(), variant.label}};
    variant.folder = drawn::one_of<std::string>("", variant.label);
    variant.scenario_hash = drawn::bits();
    variant.gpus = drawn::one_of<std::string>("T4", "V100");
    for (std::size_t run = 0; run < num_runs; ++run) {
        variant.fingerprints.push_back(drawn::bits());
        variant.endings.push_back(any_ending());
        variant.runs.push_back(any_run());
        variant.finished.push_back({drawn::in_range<std::uint64_t>(0, 9),
                                    drawn::in_range<std::uint64_t>(0, 2),
                                    drawn::in_range<std::uint64_t>(0, 2)});
        variant.workloads.push_back(
            {drawn::in_range<std::uint64_t>(0, 2), drawn::in_range<std::uint64_t>(0, 2)});
    }
    for (int i = drawn::in_range(0, 3); i > 0; --i)
        variant.tenants.push_back({any_name() + std::to_string(i),
                                   drawn::in_range<std::uint64_t>(1, 9),
                                   Duration{drawn::in_range<std::int64_t>(0, 1'000'000)}});
    variant.caveats = {
        any_sentences(), any_sentences(), any_sentences(), any_sentences(), any_sentences()};
    return variant;
}

JobChanges any_changes() {
    JobTimes base;
    JobTimes variant;
    for (std::uint64_t i = drawn::in_range<std::uint64_t>(0, 9); i > 0; --i)
        for (JobTimes* times : {&base, &variant}) {
            times->ids.push_back(i);
            times->jct_ms.push_back(drawn::in_range<std::int64_t>(0, 1'000'000));
            times->is_finished.push_back(drawn::boolean());
        }
    return job_changes(base, variant);
}

Comparison any_comparison() {
    Comparison comparison;
    comparison.version = "1.2.3";
    comparison.scenario_name = any_name();
    comparison.first_seed = drawn::bits();
    comparison.random = drawn::boolean();
    const std::size_t num_runs = comparison.random ? drawn::in_range<std::size_t>(1, 4) : 1;
    for (int i = drawn::in_range(2, 5); i > 0; --i)
        comparison.variants.push_back(any_variant(i, num_runs));
    for (std::size_t i = 1; i < comparison.variants.size(); ++i)
        if (drawn::boolean())
            comparison.variants[i].jobs = any_changes();
    work_out(comparison);
    return comparison;
}

CompareQuestion any_question() {
    CompareQuestion asked;
    for (const char* name : {"cost.total", "metrics.wait_s.p99", "ratios.goodput"})
        if (drawn::boolean())
            asked.metrics.push_back(find_scalar(name));
    ConditionMistake mistake;
    if (drawn::boolean())
        asked.goal = parse_goal("wait.p90 <= 1.5 h", mistake);
    asked.common_end = drawn::boolean();
    return asked;
}

Comparison small() {
    Comparison comparison;
    comparison.version = "1.2.3";
    comparison.variants.resize(2);
    for (ComparedVariant& variant : comparison.variants)
        variant.runs = {{{"cost.total", 1.0}}};
    work_out(comparison);
    return comparison;
}

/// The message about a file that is no comparison.
std::string complaint(const std::string& json) {
    try {
        static_cast<void>(parse_comparison(json, "c.json"));
    } catch (const BadResult& bad) {
        return bad.what();
    }
    return "none";
}

std::string with(std::string text, const std::string& old_part, const std::string& new_part) {
    const std::size_t at = text.find(old_part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old_part.size(), new_part);
}

} // namespace

TEST_CASE("a saved comparison renders to every format as it did, to the last byte") {
    CHECK(check_property([] {
        const Comparison comparison = any_comparison();
        CompareQuestion asked = any_question();
        SavedComparison again = parse_comparison(saved(comparison, asked), "comparison.json");
        for (const CompareDetail detail : {CompareDetail::full, CompareDetail::brief}) {
            asked.detail = detail;
            again.question.detail = detail;
            for (const CompareOutput& output : compare_outputs())
                RC_ASSERT(text_of(output, again.comparison, again.question) ==
                          text_of(output, comparison, asked));
        }
    }));
}

TEST_CASE("a file with other bytes and the right hash is refused, or read") {
    CHECK(check_property([] {
        std::string text = saved(any_comparison(), any_question());
        const std::size_t end = text.rfind(',');
        for (int i = drawn::in_range(1, 4); i > 0; --i) {
            const std::size_t at = drawn::in_range<std::size_t>(0, end);
            if (const char was = text[at]; was >= '0' && was <= '9')
                text[at] = drawn::element_of(std::string{"0123456789-.e,"});
            else
                text[at] = drawn::element_of(std::string{"0\"]},:anu-\\ "});
        }
        try {
            const SavedComparison again = parse_comparison(with_content_hash(text), "c.json");
            RC_ASSERT(again.comparison.variants.size() >= 2U);
        } catch (const BadResult& bad) {
            RC_ASSERT(std::string_view{bad.what()}.starts_with("c.json: "));
        }
    }));
}

TEST_CASE("a comparison with few known values is saved") {
    const SavedComparison again = parse_comparison(saved(small()), "c.json");
    CHECK(again.comparison.variants.size() == 2);
    CHECK(again.comparison.variants[1].differences.at(0).verdict == Verdict::equal);
    CHECK(again.comparison.variants[1].same_finished);
    CHECK(again.question.metrics.empty());
    CHECK_FALSE(again.question.goal);
}

TEST_CASE("a file that is no saved comparison is refused in one line with its name") {
    const std::string good = saved(small());
    CHECK(complaint(good) == "none");
    CHECK(contains(complaint("{}"), "c.json: not a saved comparison"));
    CHECK(contains(complaint("{\"kind\": \"bursar result\"}"), "not a saved comparison"));
    CHECK(contains(complaint(good.substr(0, good.size() / 2)), "or truncated: invalid JSON"));
    CHECK(complaint(with(good, "\"schema_version\": 3", "\"schema_version\": 2")) ==
          "c.json: schema_version is 2 (this program reads 3); run the comparison again");
    CHECK(contains(complaint(with(good, "[1]", "[2]")), "the file was changed after it was saved"));
    for (std::size_t size = 0; size < good.size(); size += 7)
        CHECK(complaint(good.substr(0, size)) != "none");
}

TEST_CASE("values that a comparison cannot have are refused, also with the right hash") {
    Comparison one = small();
    one.variants.pop_back();
    CHECK(contains(complaint(saved(one)), "fewer than two variants"));
    Comparison uneven = small();
    uneven.variants[1].runs.push_back(uneven.variants[1].runs.front());
    CHECK(contains(complaint(saved(uneven)), "not equally many runs of each variant"));
    Comparison wide = small();
    wide.variants[1].runs[0].push_back({"cost.paid", 1.0});
    CHECK(contains(complaint(saved(wide)), "not a value for every scalar"));
    Comparison no_job = small();
    no_job.variants[1].jobs.emplace().points = {{1}, {1}, {0}};
    CHECK(contains(complaint(saved(no_job)), "jobs_at: a point of no job"));
    Comparison large = small();
    large.variants[1].endings = {{hour, true, {}, {{Purchase::owned, 1 << 30, {}, hour}}}};
    CHECK(contains(complaint(saved(large)), "gpus: out of range"));
    Comparison newer = small();
    for (ComparedVariant& variant : newer.variants)
        variant.runs[0][0].name = "metrics.of_tomorrow";
    CHECK(
        contains(complaint(saved(newer)),
                 "no metric of this version is named \"metrics.of_tomorrow\"; bursar 1.2.3 saved"));
    ConditionMistake mistake;
    CompareQuestion asked{.goal = parse_goal("wait.p90 < 1 h", mistake)};
    asked.goal->text = "wait.p90 < 1 furlong";
    CHECK(
        contains(complaint(saved(small(), asked)), "c.json: goal: \"1 furlong\" is not a number"));
}

} // namespace bursar::saved_comparison_test
