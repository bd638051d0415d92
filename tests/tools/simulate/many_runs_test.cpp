#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/tools/simulate/small_scenario.hpp"
#include "tools/simulate/many_runs.hpp"

namespace bursar::test::many_runs_test {
namespace {

/// Runs of one scenario with different seeds.
std::vector<PlannedRun> some_runs(std::size_t count) {
    const LoadedScenario loaded = load_scenario(synthetic());
    std::vector<PlannedRun> runs;
    for (std::size_t i = 0; i < count; ++i)
        runs.push_back(planned_run(i, loaded.scenario, i / 2));
    return runs;
}

} // namespace

TEST_CASE("many runs: each is made once, and runs of one key share a plan") {
    const std::vector<PlannedRun> runs = some_runs(10);
    for (const std::size_t threads : {1, 2}) {
        std::mutex mutex;
        std::set<std::size_t> made;
        std::set<const Compiled*> plans;
        std::vector<std::shared_ptr<const Compiled>> kept; // keeps addresses unique
        make_runs(runs,
                  {.threads = threads,
                   .load = [](std::size_t) { return load_scenario(synthetic()); },
                   .run =
                       [&](std::size_t i, CompiledRun run, Workspace&) {
                           const std::lock_guard lock{mutex};
                           CHECK(made.insert(i).second);
                           CHECK(run.seed() == i / 2);
                           plans.insert(run.compiled.get());
                           kept.push_back(run.compiled);
                       }});
        CHECK(made.size() == 10);
        CHECK(plans.size() == 5);
    }
}

TEST_CASE("many runs: the first error in their order is thrown, for any order of threads") {
    std::vector<PlannedRun> runs = some_runs(12);
    runs[9].cost = 100; // made first
    for (const std::size_t threads : {1, 2, 4}) {
        std::string told;
        try {
            make_runs(runs,
                      {.threads = threads,
                       .load =
                           [](std::size_t i) {
                               if (i == 9 || i == 4)
                                   throw std::runtime_error{std::to_string(i)};
                               return load_scenario(synthetic());
                           },
                       .run = [](std::size_t, const CompiledRun&, Workspace&) {}});
        } catch (const std::runtime_error& error) {
            told = error.what();
        }
        CHECK(told == "4");
    }
}

TEST_CASE("many runs: an error handler continues with the others, or ends them") {
    const std::vector<PlannedRun> runs = some_runs(8);
    std::atomic<int> num_made{0};
    std::atomic<int> num_told{0};
    ManyRuns how{.load =
                     [](std::size_t i) {
                         if (i % 4 == 1)
                             throw std::runtime_error{"no"};
                         return load_scenario(synthetic());
                     },
                 .run = [&](std::size_t, const CompiledRun&, Workspace&) { ++num_made; },
                 .on_error =
                     [&](std::size_t i, const std::exception_ptr&) {
                         CHECK(i % 4 == 1);
                         ++num_told;
                         return true;
                     }};
    make_runs(runs, how);
    CHECK(num_made == 6);
    CHECK(num_told == 2);
    how.on_error = [](std::size_t, const std::exception_ptr&) { return false; };
    CHECK_THROWS_AS(make_runs(runs, how), std::runtime_error);
    make_runs({}, how);
}

} // namespace bursar::test::many_runs_test
