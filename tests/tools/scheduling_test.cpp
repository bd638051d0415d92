// Small schedules by hand, through the command line.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/tools/program.hpp"

namespace bursar::test::scheduling_test {
namespace {

const std::string two_gpus_and_8_cores = R"(
bursar: 1
workload: {trace: {file: jobs.csv, format: csv}}
fleet:
  - {pool: p, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 2, cpu: 8, price: 1 USD/gpu-h}
)";

/// The column `first_start` of jobs.csv for each job of `rows`, in order of submission.
std::vector<std::string> starts(const std::string& scenario,
                                const std::string& rows,
                                const std::vector<std::string>& settings) {
    const TemporaryFolder folder;
    folder.write("jobs.csv", rows);
    std::vector<std::string> arguments{"run", folder.write("s.yaml", scenario), "--format", "jobs"};
    for (const std::string& setting : settings)
        arguments.insert(arguments.end(), {"--set", setting});
    const Answer answer = bursar(arguments);
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    std::vector<std::string> found;
    for (auto& row : read_plain_csv(answer.out))
        found.push_back(row["first_start"]);
    return found;
}

using Starts = std::vector<std::string>;

} // namespace

TEST_CASE("at the end of a job without GPUs, the job that waits for its CPU starts") {
    const std::string rows = "job,submit,duration,gpus,cpu_milli\n"
                             "a,0,100,0,8000\nb,10,50,1,4000\nc,20,500,1,0\nd,25,500,1,0\n";
    for (const char* queue : {"srtf", "las", "gittins"}) {
        CAPTURE(queue);
        CHECK(starts(two_gpus_and_8_cores,
                     "job,submit,duration,gpus,cpu_milli\na,0,100,0,8000\nb,10,50,1,4000\n",
                     {std::string{"policy.queue="} + queue}) == Starts{"0.000", "100.000"});
    }
    // EASY keeps the node for b, which fits at 100 s; c and d run longer than that.
    CHECK(starts(two_gpus_and_8_cores, rows, {"policy.backfill=easy"}) ==
          Starts{"0.000", "100.000", "100.000", "150.000"});
}

TEST_CASE("as many high-priority jobs as there are GPUs wait for their victims to leave") {
    const std::string scenario = R"(
bursar: 1
workload:
  jobs:
    - {name: low, gpus: 1, count: 16, every: 1 ms, duration: 100 s}
    - {name: high, gpus: 1, count: 16, every: 1 ms, submit: 10 s, duration: 100 s}
  classes: [{match: {names: high}, priority: 5}, {priority: 0, checkpoint: {save: 5 s}}]
fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 2, gpus_per_node: 8, price: 1 USD/gpu-h}]
policy: {queue: priority, head: skip, placement: best-fit-decreasing}
)";
    const Starts grace = starts(scenario, "", {"policy.preemption={name: priority, grace: 60 s}"});
    const Starts save = starts(scenario, "", {"policy.preemption=priority"});
    REQUIRE(grace.size() == 32);
    REQUIRE(save.size() == 32);
    CHECK(grace[16] == "75.000");
    CHECK(save[16] == "15.000");
}

TEST_CASE("by value, a job worth a preemption is found behind one that is not") {
    const std::string scenario = R"(
bursar: 1
workload:
  jobs:
    - {name: run, gpus: 1, duration: 1000 s}
    - {name: cheap, gpus: 1, submit: 1 s, duration: 100 s}
    - {name: dear, gpus: 1, submit: 2 s, duration: 100 s}
  classes:
    - {match: {names: run}, value: 100 USD}
    - {match: {names: cheap}, value: 1 USD}
    - {value: 1000 USD}
fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 1, price: 1 USD/gpu-h}]
policy: {head: skip, preemption: value}
)";
    CHECK(starts(scenario, "", {}) == Starts{"0.000", "1100.000", "2.000"});
}

TEST_CASE("half a GPU for 100 s is 50 s of GPU time") {
    const std::string scenario = R"(
bursar: 1
workload: {trace: {file: jobs.csv, format: csv}}
fleet: [{pool: p, purchase: owned, gpu: V100, nodes: 1, gpus_per_node: 1, price: 1 USD/gpu-h}]
policy: {queue: {name: las, levels: [50 gpu-s, 1000 gpu-s]}}
)";
    // f drops one level at 100 s, when w gets the GPU that f had half of.
    CHECK(starts(scenario,
                 "job,submit,duration,gpus,gpu_milli\nf,0,200,1,500\nw,10,30,1,1000\n",
                 {}) == Starts{"0.000", "100.000"});
}

} // namespace bursar::test::scheduling_test
