#include <string>

#include <doctest/doctest.h>

#include "tests/tools/program.hpp"
#include "tests/tools/simulate/small_scenario.hpp"
#include "tools/simulate/load_scenario.hpp"

namespace bursar::test::load_scenario_test {

TEST_CASE("a scenario is loaded from a text, under the name that messages use") {
    const LoadedScenario loaded = load_scenario(two_jobs());
    CHECK(loaded.scenario.name == "two jobs");
    CHECK(loaded.scenario.file == "two_jobs.yaml");
    CHECK(loaded.scenario.fleet.at(0).gpu == "V100-SXM2-16GB");
    CHECK(loaded.catalogue->find("H100") != nullptr);
}

TEST_CASE("a scenario is loaded from a file, and changed by overrides") {
    const TemporaryFolder folder;
    ScenarioSource source = two_jobs();
    source.file = folder.write("s.yaml", *source.text);
    source.text.reset();
    source.overrides = {{"fleet.p.nodes", "3"}, {"policy.queue", "sjf"}};
    const LoadedScenario loaded = load_scenario(source);
    CHECK(loaded.scenario.fleet.at(0).nodes == 3);
    CHECK(loaded.scenario.policy.queue == "sjf");
    CHECK(loaded.scenario.file == source.file);
}

TEST_CASE("the user's catalogue replaces the built-in one") {
    const TemporaryFolder folder;
    ScenarioSource source = two_jobs();
    source.catalogue_file = folder.write("gpus.yaml",
                                         "gpus:\n"
                                         "  - {name: X1, vendor: x, memory: 1 GB, source: me, "
                                         "date: 2026-01-01}\n");
    source.overrides = {{"fleet.p.gpu", "X1"}};
    CHECK(load_scenario(source).scenario.fleet.at(0).gpu == "X1");
    source.overrides.clear();
    CHECK_THROWS_WITH_AS(static_cast<void>(load_scenario(source)),
                         doctest::Contains("V100-SXM2-16GB"),
                         ScenarioError);
}

TEST_CASE("mistakes are thrown with their place") {
    ScenarioSource source = two_jobs();
    source.overrides = {{"policy.queue", "fif"}};
    CHECK_THROWS_WITH_AS(
        static_cast<void>(load_scenario(source)), doctest::Contains("\"fifo\""), ScenarioError);
    CHECK_THROWS_AS(static_cast<void>(load_scenario({.file = "is/nowhere.yaml"})), ScenarioError);
}

TEST_CASE("variants share catalogue and workloads") {
    const auto variants = load_variants(
        two_jobs(), all_variants(std::vector{parse_axis("policy.queue=fifo,sjf,srtf")}));
    REQUIRE(variants.size() == 3);
    CHECK(variants[1].scenario.policy.queue == "sjf");
    for (const LoadedScenario& variant : variants) {
        CHECK(variant.catalogue == variants.front().catalogue);
        CHECK(variant.workloads == variants.front().workloads);
    }
}

TEST_CASE("a variant's overrides come after those of the source") {
    ScenarioSource source = two_jobs();
    source.overrides = {{"fleet.p.nodes", "2"}, {"policy.queue", "las"}};
    const auto variants =
        load_variants(source, all_variants(std::vector{parse_axis("policy.queue=fifo,sjf")}));
    CHECK(variants.at(1).scenario.policy.queue == "sjf");
    CHECK(variants.at(1).scenario.fleet.at(0).nodes == 2);
}

TEST_CASE("the mistakes of all variants are reported together, each once") {
    ScenarioSource source = two_jobs();
    source.overrides = {{"fleet.p.price", "1"}}; // wrong in every variant
    try {
        static_cast<void>(
            load_variants(source, all_variants(std::vector{parse_axis("policy.queue=fif,sj")})));
        FAIL("nothing was thrown");
    } catch (const ScenarioError& error) {
        const std::string text = error.what();
        CAPTURE(text);
        CHECK(error.findings().size() == 3);
        CHECK(text.find("has no unit") == text.rfind("has no unit"));
        CHECK(has(text, "\"fif\""));
        CHECK(has(text, "\"sj\""));
    }
}

TEST_CASE("a declaration of one variant does not affect the others") {
    const ScenarioLoader loader{two_jobs()};
    const Override price{"fleet.p.price", "1 EUR/gpu-h"};
    const Override rate{"currencies", "{EUR: {usd: 1.1, date: 2026-01-02}}"};
    const auto read = [&](const std::vector<Override>& sets) { return loader.load(sets).scenario; };
    const Scenario in_euros = read({rate, price});
    REQUIRE(in_euros.currencies.size() == 1);
    CHECK(read({}).currencies.empty());
    CHECK_THROWS_WITH_AS(read({price}), doctest::Contains("EUR"), ScenarioError);
    CHECK(read({rate, price}).hash == in_euros.hash);
}

} // namespace bursar::test::load_scenario_test
