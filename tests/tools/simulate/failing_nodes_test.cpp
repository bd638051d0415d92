#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/reliability/expected_efficiency.hpp"

#include "tests/tools/simulate/mean_waste.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar::test::failing_nodes_test {
namespace {

/// One job of 2,000 h on one node that fails every 10 h on average, and saves.
LoadedScenario
long_job(Duration every, Duration save, Duration restart, const std::string& top = {}) {
    return load_scenario(
        {.file = "long.yaml",
         .text = fmt::format(
             "bursar: 1\n"
             "workload:\n"
             "  jobs: [{{name: a, gpus: 8, duration: 2000 h}}]\n"
             "  classes: [{{startup: {} ms, checkpoint: {{every: {} ms, save: {} ms}}}}]\n"
             "fleet:\n"
             "  - {{pool: p, purchase: owned, gpu: H100, nodes: 1, gpus_per_node: 8,\n"
             "     price: 1 USD/gpu-h, failures: {{per_node_day: 2.4, repair: 1 ms}}}}\n{}",
             restart.count(),
             every.count(),
             save.count(),
             top)});
}

} // namespace

TEST_CASE("a job on failing nodes wastes as much as Daly's closed form") {
    struct Case {
        Duration every, save, restart;
    };
    for (const Case& one : {Case{hour, 5 * minute, 10 * minute},
                            Case{2 * hour, 5 * minute, 10 * minute},
                            Case{30 * minute, 2 * minute, minute},
                            Case{3 * hour, 30 * minute, 30 * minute}}) {
        CAPTURE(one.every.count());
        const auto seconds = [](Duration span) {
            return Seconds{static_cast<double>(span.count()) / 1000};
        };
        const TimeShares expected =
            expected_shares({{seconds(one.save), {}, 0}, seconds(one.restart), seconds(10 * hour)},
                            seconds(one.every));
        const LoadedScenario job = long_job(one.every, one.save, one.restart);
        const auto [mean, error] = test::mean_waste(job, 2000, 40);
        CHECK(error < 0.02);
        CHECK(std::abs(mean - (1 - expected.useful)) < 2.7 * error); // 99 % of 40
    }
}

TEST_CASE("a run that outlasts its drawn world equals the run in a world drawn further") {
    // Without a save that is kept it takes far longer than twice its work.
    const Result open = run_scenario(long_job(4 * hour, 3 * hour, hour), {.seed = 3});
    CHECK(open.end > 2 * (2001 * hour));
    const Result until = run_scenario(
        long_job(4 * hour, 3 * hour, hour, fmt::format("until: {} ms\n", 2 * open.end.count())),
        {.seed = 3});
    CHECK(open.jobs.finish_ms == until.jobs.finish_ms);
    CHECK(open.stopped.stop_ms == until.stopped.stop_ms);
    CHECK(open.run.assumed == until.run.assumed);
}

} // namespace bursar::test::failing_nodes_test
