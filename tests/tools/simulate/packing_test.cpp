#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/contains.hpp"
#include "tests/tools/program.hpp"

// Jobs that share GPUs, through a scenario.
namespace bursar::test::packing_test {
namespace {

/// Two jobs of an hour and a half on one GPU. Beside each other they work at 3/4 of their speed.
std::string
scenario(const std::string& pool = {},
         const std::string& more = {},
         const std::string& allocator = "name: fifo-perf, packing: on, packing_gain: 1.4",
         const std::string& file = "pairs.json") {
    return fmt::format(R"(
bursar: 1
workload:
  gpu: V100
  speeds: {{file: {}, gpus: {{v100: V100}}}}
  jobs: [{{name: a, gpus: 1, duration: 90 min}}, {{name: b, gpus: 1, duration: 90 min}}]
  classes: [{{startup: 0 s{}}}]
fleet: [{{pool: a, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 1, price: 1 USD/gpu-h{}}}]
policy: {{allocator: {{{}}}}}
)",
                       file,
                       more,
                       pool,
                       allocator);
}

Answer run(const std::string& text, const std::vector<std::string>& options = {}) {
    const TemporaryFolder folder;
    folder.write("pairs.json", R"json({"v100": {"('a', 1)": {"null": 4, "('b', 1)": [3, 3]},
                                                "('b', 1)": {"null": 4}}})json");
    folder.write("alone.json", R"json({"v100": {"('a', 1)": {"null": 5}}})json");
    std::vector<std::string> words{"run", folder.write("s.yaml", text), "--format", "json"};
    words.insert(words.end(), options.begin(), options.end());
    return bursar(words);
}

std::string mistake(const std::string& text, const std::vector<std::string>& options = {}) {
    const Answer answer = run(text, options);
    CHECK(answer.code == 2);
    return answer.err;
}

} // namespace

TEST_CASE("the bill says what sharing GPUs saves, and what it costs") {
    const auto shared = nlohmann::json::parse(run(scenario()).out);
    const auto alone = nlohmann::json::parse(run(scenario({}, {}, "name: fifo-perf")).out);
    CHECK(alone["cost"]["total"] == 3.0);
    CHECK(shared["cost"]["total"] == 2.0);
    CHECK(shared["gpu_hours"]["by_leaf"]["stall.interference"] == 0.5);
    CHECK(shared["gpu_hours"]["by_leaf"]["prod.useful"] == 1.5);
    CHECK(shared["metrics"]["wait_s"]["max"] == 0.0);
    CHECK(alone["metrics"]["wait_s"]["max"] == 5400.0);
    const auto picky = nlohmann::json::parse(
        run(scenario({}, {}, "name: fifo-perf, packing: on, packing_gain: 1.5")).out);
    CHECK(picky["cost"]["total"] == 3.0);
}

TEST_CASE("what does not go with jobs that share GPUs is refused with its place") {
    for (const char* key : {"failures: {per_gpu_hour: 0.02, repair: 1 h}",
                            "maintenance: {every: 8 h, length: 1 h}",
                            "stragglers: {share: 0.5, slowdown: 2}"}) {
        CAPTURE(key);
        const std::string name{key, std::string{key}.find(':')};
        CHECK(contains(mistake(scenario(fmt::format(", {}", key))),
                       fmt::format("fleet.a.{}: cannot be combined with packing: on (jobs share "
                                   "GPUs of nodes that are there all the time, and equally fast); "
                                   "remove it, or packing",
                                   name)));
    }
    CHECK(contains(mistake(scenario({}, ", failures: {per_job_hour: 0.3}")),
                   "workload.classes[0].failures: cannot be combined with packing: on"));
    CHECK(contains(mistake(scenario() + "budgets: [{name: x, limit: 5 USD, then: stop-jobs}]\n"),
                   "budgets: cannot be combined with packing: on"));
    CHECK(contains(
        mistake(scenario({}, {}, "name: fifo-perf, packing: on, packing_gain: 1.4", "alone.json")),
        "policy.allocator: packing: on needs the speeds of jobs that share GPUs"));
    CHECK(contains(mistake(scenario(), {"--set", "policy.rounds=6 min"}),
                   "packing cannot be combined with rounds"));
    CHECK(
        contains(mistake(scenario({}, {}, "name: fifo-perf, packing_gain: 1.2")), "packing_gain"));
}

} // namespace bursar::test::packing_test
