#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/scalars/scalars.hpp"

#include "tests/tools/simulate/small_scenario.hpp"
#include "tools/simulate/compare_variants.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar::test::variant_results_test {
namespace {

using Results = std::map<std::size_t, Result>;

/// The comparison, and the result of each variant.
std::pair<Comparison, Results> compared(const ScenarioSource& source, CompareSettings settings) {
    const std::vector<Variant> variants =
        all_variants(std::vector{parse_axis("policy.queue=fifo,sjf")});
    Results results;
    settings.on_result = [&](std::size_t variant, const Result& result) {
        CHECK(results.emplace(variant, result).second);
    };
    Comparison comparison = compare_variants(variants, load_variants(source, variants), settings);
    return {std::move(comparison), std::move(results)};
}

ScenarioSource drawn(const std::string& more) {
    return {.file = "drawn.yaml",
            .text = "bursar: 1\n"
                    "workload: {synthetic: {like: philly, jobs: 60, gpus: 16, load: 1.2}}\n"
                    "fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 2, gpus_per_node: 8, "
                    "price: 1 USD/gpu-h}]\n" +
                    more};
}

} // namespace

TEST_CASE("a variant's result equals its first seed in the comparison") {
    const auto [comparison, results] = compared(drawn(""), {.seeds = 3});
    REQUIRE(results.size() == 2);
    for (const auto& [variant, result] : results) {
        const ComparedVariant& one = comparison.variants[variant];
        CHECK(result.fingerprint == one.fingerprints.front());
        CHECK(result.timeline.size() > 0);
        const std::vector<Scalar> own = scalars(result);
        for (std::size_t i = 0; i < own.size(); ++i) {
            CAPTURE(own[i].name);
            CHECK(own[i].value == one.runs.front()[i].value);
        }
        REQUIRE(result.repeats);
        CHECK(*result.repeats == repeats_over(one.runs));
    }
}

TEST_CASE("a variant's result equals that of a single run, whether or not `until` ends it") {
    for (const char* until : {"", "until: 2 d\n"}) {
        CAPTURE(until);
        const ScenarioSource source = drawn(until);
        const auto [comparison, results] = compared(source, {.seeds = 1});
        ScenarioSource sjf = source;
        sjf.overrides = {{"policy.queue", "sjf"}};
        const Result alone = run_scenario(load_scenario(sjf), {.record = Record::timeline});
        const Result& of_variant = results.at(1);
        CHECK(of_variant.fingerprint == alone.fingerprint);
        CHECK(of_variant.end == alone.end);
        CHECK(of_variant.run.warnings == alone.run.warnings);
        CHECK(!of_variant.repeats);
    }
}

TEST_CASE("budgets of a variant count its seeds") {
    const auto [comparison, results] =
        compared(drawn("budgets: [{name: lid, limit: 1 USD}]\n"), {.seeds = 3});
    for (const auto& [variant, result] : results) {
        REQUIRE(result.run.budgets.size() == 1);
        CHECK(result.run.budgets.front().seeds_exceeded == 3);
    }
}

} // namespace bursar::test::variant_results_test
