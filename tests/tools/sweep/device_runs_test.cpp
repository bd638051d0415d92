#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/tools/batch/failing_device.hpp"
#include "tests/tools/simulate/small_scenario.hpp"
#include "tools/simulate/many_runs.hpp"
#include "tools/simulate/simulation_error.hpp"
#include "tools/sweep/device_runs.hpp"

namespace bursar::test::device_runs_test {
namespace {

/// Runs of one scenario with different seeds, and their outcomes.
struct Made {
    std::vector<std::uint64_t> fingerprints;
    std::vector<std::string> told{};
    std::size_t num_on_gpus{};
    std::map<std::string, std::size_t> left{};
};

struct Asked {
    std::size_t num_runs{12};
    std::string policy{"{queue: las, capacity: count}"};
    std::optional<std::string> budgets{};
};

Made make(const Asked& asked, std::vector<BatchGpu> gpus, SimulatedOn on) {
    ScenarioSource source = synthetic();
    source.overrides.push_back({"policy", asked.policy});
    if (asked.budgets)
        source.overrides.push_back({"budgets", *asked.budgets});
    const LoadedScenario loaded = load_scenario(source);
    std::vector<PlannedRun> runs;
    for (std::size_t i = 0; i < asked.num_runs; ++i)
        runs.push_back(planned_run(i, loaded.scenario, i));
    Made made{std::vector<std::uint64_t>(asked.num_runs)};
    DeviceRuns devices{
        std::move(gpus), on, 2, [&](const std::string& text) { made.told.push_back(text); }};
    make_runs(runs,
              {.threads = 2,
               .load = [&](std::size_t) { return load_scenario(source); },
               .ahead = [&](std::span<CompiledRun* const> part,
                            std::size_t num_after) { devices(part, num_after); },
               .run =
                   [&](std::size_t i, CompiledRun run, Workspace& workspace) {
                       const Result result = run_compiled(run, Record::jobs, workspace);
                       run.made = nullptr;
                       const Result alone = run_compiled(run, Record::jobs, workspace);
                       made.fingerprints[i] = result.fingerprint;
                       CHECK(result.fingerprint == alone.fingerprint);
                       CHECK(result.metrics == alone.metrics);
                       CHECK(result.cells == alone.cells);
                   }});
    made.num_on_gpus = devices.num_made();
    made.left = devices.left();
    return made;
}

} // namespace

TEST_CASE("runs simulated by a device have the same results as without it") {
    const Made one = make({}, {lanes_as_gpu("lanes")}, SimulatedOn::gpus);
    CHECK(one.num_on_gpus == 12);
    CHECK(one.left.empty());
    const Made two = make({}, {lanes_as_gpu("a"), lanes_as_gpu("b")}, SimulatedOn::gpus);
    CHECK(two.num_on_gpus == 12);
    CHECK(two.fingerprints == one.fingerprints);
}

TEST_CASE("the host makes the runs that a lost device has not made, and those that none can make") {
    const Made whole = make({}, {}, SimulatedOn::gpus);
    const Made lost =
        make({}, {lanes_as_gpu("a", {.lost_at = 0}), lanes_as_gpu("b")}, SimulatedOn::gpus);
    CHECK(lost.num_on_gpus == 6);
    CHECK(lost.fingerprints == whole.fingerprints);
    REQUIRE(lost.told.size() == 1);
    CHECK(lost.told[0].starts_with("a: running a batch on the GPU: "));

    const Made refused =
        make({.policy = "{queue: las, capacity: nodes}"}, {lanes_as_gpu("a")}, SimulatedOn::gpus);
    CHECK(refused.num_on_gpus == 0);
    REQUIRE(refused.left.size() == 1);
    CHECK(refused.left.begin()->first.starts_with("the device has no kernel for its policies"));
    CHECK(refused.left.begin()->second == 12);

    const Made limited = make(
        {.budgets = "[{limit: 20 USD, then: stop-jobs}]"}, {lanes_as_gpu("a")}, SimulatedOn::gpus);
    CHECK(limited.num_on_gpus == 0);
    CHECK(limited.left.begin()->second == 12);
}

TEST_CASE("a sample of the runs decides which device makes the rest, and compares both answers") {
    const Made few = make({}, {lanes_as_gpu("a")}, SimulatedOn::either);
    CHECK(few.num_on_gpus == 0);
    CHECK(few.told.at(0).starts_with("the host makes all runs: fewer than 128"));
    const Made many = make({.num_runs = 128}, {lanes_as_gpu("a")}, SimulatedOn::either);
    CHECK(many.num_on_gpus == 16); // lanes of a warp on the host are never faster
    CHECK(many.told.at(0).starts_with("the host makes the other runs: 16 runs took "));
    CHECK_THROWS_WITH_AS(make({.num_runs = 128},
                              {lanes_as_gpu("a", {.changes_answers = true})},
                              SimulatedOn::either),
                         doctest::Contains("another answer than the host"),
                         SimulationError);
}

} // namespace bursar::test::device_runs_test
