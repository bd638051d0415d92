#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/contains.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::job_format_test {
namespace {

using test::contains;

const std::string llama = "model: llama-3-8b, steps: 100, batch: 512 samples, "
                          "parallelism: {tensor: 8, sharding: zero1, sequence_parallel: yes}";

Scenario read(const std::string& job_class, const std::string& precision = "as-given") {
    const std::string text = fmt::format("bursar: 1\n"
                                         "workload:\n"
                                         "  jobs: [{{name: a, gpus: 8}}]\n"
                                         "  classes: [{{{}}}]\n"
                                         "fleet:\n"
                                         "  - {{pool: h100, purchase: owned, gpu: H100, nodes: 1, "
                                         "gpus_per_node: 8, price: 2 USD/gpu-h}}\n"
                                         "  - {{pool: a100, purchase: owned, gpu: A100, nodes: 1, "
                                         "gpus_per_node: 8, price: 1 USD/gpu-h}}\n",
                                         job_class);
    Scenario scenario =
        read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin_catalogue());
    scenario.policy.precision = precision;
    return scenario;
}

Compiled compiled(const Scenario& scenario) {
    return compile(scenario, builtin_catalogue(), load_workload(scenario, 1));
}

/// How the only gang trains on each pool: H100, A100.
std::vector<TrainedOn> trained(const std::string& job_class, const std::string& precision) {
    return compiled(read(job_class, precision)).trained.at(0).pools;
}

std::string mistakes(const std::string& job_class, const std::string& precision = "as-given") {
    try {
        compiled(read(job_class, precision));
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("under best-supported each pool trains in the shortest format that it has") {
    const std::vector<TrainedOn> given = trained(llama, "as-given");
    const std::vector<TrainedOn> best = trained(llama, "best-supported");
    REQUIRE(given.size() == 2);
    REQUIRE(best.size() == 2);
    CHECK(given[0].precision == Precision::bf16);
    CHECK(best[0].precision == Precision::fp8);
    CHECK(best[0].step.total() < given[0].step.total());
    CHECK(best[1].precision == Precision::bf16);
    CHECK(best[1].step.total() == given[1].step.total());
}

TEST_CASE("a class that pins a format keeps it, and a forbidden format is not chosen") {
    const std::vector<TrainedOn> pinned = trained(llama + ", precision: fp32", "best-supported");
    REQUIRE(pinned.size() == 2);
    CHECK(pinned[0].precision == Precision::fp32);
    CHECK(pinned[1].precision == Precision::fp32);
    CHECK(trained(llama + ", forbid: fp8", "best-supported")[0].precision == Precision::bf16);
    const std::vector<TrainedOn> long_ones =
        trained(llama + ", forbid: [fp8, bf16, fp16]", "as-given");
    CHECK(long_ones[0].precision == Precision::tf32);
    CHECK(long_ones[0].step.total() > trained(llama, "as-given")[0].step.total());
}

TEST_CASE("the policy that chose a format is listed under assumed") {
    const std::vector<std::string> assumed = compiled(read(llama, "best-supported")).notes.assumed;
    CHECK(std::ranges::find(assumed,
                            "llama-3-8b on H100-SXM5-80GB: precision fp8 (policy.precision: "
                            "best-supported)") != assumed.end());
}

TEST_CASE("a format for the whole cluster is refused if a GPU lacks it, with a suggestion") {
    const std::string said = mistakes(llama, "fp8");
    CHECK(contains(said,
                   "policy.precision: A100-SXM4-80GB of pool a100 has no fp8 (it has fp32, tf32, "
                   "fp16, bf16); best-supported trains in bf16 there"));
    CHECK(!contains(said, "pool h100"));
    CHECK(mistakes(llama + ", pools: h100", "fp8").empty());
    CHECK(mistakes(llama + ", precision: bf16", "fp8").empty());
    CHECK(mistakes(llama + ", forbid: fp8", "fp8").empty());
}

TEST_CASE("the GPU of measured run times is reported if it has no effect") {
    Scenario scenario = read(llama);
    scenario.run_times = {"V100-SXM2-16GB", Precision::fp32};
    const std::vector<std::string> warnings = compiled(scenario).notes.warnings;
    for (const char* key : {"gpu", "precision"})
        CHECK(std::ranges::find(warnings,
                                fmt::format("s.yaml: workload.{}: has no effect (every job trains "
                                            "a model)",
                                            key)) != warnings.end());
}

TEST_CASE("from a list of formats each GPU uses the first that it supports, with a note; none is "
          "refused") {
    const auto wanted = [](const std::vector<Precision>& formats) {
        Scenario scenario = read(llama, "first-supported");
        std::vector<std::int64_t> numbers;
        for (const Precision format : formats)
            numbers.push_back(static_cast<std::int64_t>(format));
        scenario.policy.precision_options.set("formats", numbers);
        return scenario;
    };
    const Compiled both = compiled(wanted({Precision::fp8, Precision::bf16}));
    CHECK(both.trained.at(0).pools[0].precision == Precision::fp8);
    CHECK(both.trained.at(0).pools[1].precision == Precision::bf16);
    const auto is_fallback = [](const std::string& note) {
        return contains(note, "has no") && contains(note, "policy.precision gives jobs");
    };
    REQUIRE(std::ranges::count_if(both.notes.assumed, is_fallback) == 1);
    CHECK(*std::ranges::find_if(both.notes.assumed, is_fallback) ==
          "A100-SXM4-80GB of pool a100 has no fp8: policy.precision gives jobs bf16 there");
    const std::vector<std::string> none =
        compiled(wanted({Precision::bf16, Precision::fp8})).notes.assumed;
    CHECK(std::ranges::count_if(none, is_fallback) == 0);
    Scenario only_fp8 = wanted({Precision::fp8});
    CHECK_THROWS_WITH_AS((void)compiled(only_fp8),
                         doctest::Contains("A100-SXM4-80GB of pool a100 has no fp8"),
                         ScenarioError);
}

TEST_CASE("contradictions of formats are refused") {
    CHECK(contains(mistakes(llama + ", forbid: [fp8, fp32]"), "forbid: fp32 cannot be forbidden"));
    CHECK(contains(mistakes(llama + ", precision: fp16, forbid: fp16"),
                   "forbid: fp16 is the precision of the class"));
}

} // namespace bursar::job_format_test
